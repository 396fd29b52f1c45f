//! Server time is the server's: all of it, and nothing of the network's or the peer's.

use std::sync::mpsc;
use std::time::{Duration, Instant};

use netburn_io::server::Policy;

use crate::support::{Running, get, start, start_on};

/// How long the server's only thread is kept from its work, at least.
const STALL: Duration = Duration::from_millis(300);
/// A kernel under load may deliver a segment over loopback this much after its sender has gone on.
const DELIVERY: Duration = Duration::from_millis(50);

/// Takes the server's only thread, runs `meanwhile`, and lets the thread go after `rest` more.
fn stall(server: &Running, rest: Duration, meanwhile: impl FnOnce()) {
    let (taken, is_taken) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    server.runtime.spawn(async move {
        taken.send(()).unwrap();
        released.recv().unwrap();
    });
    is_taken.recv().unwrap();
    meanwhile();
    // Not a wait for a state: this is the stall.
    std::thread::sleep(rest);
    release.send(()).unwrap();
}

#[test]
fn a_request_that_waits_for_a_stalled_server_shows_the_wait() {
    let server = start_on(1, Policy::default());
    let mut client = server.connect();
    assert_eq!(client.get("bytes/100").status, 200);
    let mut sent = Instant::now();
    stall(&server, STALL, || {
        sent = Instant::now();
        client.send(get("bytes/100"));
    });
    let server_time = client.reply().server_time();
    let elapsed = sent.elapsed();
    assert!(server_time + DELIVERY >= STALL && server_time <= elapsed, "{server_time:?} of {elapsed:?}");
}

#[test]
fn the_first_request_of_a_connection_that_waited_to_be_accepted_shows_the_wait() {
    let server = start_on(1, Policy::default());
    assert_eq!(server.connect().get("bytes/100").status, 200);
    let mut client = None;
    stall(&server, STALL, || client.insert(server.connect()).send(get("bytes/100")));
    let server_time = client.unwrap().reply().server_time();
    assert!(server_time + DELIVERY >= STALL, "{server_time:?}");
}

/// Thirty requests, one each 10 ms, pile up unread; the kernel remembers the arrival of the last alone. At the end of
/// the stall the first has waited 300 ms, the second 290 ms, and so on.
#[test]
fn each_of_the_requests_that_pile_up_behind_a_stall_shows_its_own_wait() {
    const REQUESTS: u32 = 30;
    const EACH: Duration = Duration::from_millis(10);
    let server = start_on(1, Policy::default());
    let mut client = server.connect();
    assert_eq!(client.get("bytes/100").status, 200);
    let mut sent = Vec::new();
    stall(&server, EACH, || {
        for _ in 0..REQUESTS {
            sent.push(Instant::now());
            client.send(get("bytes/100"));
            // The pace of the requests, not a wait for a state.
            std::thread::sleep(EACH);
        }
    });
    let waits: Vec<_> = sent.iter().map(|_| client.reply().server_time()).collect();
    let first_at_most = sent[0].elapsed();
    assert!(waits.is_sorted_by(|earlier, later| earlier >= later), "{waits:?}");
    // The kernel's one stamp would give every one of them the last one's wait, of about 10 ms. The pause is known to a
    // beat of 10 ms on either side.
    assert!(waits[0] + DELIVERY >= STALL && waits[0] <= first_at_most + EACH, "{waits:?}");
    assert!(waits[29] <= waits[0] / 2, "{waits:?}");
}

/// The second request arrives while the first reply fills the socket, because the peer does not read.
#[test]
fn waiting_behind_a_reply_that_the_peer_does_not_take_is_not_the_servers_time() {
    let server = start(Policy::default());
    let mut client = server.connect();
    let size = 64 << 20;
    client.send(get(format_args!("bytes/{size}")) + &get("bytes/10"));
    assert_eq!(client.head().status, 200);
    let waiting_since = Instant::now();
    // Not a wait for a state: this is how long the peer is slow.
    std::thread::sleep(STALL);
    assert_eq!(client.read(size).len(), size);
    let server_time = client.reply().server_time();
    assert!(server_time < waiting_since.elapsed() - STALL, "{server_time:?} is not less than what the peer read in");
}
