//! What is asked before and after a run.

use std::time::{Duration, Instant};

use burn_model::record::RunEvent;
use burn_model::time::Moment;
use netburn_io::client::{LearnError, PreflightError, RequestKind, fetch_witness, learn_url, preflight};
use netburn_io::protocol::{ApplicationSecond, HELLO_PATH, Hello, Label, ServerSecond, VERSION, WITNESS_PATH, Witness};

use super::run::target;
use super::server::{Asked, Server, Then, refusing_port, write};

const TIMEOUT: Duration = Duration::from_secs(5);

fn json(asked: &Asked, body: &str) -> Vec<u8> {
    let token = asked.field("Netburn-Run").unwrap();
    format!("HTTP/1.1 200 OK\r\nNetburn-Run: {token}\r\nContent-Length: {}\r\n\r\n{body}", body.len()).into_bytes()
}

fn hello(protocol: u32, now_ns: u64) -> Hello {
    let program = "netburn 9.9.9".to_owned();
    let environment = [("kernel".to_owned(), "6.1".to_owned())].into();
    Hello { program, protocol, now_ns, max_reply_bytes: 1 << 30, max_connections: 100, environment }
}

fn greeting(protocol: u32) -> Server {
    Server::start(move |asked, stream| {
        assert_eq!(asked.path, HELLO_PATH);
        write(stream, &json(asked, &serde_json::to_string(&hello(protocol, 5)).unwrap()))
    })
}

#[test]
fn preflight_gives_the_greeting_of_a_netburn_server() {
    let server = greeting(VERSION);
    assert_eq!(preflight(&target(server.address()), TIMEOUT).unwrap(), hello(VERSION, 5));
}

#[test]
fn preflight_says_what_is_wrong_and_how_to_mend_it() {
    let message = |server: &Server| preflight(&target(server.address()), TIMEOUT).unwrap_err().to_string();

    let (_taken, nobody) = refusing_port();
    let refused = preflight(&target(nobody), TIMEOUT).unwrap_err().to_string();
    assert!(refused.contains("connection refused") && refused.contains("start the server"), "{refused}");

    let other_version = message(&greeting(VERSION + 1));
    assert!(other_version.contains("netburn 9.9.9, which speaks version 2"), "{other_version}");

    for page in [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: /login\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n",
    ] {
        let portal = message(&Server::start(|_, stream| write(stream, page.as_bytes())));
        assert!(portal.contains("not a netburn server") && portal.contains("captive portal"), "{portal}");
    }

    let garbage = message(&Server::start(|_, stream| write(stream, b"SSH-2.0-OpenSSH_9.2\r\n")));
    assert!(garbage.contains("not in HTTP/1.1"), "{garbage}");
    let cut = message(&Server::start(|_, _| Then::Close));
    assert!(cut.contains("closed the connection before its answer was whole"), "{cut}");
    let huge = message(&Server::start(|asked, stream| {
        let token = asked.field("Netburn-Run").unwrap();
        let head = format!("HTTP/1.1 200 OK\r\nNetburn-Run: {token}\r\nContent-Length: 99999999999\r\n\r\n");
        write(stream, head.as_bytes())
    }));
    assert!(huge.contains("larger than any honest one"), "{huge}");
    let not_a_greeting = message(&Server::start(|asked, stream| write(stream, &json(asked, "[]"))));
    assert!(not_a_greeting.contains("its greeting cannot be read"), "{not_a_greeting}");
}

#[test]
fn preflight_gives_up_on_a_server_that_trickles() {
    // A byte of the head is written for each millisecond or so, without end: only the whole deadline ends that.
    let server = Server::start(|_, stream| {
        write(stream, b"HTTP/1.1 200 OK\r\nX: ");
        let (_never, wait) = std::sync::mpsc::channel::<()>();
        while matches!(write(stream, b"x"), Then::Keep) {
            let _ = wait.recv_timeout(Duration::from_millis(1));
        }
        Then::Close
    });
    let error = preflight(&target(server.address()), Duration::from_millis(200)).unwrap_err();
    assert!(error.to_string().contains("did not answer within 200ms"), "{error}");
}

#[test]
fn a_url_is_learned_with_its_status_and_size() {
    let server = Server::start(|asked, stream| {
        assert_eq!(asked.path, "/file?x=1");
        assert_eq!(asked.field("Netburn-Run"), None, "another's server is not told our token");
        assert_eq!(asked.field("Accept-Encoding"), Some("identity"));
        write(stream, b"HTTP/1.1 203 Fine\r\nContent-Length: 12345\r\n\r\n")
    });
    let learned = learn_url(&format!("http://{}/file?x=1#top", server.address()), TIMEOUT).unwrap();
    assert_eq!((learned.address, learned.host), (server.address(), server.address().to_string()));
    assert_eq!(learned.request, RequestKind::Url { path: "/file?x=1".into(), status: 203, bytes: 12345 });
}

