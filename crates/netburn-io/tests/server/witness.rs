//! The server's account of a run holds exactly what the run got.

use std::collections::BTreeMap;
use std::sync::mpsc;
use std::time::Duration;

use netburn_io::protocol::{Label, RunToken, Witness};
use netburn_io::server::Policy;

use crate::support::{Client, get_with, start, start_on};

const RUN: RunToken = RunToken::from_bits(77);

fn fields(client: u32, population: u32) -> String {
    format!("Netburn-Run: {RUN}\r\nNetburn-Application: {}\r\n", Label { client, population })
}

fn ask(client: &mut Client) -> Witness {
    client.send(get_with("witness", format_args!("Netburn-Run: {RUN}\r\n")));
    let reply = client.reply();
    assert_eq!(reply.status, 200);
    serde_json::from_slice(&reply.body).unwrap()
}

#[test]
fn its_sums_are_the_bytes_served_to_each_application() {
    let server = start(Policy::default());
    let (mut one, mut two) = (server.connect(), server.connect());
    for (client, size) in [(0, 1_000_000), (1, 2500), (0, 17), (1, 0)] {
        // Two connections, on each of which both clients' requests go out.
        for connection in [&mut one, &mut two] {
            connection.send(get_with(format_args!("bytes/{size}"), fields(client, 3)));
            assert_eq!(connection.reply().body.len(), size);
        }
    }
    // None of these belongs to an application of the run.
    assert_eq!(one.get("bytes/999").status, 200);
    one.send(get_with("bytes/999", "Netburn-Run: 000000000000000000000000000000ff\r\nNetburn-Application: 0.3\r\n"));
    assert_eq!(one.reply().status, 200);
    one.send(format!("HEAD /netburn/v1/bytes/999 HTTP/1.1\r\nHost: h\r\n{}\r\n", fields(2, 0)));
    assert_eq!(one.head().status, 200);

    let witness = ask(&mut two);
    let mut sums = BTreeMap::new();
    for second in &witness.applications {
        let sum = sums.entry(second.label).or_insert((0, 0));
        *sum = (sum.0 + second.replies, sum.1 + second.bytes);
        assert!(second.from_ns < second.to_ns && second.to_ns <= witness.now_ns);
        assert!(second.rwnd_limited_ns + second.sndbuf_limited_ns <= second.busy_ns + 8_000_000);
    }
    let label = |client, population| Label { client, population };
    // Twice 1,000,017 bytes and twice 2500; HEAD has no bytes.
    let expected = [(label(0, 3), (4, 2_000_034)), (label(1, 3), (4, 5000)), (label(2, 0), (1, 0))];
    assert_eq!(sums, BTreeMap::from(expected));
    assert_eq!(witness.forgotten, 0);
}

#[test]
fn requests_of_two_applications_that_arrive_together_are_told_apart() {
    let server = start(Policy::default());
    let mut client = server.connect();
    client.send(get_with("bytes/300", fields(0, 0)) + &get_with("bytes/700", fields(1, 0)));
    assert_eq!([client.reply().body.len(), client.reply().body.len()], [300, 700]);
    let bytes = |of: u32, witness: &Witness| -> u64 {
        witness.applications.iter().filter(|second| second.label.client == of).map(|second| second.bytes).sum()
    };
    let witness = ask(&mut client);
    assert_eq!([bytes(0, &witness), bytes(1, &witness)], [300, 700]);
}

