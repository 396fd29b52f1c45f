//! Somebody who is sent alarms.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use rcgen::{CertificateParams, KeyPair};
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A request as it came: its first line, its fields, its body.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) line: String,
    pub(crate) fields: Vec<String>,
    pub(crate) body: String,
}

/// A web server that takes what it is sent, and answers each request with the next of its answers, the last for ever.
pub(crate) struct WebHook {
    pub(crate) port: u16,
    requests: Receiver<Request>,
}

impl WebHook {
    pub(crate) fn answering(answers: &'static [&'static str]) -> Self {
        Self::start(answers, None)
    }

    /// The same over TLS, with a certificate for `localhost`, which comes back as PEM.
    pub(crate) fn over_tls() -> (Self, String) {
        let key = KeyPair::generate().unwrap();
        let made = CertificateParams::new(vec!["localhost".to_owned()]).unwrap().self_signed(&key).unwrap();
        let key = PrivatePkcs8KeyDer::from(key.serialize_der());
        let pem = data_encoding::BASE64.encode(made.der());
        let pem = format!("-----BEGIN CERTIFICATE-----\n{pem}\n-----END CERTIFICATE-----\n");
        let certificate = made.der().clone();
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
        let config = config.with_no_client_auth().with_single_cert(vec![certificate], key.into()).unwrap();
        (Self::start(&["204 No Content"], Some(Arc::new(config))), pem)
    }

    fn start(answers: &'static [&'static str], tls: Option<Arc<ServerConfig>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (sender, requests) = channel();
        thread::spawn(move || {
            for (i, stream) in listener.incoming().enumerate() {
                let answer = answers.get(i).or(answers.last()).unwrap();
                let Ok(stream) = stream else { continue };
                match &tls {
                    None => take(stream, answer, &sender),
                    Some(config) => {
                        let connection = ServerConnection::new(Arc::clone(config)).unwrap();
                        take(StreamOwned::new(connection, stream), answer, &sender);
                    }
                }
            }
        });
        Self { port, requests }
    }

    /// The next request.
    pub(crate) fn next(&self) -> Request {
        self.requests.recv_timeout(Duration::from_secs(120)).unwrap()
    }

    /// A request that has come already.
    pub(crate) fn further(&self) -> Option<Request> {
        self.requests.try_recv().ok()
    }
}

fn take(stream: impl Read + Write, answer: &str, sender: &Sender<Request>) {
    let mut stream = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        // One who hangs up, or cannot agree on TLS, sends nothing.
        if stream.read_line(&mut line).is_err() || line.is_empty() {
            return;
        }
        match line.trim_end() {
            "" => break,
            line => head.push(line.to_owned()),
        }
    }
    let length =
        head.iter().find_map(|field| field.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).unwrap();
    let _ = write!(stream.get_mut(), "HTTP/1.1 {answer}\r\nContent-Length: 0\r\n\r\n");
    let _ = stream.get_mut().flush();
    let line = head.remove(0);
    let _ = sender.send(Request { line, fields: head, body: String::from_utf8(body).unwrap() });
}
