//! One question, one answer: blocking HTTP/1.1 exchanges before and after a run, each within a deadline.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::reply::{MAX_HEAD, digits};

/// An exchange did not come to its end.
#[derive(Debug, thiserror::Error)]
pub enum ExchangeError {
    /// Nothing listens there.
    #[error("nothing listens at {address} (connection refused): start the server there, or check the port")]
    Refused {
        /// Where.
        address: SocketAddr,
    },
    /// There is no way there, or the connection broke.
    #[error("{address} cannot be reached: {source}")]
    Unreachable {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        source: io::Error,
    },
    /// No answer, or not all of it, within the time allowed.
    #[error("{address} did not answer within {timeout:?}: check the address, and firewalls on the way")]
    TimedOut {
        /// Where.
        address: SocketAddr,
        /// The time allowed.
        timeout: Duration,
    },
    /// The connection was closed before the answer was whole.
    #[error("{address} closed the connection before its answer was whole")]
    Cut {
        /// Where.
        address: SocketAddr,
    },
    /// What came back is not HTTP/1.1, or too large to be an answer.
    #[error("{address} answers, but {what}")]
    NotUnderstood {
        /// Where.
        address: SocketAddr,
        /// What is wrong with the answer.
        what: &'static str,
    },
}

/// A connection for a few exchanges, all within one deadline.
pub(crate) struct Exchange {
    stream: TcpStream,
    address: SocketAddr,
    timeout: Duration,
    deadline: Instant,
    /// What was read and not used yet.
    pending: Vec<u8>,
}

/// The head of an answer.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) status: u16,
    fields: Vec<(String, Vec<u8>)>,
}

impl Head {
    /// The value of a field that stands there once; `None` where it is absent or not text.
    pub(crate) fn field(&self, name: &str) -> Option<&str> {
        let mut all = self.fields.iter().filter(|(field, _)| field.eq_ignore_ascii_case(name));
        let (_, value) = all.next()?;
        if all.next().is_some() { None } else { std::str::from_utf8(value).ok().map(str::trim) }
    }

    /// Bytes of the body, where the head says so in one whole number.
    pub(crate) fn content_length(&self) -> Option<u64> {
        if self.field("transfer-encoding").is_some() {
            return None;
        }
        digits(self.field("content-length")?.as_bytes())
    }
}

impl Exchange {
    /// Connects; the time allowed for everything on this connection begins now.
    pub(crate) fn connect(address: SocketAddr, timeout: Duration) -> Result<Self, ExchangeError> {
        let deadline = Instant::now() + timeout;
        let failed = |source| explain(address, timeout, source);
        let stream = TcpStream::connect_timeout(&address, timeout.max(Duration::from_millis(1))).map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        Ok(Self { stream, address, timeout, deadline, pending: Vec::new() })
    }

    /// Sends a request and reads the head of the answer.
    pub(crate) fn ask(&mut self, request: &[u8]) -> Result<Head, ExchangeError> {
        let left = self.left()?;
        let sent = self.stream.set_write_timeout(Some(left)).and_then(|()| self.stream.write_all(request));
        sent.map_err(|source| explain(self.address, self.timeout, source))?;
        loop {
            if let Some(head) = self.parse_head()? {
                return Ok(head);
            }
            self.read_more()?;
        }
    }

    /// Reads a body of `length` bytes, which must be at most `most`.
    pub(crate) fn body(&mut self, length: u64, most: usize) -> Result<Vec<u8>, ExchangeError> {
        let length = usize::try_from(length).ok().filter(|length| *length <= most);
        let length = length.ok_or_else(|| self.not_understood("its answer is larger than any honest one"))?;
        while self.pending.len() < length {
            self.read_more()?;
        }
        let rest = self.pending.split_off(length);
        Ok(std::mem::replace(&mut self.pending, rest))
    }

    pub(crate) fn not_understood(&self, what: &'static str) -> ExchangeError {
        ExchangeError::NotUnderstood { address: self.address, what }
    }

    fn parse_head(&mut self) -> Result<Option<Head>, ExchangeError> {
        loop {
            let mut fields = [httparse::EMPTY_HEADER; 96];
            let mut reply = httparse::Response::new(&mut fields);
            let (length, status) = match reply.parse(&self.pending) {
                Ok(httparse::Status::Complete(length)) => (length, reply.code.unwrap_or_default()),
                Ok(httparse::Status::Partial) if self.pending.len() <= MAX_HEAD => return Ok(None),
                Ok(httparse::Status::Partial) => return Err(self.not_understood("with a head of more than 16 KiB")),
                Err(_) => return Err(self.not_understood("not in HTTP/1.1")),
            };
            let fields = reply.headers.iter().map(|field| (field.name.to_owned(), field.value.to_vec())).collect();
            self.pending.drain(..length);
            // RFC 9110 §15.2: an interim answer; the real one follows.
            if !(100..200).contains(&status) {
                return Ok(Some(Head { status, fields }));
            }
        }
    }

    fn read_more(&mut self) -> Result<(), ExchangeError> {
        let left = self.left()?;
        let mut buffer = [0; 16 * 1024];
        let read = self.stream.set_read_timeout(Some(left)).and_then(|()| self.stream.read(&mut buffer));
        match read {
            Ok(0) => Err(ExchangeError::Cut { address: self.address }),
            Ok(count) => {
                self.pending.extend_from_slice(buffer.get(..count).unwrap_or_default());
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(()),
            Err(source) => Err(explain(self.address, self.timeout, source)),
        }
    }

    /// The time that is left.
    fn left(&self) -> Result<Duration, ExchangeError> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ExchangeError::TimedOut { address: self.address, timeout: self.timeout });
        }
        Ok(left)
    }
}

fn explain(address: SocketAddr, timeout: Duration, source: io::Error) -> ExchangeError {
    match source.kind() {
        io::ErrorKind::ConnectionRefused => ExchangeError::Refused { address },
        // A read or write past its time is one or the other, by system.
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => ExchangeError::TimedOut { address, timeout },
        io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => ExchangeError::Cut { address },
        _ => ExchangeError::Unreachable { address, source },
    }
}