#[test]
fn a_url_that_cannot_be_measured_is_refused_with_the_reason() {
    let learn = |reply: &'static str| {
        let server = Server::start(|_, stream| write(stream, reply.as_bytes()));
        learn_url(&format!("http://{}", server.address()), TIMEOUT).unwrap_err()
    };
    let redirect = learn("HTTP/1.1 301 Moved\r\nLocation: http://b/\r\nContent-Length: 0\r\n\r\n").to_string();
    assert!(redirect.contains("sends on to 'http://b/'"), "{redirect}");
    let status = learn("HTTP/1.1 404 No\r\nContent-Length: 9\r\n\r\n");
    assert!(matches!(status, LearnError::Status { status: 404, .. }), "{status}");
    let chunked = learn("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n").to_string();
    assert!(chunked.contains("no Content-Length"), "{chunked}");
    assert!(matches!(learn("HTTP/1.1 200 OK\r\n\r\n"), LearnError::NoLength { .. }));
    assert!(matches!(learn("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"), LearnError::Empty { .. }));
    assert!(matches!(preflight_of_a_url(), PreflightError::NotAServer));
}

fn preflight_of_a_url() -> PreflightError {
    let mut target = target(([127, 0, 0, 1], 9).into());
    target.request = RequestKind::Url { path: "/".into(), status: 200, bytes: 1 };
    preflight(&target, TIMEOUT).unwrap_err()
}

#[test]
fn the_servers_account_is_told_on_the_runs_time_line() {
    // The server's clock is this process's, with its zero an hour before the run's start.
    let start = Instant::now();
    let hour = 3_600_000_000_000_u64;
    let server = Server::start(move |asked, stream| {
        let reading = || hour + u64::try_from(start.elapsed().as_nanos()).unwrap();
        let row = |client, from_s: u64| ApplicationSecond {
            label: Label { client, population: 2 },
            from_ns: hour + from_s * 1_000_000_000,
            to_ns: hour + (from_s + 1) * 1_000_000_000,
            replies: 10,
            bytes: 20,
            busy_ns: 30,
            rwnd_limited_ns: 4,
            sndbuf_limited_ns: 5,
            connections: None,
        };
        let body = if asked.path == WITNESS_PATH {
            let second = ServerSecond {
                from_ns: hour,
                to_ns: hour + 1_000_000_000,
                busiest_thread_cpu: 0.5,
                machine_cpu: None,
                longest_pause_ns: 6,
            };
            let applications = vec![row(0, 5), row(1, 5), row(1, 6)];
            let witness = Witness { now_ns: reading(), applications, server: vec![second], forgotten: 0 };
            serde_json::to_string(&witness).unwrap()
        } else {
            serde_json::to_string(&hello(VERSION, reading())).unwrap()
        };
        write(stream, &json(asked, &body))
    });
    let events = fetch_witness(&target(server.address()), start, 1, true, TIMEOUT).unwrap();
    let [RunEvent::Witness(first), RunEvent::Witness(second), RunEvent::ServerUsage(usage)] = events.as_slice() else {
        panic!("two rows of this client and one of the server, but not: {events:?}");
    };
    assert_eq!((first.client, first.population, first.replies, first.bytes), (1, 2, 10, 20));
    assert_eq!((first.busy, first.rwnd_limited), (Duration::from_nanos(30), Duration::from_nanos(4)));
    // Second 5 of the run is where the row lies in truth: the translation may be off by no more than it admits, and
    // by the 100 ns or so between two readings of the same clock.
    for (told, truth) in [(first.from, 5), (first.to, 6), (second.from, 6)] {
        let off = told.since(Moment::from_secs(truth)).max(Moment::from_secs(truth).since(told));
        assert!(off <= first.uncertainty + Duration::from_micros(10), "{off:?} against {:?}", first.uncertainty);
    }
    assert!(first.uncertainty > Duration::ZERO);
    assert_eq!((usage.busiest_thread_cpu, usage.machine_cpu), (0.5, None));

    let without = fetch_witness(&target(server.address()), start, 0, false, TIMEOUT).unwrap();
    assert!(matches!(without.as_slice(), [RunEvent::Witness(row)] if row.client == 0), "{without:?}");
}
