//! A server that is told to stop finishes what it has begun.

use std::net::TcpStream;
use std::time::Duration;

use netburn_io::server::Policy;

use crate::support::{get, start};

#[test]
fn replies_under_way_are_finished_and_no_new_connections_taken() {
    let mut server = start(Policy { shutdown_grace: Duration::from_secs(60), ..Policy::default() });
    let mut busy = server.connect();
    let mut idle = server.connect();
    assert_eq!(idle.get("hello").status, 200);
    // More than the socket buffers hold, so that most of it is not yet with the kernel.
    let size = 64 << 20;
    busy.send(get(format_args!("bytes/{size}")));
    assert_eq!(busy.head().status, 200);
    server.begin_shutdown();
    assert!(idle.is_closed());
    assert!(TcpStream::connect(server.address).is_err());
    assert_eq!(busy.read(size).len(), size);
    assert!(busy.is_closed());
    let summary = server.stop();
    assert_eq!((summary.interrupted, summary.payload_bytes), (0, size as u64));
}

#[test]
fn a_peer_that_does_not_read_does_not_hold_up_the_end() {
    let server = start(Policy { shutdown_grace: Duration::from_millis(50), ..Policy::default() });
    let mut client = server.connect();
    client.send(get("bytes/1000000000"));
    assert_eq!(client.head().status, 200);
    assert_eq!(server.stop().interrupted, 1);
}
