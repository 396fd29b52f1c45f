//! Each way a server can fail an operation is counted as what it is, and improves no figure.

use std::net::TcpStream;
use std::sync::mpsc;
use std::time::Duration;

use burn_model::record::FailureCause;

use super::run::{Run, every_second, population};
use super::server::{Asked, Server, Then, refusing_port, write};

/// Operations of 1000 bytes, one at a time, all of which must fail with `cause` and leave no time and no byte
/// behind.
#[track_caller]
fn all_fail_with(cause: FailureCause, pipelining: bool, handler: fn(&Asked, &TcpStream) -> Then) {
    let server = Server::start(handler);
    let run = Run::until(20, server.address(), population(every_second(200), 1, 1000, 1), pipelining);
    assert_eq!(run.failed(cause), run.begun(), "{:?}", run.intervals);
    assert_eq!((run.samples(), run.bytes()), (0, 0), "a failure improved a figure");
}

/// A reply with the token and these fields and body.
fn reply(asked: &Asked, status: &str, fields: &str, body: &str) -> Vec<u8> {
    let token = asked.field("Netburn-Run").unwrap();
    format!("HTTP/1.1 {status}\r\nNetburn-Run: {token}\r\n{fields}\r\n{body}").into_bytes()
}

#[test]
fn a_port_where_nothing_listens_fails_every_operation_as_no_connection() {
    let (_taken, address) = refusing_port();
    for pipelining in [false, true] {
        let run = Run::until(20, address, population(every_second(200), 1, 1000, 20), pipelining);
        assert_eq!(run.failed(FailureCause::Connect), run.begun());
        assert_eq!((run.samples(), run.bytes()), (0, 0));
    }
}

