//! The one kind of HTTP request that the lobby takes: `GET /j/CODE` that becomes a WebSocket (RFC 6455 §4.2).
//!
//! Whatever else comes gets the same short 404, whether the path is unknown, the code is wrong, or it is no request at all.

use tokio::io::{AsyncRead, AsyncReadExt};

use crate::fleet::address::{Code, is_host_and_port};

/// The longest head that is read, in bytes.
const LONGEST: usize = 4096;
/// The most header fields.
const MOST_FIELDS: usize = 32;

/// The reply to all that is not a join with a right code.
pub(super) const NOT_FOUND: &[u8] =
    b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n";

/// A request to join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Head {
    /// The code in its path.
    pub(super) code: Code,
    /// `HOST:PORT` by which the device reached us.
    pub(super) host: String,
    /// What the WebSocket handshake answers to.
    pub(super) key: String,
}

/// Reads up to the end of a head, and tells what it asks for; `None` where that is nothing we have.
pub(super) async fn read(stream: &mut (impl AsyncRead + Unpin)) -> Option<Head> {
    let mut buffer = [0; LONGEST];
    let mut filled = 0;
    loop {
        let room = buffer.get_mut(filled..).filter(|room| !room.is_empty())?;
        let read = stream.read(room).await.ok().filter(|&read| read > 0)?;
        filled += read;
        let bytes = buffer.get(..filled).unwrap_or_default();
        if let Some(parsed) = parse(bytes) {
            return parsed.ok();
        }
    }
}

/// The reply that turns the connection into a WebSocket.
pub(super) fn switching(key: &str) -> String {
    let accept = tokio_tungstenite::tungstenite::handshake::derive_accept_key(key.as_bytes());
    format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    )
}

/// No head that we answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unknown;

/// `None` where the head is not yet whole. A peer that sends more than the head before it is answered is unknown.
fn parse(bytes: &[u8]) -> Option<Result<Head, Unknown>> {
    let mut fields = [httparse::EMPTY_HEADER; MOST_FIELDS];
    let mut request = httparse::Request::new(&mut fields);
    match request.parse(bytes) {
        Ok(httparse::Status::Partial) => None,
        Ok(httparse::Status::Complete(length)) if length == bytes.len() => Some(understand(&request).ok_or(Unknown)),
        _ => Some(Err(Unknown)),
    }
}

fn understand(request: &httparse::Request<'_, '_>) -> Option<Head> {
    let field = |name: &str| {
        let mut values = request.headers.iter().filter(|field| field.name.eq_ignore_ascii_case(name));
        let value = std::str::from_utf8(values.next()?.value).ok()?;
        // A field that comes twice could be read in two ways.
        values.next().is_none().then_some(value.trim())
    };
    let lists = |name, word: &str| Some(field(name)?.split(',').any(|item| item.trim().eq_ignore_ascii_case(word)));
    let path = request.path?;
    let code = path.strip_prefix("/j/").or_else(|| path.strip_prefix("/J/"))?.parse().ok()?;
    let host = field("host").filter(|host| is_host_and_port(host))?.to_owned();
    let key = field("sec-websocket-key")?;
    // 16 bytes in base 64 (RFC 6455 §4.1).
    let is_key = data_encoding::BASE64.decode(key.as_bytes()).is_ok_and(|bytes| bytes.len() == 16);
    let upgrades = request.method == Some("GET")
        && request.version == Some(1)
        && lists("connection", "upgrade")?
        && lists("upgrade", "websocket")?
        && field("sec-websocket-version")? == "13"
        && is_key;
    upgrades.then(|| Head { code, host, key: key.to_owned() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The key is the example of RFC 6455 §1.3.
    const GOOD: &str = "GET /j/0123456789 HTTP/1.1\r\nHost: tv:4040\r\nConnection: keep-alive, Upgrade\r\n\
                        Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

    #[test]
    fn a_request_to_join_is_understood_however_it_is_cut() {
        let head = parse(GOOD.as_bytes()).unwrap().unwrap();
        assert_eq!((head.host.as_str(), head.code.to_string().as_str()), ("tv:4040", "0123456789"));
        assert!((1..GOOD.len()).all(|length| parse(&GOOD.as_bytes()[..length]).is_none()));
    }

    #[test]
    fn the_reply_is_the_example_of_the_rfc() {
        assert!(switching("dGhlIHNhbXBsZSBub25jZQ==").contains("Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"));
    }

    #[test]
    fn whatever_else_comes_is_unknown() {
        let changes = [
            ("GET", "POST"),
            ("/j/0123456789", "/"),
            ("/j/0123456789", "/j/012345678"),
            ("/j/0123456789", "/j/0123456789/x"),
            ("HTTP/1.1", "HTTP/1.0"),
            ("tv:4040", "tv:4040\r\nHost: other:1"),
            ("tv:4040", "tv/..:1"),
            ("Upgrade: websocket", "Upgrade: h2c"),
            ("keep-alive, Upgrade", "close"),
            ("Version: 13", "Version: 8"),
            ("dGhlIHNhbXBsZSBub25jZQ==", "c2hvcnQ="),
            ("\r\n\r\n", "\r\n\r\nmore"),
        ];
        for (from, to) in changes {
            assert_eq!(parse(GOOD.replacen(from, to, 1).as_bytes()), Some(Err(Unknown)), "{to}");
        }
    }

    #[tokio::test]
    async fn a_head_that_never_ends_is_given_up_at_4_kib() {
        let mut endless = tokio::io::repeat(b'a').take(1 << 30);
        assert_eq!(read(&mut endless).await, None);
        assert!(endless.limit() >= (1 << 30) - 4096);
    }

    proptest! {
        #[test]
        fn no_bytes_make_it_panic(bytes: Vec<u8>, at in 0..GOOD.len(), byte: u8) {
            let _ = parse(&bytes);
            let mut near = GOOD.as_bytes().to_vec();
            near[at] = byte;
            let _ = parse(&near);
        }
    }
}
