//! A server without file descriptors. A test of its own program, because it takes all of the process's.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::{Duration, Instant};

use netburn_io::server::{Policy, Server, ServerOptions};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use tokio::sync::oneshot;

#[test]
fn a_connection_that_finds_no_file_descriptor_left_is_served_when_there_is_one() {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let options = ServerOptions {
        listen: (Ipv4Addr::LOCALHOST, 0).into(),
        policy: Policy { max_connections: 1, ..Policy::default() },
        congestion: None,
        program: String::new(),
        environment: BTreeMap::new(),
        door: None,
    };
    let server = runtime.block_on(async { Server::bind(options).unwrap() });
    let (address, live) = (server.local_addr(), server.live());
    let (stop, stopped) = oneshot::channel::<()>();
    let run = runtime.spawn(server.run(async { drop(stopped.await) }));

    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    setrlimit(Resource::RLIMIT_NOFILE, soft.min(200), hard).unwrap();
    let mut files: Vec<File> = std::iter::from_fn(|| File::open("/dev/null").ok()).collect();
    // One left, for the client's end.
    drop(files.pop());
    let mut client = TcpStream::connect(address).unwrap();
    client.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    client.write_all(b"GET /netburn/v1/bytes/5 HTTP/1.0\r\n\r\n").unwrap();
    let start = Instant::now();
    while live.so_far().accept_errors == 0 {
        assert!(start.elapsed() < Duration::from_secs(60), "the accept loop does not notice: {live:?}");
        std::thread::yield_now();
    }
    drop(files);
    let mut reply = Vec::new();
    client.read_to_end(&mut reply).unwrap();
    assert!(reply.starts_with(b"HTTP/1.1 200 OK\r\n"));

    drop(stop);
    let summary = runtime.block_on(run).unwrap();
    assert_eq!((summary.connections, summary.turned_away), (1, 0));
}