#[test]
fn it_tells_how_the_connections_stand() {
    let server = start(Policy::default());
    let mut client = server.connect();
    client.send(get_with("bytes/1000000", fields(0, 0)));
    assert_eq!(client.reply().body.len(), 1_000_000);
    // Asked on another connection, so that the first one still serves the application.
    let witness = ask(&mut server.connect());
    let known: Vec<_> = witness.applications.iter().filter_map(|second| second.connections).collect();
    // Loopback takes 65,536 bytes a packet, of which 65,496 are TCP payload at most: ⌈1,000,000 / 65,496⌉ = 16 segments.
    let segments: u64 = known.iter().filter_map(|connections| connections.segments).sum();
    assert!(segments >= 16, "{witness:?}");
    assert!(known.iter().all(|connections| connections.retransmits <= connections.segments), "{witness:?}");
    let last = known.last().unwrap();
    assert_eq!((last.open, last.sampled), (1, 1));
    assert!(last.rtt_us.is_some_and(|rtt| rtt > 0) && last.min_rtt_us <= last.rtt_us, "{last:?}");
    assert!(last.delivery_rate_bps.is_some_and(|rate| rate > 0), "{last:?}");
}

#[test]
fn it_tells_that_the_peer_did_not_read() {
    let server = start(Policy::default());
    let mut slow = server.connect();
    slow.send(get_with("bytes/1000000000", fields(0, 0)));
    let mut asking = server.connect();
    assert_eq!(slow.head().status, 200);
    server.until("the window is the limit", |_| {
        ask(&mut asking).applications.iter().map(|second| second.rwnd_limited_ns).sum::<u64>() > 50_000_000
    });
}

#[test]
fn it_tells_that_the_server_stood_still_and_what_it_used() {
    let server = start_on(1, Policy::default());
    let mut client = server.connect();
    client.send(get_with("hello", format_args!("Netburn-Run: {RUN}\r\n")));
    assert_eq!(client.reply().status, 200);
    let (done, is_done) = mpsc::channel();
    server.runtime.spawn(async move {
        std::thread::sleep(Duration::from_millis(300));
        done.send(()).unwrap();
    });
    is_done.recv().unwrap();
    // A beat was due at most 10 ms into the stall, and is allowed the timer's 1 ms.
    server.until("the pause", |_| ask(&mut client).server.iter().any(|second| second.longest_pause_ns >= 289_000_000));
    for second in ask(&mut client).server {
        assert!(second.from_ns < second.to_ns);
        assert!(second.busiest_thread_cpu >= 0.0);
        assert!(second.machine_cpu.is_none_or(|share| (0.0..=1.0).contains(&share)));
    }
}

#[test]
fn asking_about_a_run_does_not_make_it_known() {
    let server = start(Policy::default());
    let mut client = server.connect();
    for _ in 0..2 {
        client.send(get_with("witness", format_args!("Netburn-Run: {RUN}\r\n")));
        assert_eq!(client.reply().status, 404);
    }
}

#[test]
fn all_clients_of_a_large_run_may_ask_in_the_same_moment() {
    let server = start(Policy::default());
    let mut clients: Vec<_> = (0..50).map(|_| server.connect()).collect();
    for (client, number) in clients.iter_mut().zip(0..) {
        client.send(get_with("bytes/1000", fields(number, 0)));
        assert_eq!(client.reply().status, 200);
    }
    for client in &mut clients {
        client.send(get_with("witness", format_args!("Netburn-Run: {RUN}\r\n")));
    }
    let statuses: Vec<u16> = clients.iter_mut().map(|client| client.reply().status).collect();
    assert_eq!(statuses, vec![200; 50]);
}

#[test]
fn who_names_a_client_is_told_of_that_one_only() {
    let server = start(Policy::default());
    let mut client = server.connect();
    for (of, population) in [(0, 0), (1, 0), (1, 1)] {
        client.send(get_with("bytes/10", fields(of, population)));
        assert_eq!(client.reply().status, 200);
    }
    client.send(get_with("witness", fields(1, 0)));
    let witness: Witness = serde_json::from_slice(&client.reply().body).unwrap();
    let told: BTreeMap<_, _> = witness.applications.iter().map(|second| (second.label, second.replies)).collect();
    let label = |population| Label { client: 1, population };
    assert_eq!(told, BTreeMap::from([(label(0), 1), (label(1), 1)]));
}
