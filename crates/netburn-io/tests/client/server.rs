//! A server that does what a test tells it, byte by byte, on plain threads.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use socket2::{Domain, SockRef, Socket, Type};

/// A request, as the server read it.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// Which connection it came on, from 0.
    pub(crate) connection: usize,
    /// Which request on that connection it is, from 0.
    pub(crate) number: usize,
    /// Which request of all it is, from 0.
    pub(crate) order: usize,
    /// When the server had read it.
    pub(crate) at: Instant,
    pub(crate) path: String,
    pub(crate) fields: Vec<(String, String)>,
}

impl Asked {
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(field, _)| field.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// The bytes that the path asks for.
    pub(crate) fn bytes(&self) -> usize {
        self.path.rsplit('/').next().and_then(|size| size.parse().ok()).unwrap_or(0)
    }

    /// A whole and right reply, with fields added (each with its line end).
    pub(crate) fn right_reply(&self, fields: &str) -> Vec<u8> {
        let bytes = self.bytes();
        let token = self.field("Netburn-Run").unwrap_or_default();
        let mut reply =
            format!("HTTP/1.1 200 OK\r\nNetburn-Run: {token}\r\nContent-Length: {bytes}\r\n{fields}\r\n").into_bytes();
        reply.resize(reply.len() + bytes, b'x');
        reply
    }
}

/// What becomes of the connection after a request.
pub(crate) enum Then {
    /// The next request is read.
    Keep,
    /// It is closed in good order.
    Close,
    /// It is reset.
    Reset,
}

type Handler = dyn Fn(&Asked, &TcpStream) -> Then + Send + Sync;

/// A running server. Dropping it ends every connection and every thread.
pub(crate) struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    acceptor: Option<JoinHandle<()>>,
}

struct Shared {
    handler: Box<Handler>,
    asked: Mutex<Vec<Asked>>,
    open: Mutex<Vec<Weak<TcpStream>>>,
    connections: AtomicUsize,
    ended: AtomicBool,
}

impl Server {
    /// Starts a server that calls `handler` for each request, on a thread for each connection.
    pub(crate) fn start(handler: impl Fn(&Asked, &TcpStream) -> Then + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let shared = Arc::new(Shared {
            handler: Box::new(handler),
            asked: Mutex::default(),
            open: Mutex::default(),
            connections: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
        });
        let acceptor = thread::spawn({
            let shared = Arc::clone(&shared);
            move || accept(&listener, &shared)
        });
        Self { address, shared, acceptor: Some(acceptor) }
    }

    /// A server whose every reply is right.
    pub(crate) fn right() -> Self {
        Self::start(|asked, stream| write(stream, &asked.right_reply("")))
    }

    pub(crate) const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Every request so far, in the order read.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.shared.asked.lock().unwrap().clone()
    }

    /// How many connections were accepted.
    pub(crate) fn connections(&self) -> usize {
        self.shared.connections.load(Ordering::SeqCst)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
        for stream in self.shared.open.lock().unwrap().drain(..).filter_map(|stream| stream.upgrade()) {
            let _ = stream.shutdown(Shutdown::Both);
        }
        if let Some(acceptor) = self.acceptor.take() {
            let _ = acceptor.join();
        }
    }
}

/// A port that refuses connections for as long as the socket lives: it is taken, so that no other test's server can come
/// to listen there, and nobody listens.
pub(crate) fn refusing_port() -> (Socket, SocketAddr) {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    socket.bind(&SocketAddr::from(([127, 0, 0, 1], 0)).into()).unwrap();
    let address = socket.local_addr().unwrap().as_socket().unwrap();
    (socket, address)
}

/// Writes, and keeps the connection where that worked.
pub(crate) fn write(mut stream: &TcpStream, bytes: &[u8]) -> Then {
    match stream.write_all(bytes) {
        Ok(()) => Then::Keep,
        Err(_) => Then::Close,
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.ended.load(Ordering::SeqCst) {
            return;
        }
        let Ok(stream) = stream else { continue };
        stream.set_nodelay(true).unwrap();
        let stream = Arc::new(stream);
        shared.open.lock().unwrap().push(Arc::downgrade(&stream));
        let connection = shared.connections.fetch_add(1, Ordering::SeqCst);
        let shared = Arc::clone(shared);
        thread::spawn(move || serve(connection, &stream, &shared));
    }
}

fn serve(connection: usize, stream: &TcpStream, shared: &Shared) {
    let mut reader = BufReader::new(stream);
    for number in 0.. {
        let Some((path, fields)) = read_request(&mut reader) else { return };
        let asked = {
            let mut all = shared.asked.lock().unwrap();
            let asked = Asked { connection, number, order: all.len(), at: Instant::now(), path, fields };
            all.push(asked.clone());
            asked
        };
        match (shared.handler)(&asked, stream) {
            Then::Keep => {}
            Then::Close => return,
            Then::Reset => {
                // Without time to linger, closing sends RST.
                SockRef::from(stream).set_linger(Some(Duration::ZERO)).unwrap();
                return;
            }
        }
    }
}

fn read_request(reader: &mut impl BufRead) -> Option<(String, Vec<(String, String)>)> {
    let mut line = String::new();
    let mut path = None;
    let mut fields = Vec::new();
    loop {
        line.clear();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let text = line.trim_end();
        match (&path, text) {
            (None, _) => path = Some(text.split(' ').nth(1)?.to_owned()),
            (Some(path), "") => return Some((path.clone(), fields)),
            (Some(_), _) => {
                let (name, value) = text.split_once(':')?;
                fields.push((name.to_owned(), value.trim().to_owned()));
            }
        }
    }
}
