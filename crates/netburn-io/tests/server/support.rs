//! A server on a thread of its own, and a client that reads replies and nothing more.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use netburn_io::server::{BindError, Live, Policy, Server, ServerOptions, Summary};
use tokio::runtime::{Builder, Handle};
use tokio::sync::oneshot;

/// No test waits longer for anything; none is meant to come near it.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) live: Live,
    pub(crate) runtime: Handle,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<Summary>>,
}

pub(crate) fn options(listen: SocketAddr, policy: Policy) -> ServerOptions {
    let environment = BTreeMap::from([("kernel".to_owned(), "test".to_owned())]);
    ServerOptions { listen, policy, congestion: None, program: "test 1".to_owned(), environment, door: None }
}

pub(crate) fn start(policy: Policy) -> Running {
    start_on(2, policy)
}

/// A server on so many threads.
pub(crate) fn start_on(threads: usize, policy: Policy) -> Running {
    let (tell, told) = mpsc::channel();
    let (stop, stopped) = oneshot::channel();
    let thread = std::thread::spawn(move || {
        let runtime = Builder::new_multi_thread().worker_threads(threads).enable_all().build().unwrap();
        let handle = runtime.handle().clone();
        runtime.block_on(async move {
            let server = Server::bind(options((Ipv4Addr::LOCALHOST, 0).into(), policy)).unwrap();
            tell.send((server.local_addr(), server.live(), handle)).unwrap();
            // On a worker, not beside the workers.
            tokio::spawn(server.run(async { drop(stopped.await) })).await.unwrap()
        })
    });
    let (address, live, runtime) = told.recv().unwrap();
    Running { address, live, runtime, stop: Some(stop), thread: Some(thread) }
}

pub(crate) fn bind_error(listen: SocketAddr) -> BindError {
    let runtime = Builder::new_current_thread().enable_all().build().unwrap();
    let _inside = runtime.enter();
    Server::bind(options(listen, Policy::default())).unwrap_err()
}

impl Running {
    pub(crate) fn connect(&self) -> Client {
        Client::connect(self.address)
    }

    pub(crate) fn begin_shutdown(&mut self) {
        drop(self.stop.take());
    }

    pub(crate) fn stop(mut self) -> Summary {
        self.begin_shutdown();
        self.thread.take().unwrap().join().unwrap()
    }

    /// Waits for what must come about, without guessing how long that takes.
    pub(crate) fn until(&self, what: impl Display, mut holds: impl FnMut(&Live) -> bool) {
        let start = Instant::now();
        while !holds(&self.live) {
            assert!(start.elapsed() < PATIENCE, "{what}; {:?}", self.live);
            std::thread::yield_now();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.begin_shutdown();
    }
}

pub(crate) struct Client {
    stream: BufReader<TcpStream>,
}

#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Self { stream: BufReader::new(stream) }
    }

    pub(crate) fn get(&mut self, path: impl Display) -> Reply {
        self.send(get(path));
        self.reply()
    }

    pub(crate) fn send(&mut self, text: impl AsRef<[u8]>) {
        self.stream.get_mut().write_all(text.as_ref()).unwrap();
    }

    pub(crate) fn reply(&mut self) -> Reply {
        let mut reply = self.head();
        reply.body = vec![0; reply.field("Content-Length").unwrap().parse().unwrap()];
        self.stream.read_exact(&mut reply.body).unwrap();
        reply
    }

    /// A reply without its body.
    pub(crate) fn head(&mut self) -> Reply {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert_ne!(self.stream.read_line(&mut head).unwrap(), 0, "the reply ends early: {head:?}");
        }
        let status = head.get(9..12).unwrap().parse().unwrap();
        Reply { status, head, body: Vec::new() }
    }

    pub(crate) fn read(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.stream.read_exact(&mut bytes).unwrap();
        bytes
    }

    pub(crate) fn ends_cleanly(&mut self) -> bool {
        matches!(self.stream.read(&mut [0]), Ok(0))
    }

    pub(crate) fn is_closed(&mut self) -> bool {
        match self.stream.read(&mut [0]) {
            Ok(len) => len == 0,
            Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset,
        }
    }

    pub(crate) fn stream(&self) -> &TcpStream {
        self.stream.get_ref()
    }
}

impl Reply {
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (field, value) = line.split_once(": ")?;
            field.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    pub(crate) fn server_time(&self) -> Duration {
        Duration::from_nanos(self.field("Netburn-Server-Time").unwrap().parse().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }
}

pub(crate) fn get(path: impl Display) -> String {
    get_with(path, "")
}

/// With further header fields, each with its end of line.
pub(crate) fn get_with(path: impl Display, fields: impl Display) -> String {
    format!("GET /netburn/v1/{path} HTTP/1.1\r\nHost: test\r\n{fields}\r\n")
}