#[test]
fn every_second_503_fails_those_operations_and_no_other() {
    for pipelining in [false, true] {
        let server = Server::start(|asked, stream| {
            if asked.order % 2 == 0 {
                return write(stream, &asked.right_reply(""));
            }
            write(stream, b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 4\r\n\r\nbusy")
        });
        let run = Run::until(20, server.address(), population(every_second(200), 1, 1000, 1), pipelining);
        let begun = run.begun();
        assert_eq!((run.completed(), run.failed(FailureCause::Status)), (begun.div_ceil(2), begun / 2));
        assert_eq!(run.bytes(), run.completed() * 1000, "what an error page carries is not payload");
        assert_eq!(server.connections(), 1, "an error that can be read to its end is no reason to dial again");
    }
}

#[test]
fn a_captive_portals_login_page_is_not_our_server() {
    all_fail_with(FailureCause::WrongServer, false, |asked, stream| {
        let page = "x".repeat(asked.bytes());
        write(stream, format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{page}", page.len()).as_bytes())
    });
}

#[test]
fn a_captive_portals_redirect_is_not_followed() {
    all_fail_with(FailureCause::Status, false, |_, stream| {
        write(stream, b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/login\r\nContent-Length: 0\r\n\r\n")
    });
}

#[test]
fn another_runs_token_is_not_our_server() {
    all_fail_with(FailureCause::WrongServer, true, |asked, stream| {
        let fields = format!("HTTP/1.1 200 OK\r\nNetburn-Run: {:032x}\r\nContent-Length: 1000\r\n\r\n", 7);
        write(stream, &[fields.into_bytes(), vec![b'x'; asked.bytes()]].concat())
    });
}

#[test]
fn a_reset_before_any_reply_is_a_broken_connection() {
    for pipelining in [false, true] {
        all_fail_with(FailureCause::Disconnected, pipelining, |_, _| Then::Reset);
    }
}

#[test]
fn a_close_before_any_reply_is_a_broken_connection() {
    for pipelining in [false, true] {
        all_fail_with(FailureCause::Disconnected, pipelining, |_, _| Then::Close);
    }
}

#[test]
fn a_close_within_the_head_is_a_reply_cut_short() {
    all_fail_with(FailureCause::Truncated, false, |_, stream| {
        write(stream, b"HTTP/1.1 200 OK\r\nContent-Le");
        Then::Close
    });
}

#[test]
fn a_reply_of_another_size_is_of_the_wrong_size() {
    all_fail_with(FailureCause::WrongSize, false, |asked, stream| {
        write(stream, &reply(asked, "200 OK", "Content-Length: 4\r\n", "1234"))
    });
    all_fail_with(FailureCause::WrongSize, true, |asked, stream| {
        write(stream, &reply(asked, "200 OK", "", "until the end"));
        Then::Close
    });
}

#[test]
fn a_chunked_reply_and_noise_are_not_understood() {
    all_fail_with(FailureCause::Protocol, false, |asked, stream| {
        write(stream, &reply(asked, "200 OK", "Transfer-Encoding: chunked\r\n", "0\r\n\r\n"))
    });
    all_fail_with(FailureCause::Protocol, true, |_, stream| write(stream, b"SSH-2.0-OpenSSH_9.2p1\r\n"));
}

#[test]
fn a_head_without_end_is_not_understood() {
    all_fail_with(FailureCause::Protocol, false, |_, stream| {
        let mut then = write(stream, b"HTTP/1.1 200 OK\r\n");
        for _ in 0..20 {
            then = write(stream, &[&b"X: "[..], &[b'x'; 1000], b"\r\n"].concat());
        }
        then
    });
}

#[test]
fn a_body_cut_short_fails_and_only_the_bytes_that_came_are_counted() {
    for pipelining in [false, true] {
        let server = Server::start(|asked, stream| {
            let whole = asked.right_reply("");
            write(stream, &whole[..whole.len() - 400]);
            Then::Close
        });
        let run = Run::until(20, server.address(), population(every_second(200), 1, 1000, 1), pipelining);
        assert_eq!(run.failed(FailureCause::Truncated), run.begun());
        assert_eq!((run.samples(), run.bytes()), (0, run.begun() * 600));
    }
}

#[test]
fn a_trickle_ends_at_the_deadline_and_never_completes() {
    // A byte for every 100 ms is all that the body gets; an operation has 300 ms. The server writes on until the
    // client hangs up.
    let server = Server::start(|asked, stream| {
        let reply = asked.right_reply("");
        let (head, body) = reply.split_at(reply.len() - asked.bytes());
        write(stream, head);
        let (_never, wait) = mpsc::channel::<()>();
        for byte in body {
            let _ = wait.recv_timeout(Duration::from_millis(100));
            if matches!(write(stream, &[*byte]), Then::Close) {
                return Then::Close;
            }
        }
        Then::Close
    });
    for pipelining in [false, true] {
        let mut trickled = population(every_second(4), 1, 1000, 4);
        trickled.deadline = Duration::from_millis(300);
        let run = Run::until(4, server.address(), trickled, pipelining);
        assert_eq!(run.timed_out(), run.begun());
        assert_eq!(run.samples(), 0);
        assert!(run.bytes() < run.begun() * 1000, "{} bytes of a trickle", run.bytes());
    }
}

#[test]
fn nothing_that_a_server_sends_upsets_the_driver() {
    // Two hundred replies of seeded noise, of pieces of replies, and of right replies with a byte flipped.
    let server = Server::start(|asked, stream| {
        let mut random = u64::try_from(asked.order).unwrap().wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = || {
            // xorshift64, Marsaglia 2003.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            usize::try_from(random % (1 << 32)).unwrap()
        };
        let mut reply = asked.right_reply("Netburn-Server-Time: 99999999999999999999\r\n");
        match next() % 4 {
            0 => reply.iter_mut().for_each(|byte| *byte = u8::try_from(next() % 256).unwrap()),
            1 => reply.truncate(next() % 200),
            2 => {
                let at = next() % 150;
                reply[at] ^= 1 << (next() % 8);
            }
            _ => reply.extend_from_slice(b"HTTP/1.1 200 OK\r\n\r\nand more"),
        }
        let then = write(stream, &reply);
        if next() % 2 == 0 { then } else { Then::Close }
    });
    for pipelining in [false, true] {
        let mut noisy = population(every_second(200), 1, 500, 200);
        noisy.deadline = Duration::from_millis(300);
        let run = Run::until(200, server.address(), noisy, pipelining);
        let failed: u64 = FailureCause::ALL.iter().map(|cause| run.failed(*cause)).sum();
        assert_eq!(run.completed() + failed + run.timed_out(), run.begun(), "{:?}", run.intervals);
        assert!(failed > 0);
    }
}
