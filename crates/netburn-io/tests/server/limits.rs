//! No peer holds more than its share.

use std::net::TcpStream;
use std::time::Duration;

use netburn_io::server::Policy;

use crate::support::{bind_error, get, start};

const SOON: Duration = Duration::from_millis(50);
/// Longer than any test waits.
const NEVER: Duration = Duration::from_secs(3600);

#[test]
fn a_request_that_does_not_end_is_cut_off_with_a_word() {
    let server = start(Policy { header_timeout: SOON, idle_timeout: NEVER, ..Policy::default() });
    let mut client = server.connect();
    client.send("GET /netburn/v1/hel");
    assert_eq!(client.reply().status, 408);
    assert!(client.is_closed());
    assert_eq!(server.stop().cut_off, 1);
}

#[test]
fn a_slow_request_behind_a_whole_one_is_cut_off_too() {
    let server = start(Policy { header_timeout: SOON, idle_timeout: NEVER, ..Policy::default() });
    let mut client = server.connect();
    client.send(get("bytes/10") + "GET /");
    assert_eq!([client.reply().status, client.reply().status], [200, 408]);
    assert!(client.is_closed());
}

#[test]
fn a_connection_that_asks_for_nothing_is_closed() {
    let server = start(Policy { idle_timeout: SOON, ..Policy::default() });
    assert!(server.connect().is_closed());
    let mut client = server.connect();
    assert_eq!(client.get("bytes/10").status, 200);
    assert!(client.is_closed());
    assert_eq!(server.stop().cut_off, 0);
}

#[test]
fn a_peer_that_does_not_take_its_reply_is_cut_off() {
    let server = start(Policy { drain_window: SOON, ..Policy::default() });
    let mut client = server.connect();
    // More than any socket buffer holds.
    client.send(get("bytes/1000000000"));
    server.until("cut off", |live| live.so_far().cut_off == 1 && live.open_connections() == 0);
    assert_eq!(server.stop().interrupted, 0);
}

#[test]
fn a_peer_that_pipelines_and_never_reads_is_cut_off() {
    let server = start(Policy { drain_window: SOON, ..Policy::default() });
    let client = server.connect();
    let requests = get("bytes/100000").repeat(100);
    client.stream().set_nonblocking(true).unwrap();
    server.until("cut off", |live| {
        let _ = std::io::Write::write(&mut client.stream(), requests.as_bytes());
        live.so_far().cut_off == 1 && live.open_connections() == 0
    });
}

#[test]
fn a_peer_that_pauses_but_takes_enough_is_not_cut_off() {
    // Nothing is enough here, so that no pause of this machine can fail the test; each check still finds the peer
    // waiting.
    let server = start(Policy { drain_window: Duration::from_millis(5), min_drain_bytes: 0, ..Policy::default() });
    let mut client = server.connect();
    client.send(get("bytes/50000000"));
    assert_eq!(client.head().status, 200);
    for _ in 0..5 {
        // Not a wait for a state: this is how long the peer does not read.
        std::thread::sleep(Duration::from_millis(20));
        assert_eq!(client.read(10_000_000).len(), 10_000_000);
    }
    assert_eq!(server.stop().cut_off, 0);
}

#[test]
fn one_connection_too_many_is_told_to_come_back() {
    let server = start(Policy { max_connections: 2, ..Policy::default() });
    let (mut one, mut two) = (server.connect(), server.connect());
    assert_eq!([one.get("hello").status, two.get("hello").status], [200, 200]);
    let mut three = server.connect();
    three.send(get("hello"));
    let reply = three.reply();
    assert_eq!((reply.status, reply.field("Retry-After"), reply.field("Connection")), (503, Some("1"), Some("close")));
    assert!(three.is_closed());
    drop(one);
    server.until("a place is free", |live| live.open_connections() == 1);
    assert_eq!(server.connect().get("hello").status, 200);
    assert_eq!(server.stop().turned_away, 1);
}

#[test]
fn ten_thousand_peers_that_vanish_leave_every_place_free() {
    let server = start(Policy::default());
    for nth in 0..10_000 {
        let mut stream = TcpStream::connect(server.address).unwrap();
        match nth % 4 {
            0 => {}
            1 => std::io::Write::write_all(&mut stream, b"GET /netburn/v1/by").unwrap(),
            2 => std::io::Write::write_all(&mut stream, get("bytes/100000").as_bytes()).unwrap(),
            _ => socket2::SockRef::from(&stream).set_linger(Some(Duration::ZERO)).unwrap(),
        }
    }
    server.until("all are gone", |live| {
        let so_far = live.so_far();
        so_far.connections + so_far.turned_away + so_far.accept_errors >= 10_000 && live.open_connections() == 0
    });
    assert_eq!(server.connect().get("bytes/100").status, 200);
    let summary = server.stop();
    assert_eq!((summary.broken, summary.interrupted), (0, 0));
}

#[test]
fn a_port_in_use_is_said_to_be_in_use() {
    let server = start(Policy::default());
    let text = bind_error(server.address).to_string();
    assert!(text.contains(&server.address.to_string()) && text.contains("another program"), "{text}");
}
