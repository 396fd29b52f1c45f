//! From bytes to a request that is valid, or to what is wrong with it (RFC 9112, with what a test server needs of it).

use std::str::FromStr;

use crate::protocol::{APPLICATION_HEADER, BYTES_PATH, HELLO_PATH, Label, RUN_HEADER, RunToken, WITNESS_PATH};

/// More header fields than any middlebox adds.
const MOST_FIELDS: usize = 64;

/// What a peer asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Route {
    /// The greeting.
    Hello,
    /// This many bytes.
    Bytes(u64),
    /// The account of the request's run.
    Witness,
}

/// A request with a valid frame, whether or not it can be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// How many bytes it took.
    pub(super) len: usize,
    /// What it asks for.
    pub(super) asked: Result<Route, Refusal>,
    /// The peer wants the header only.
    pub(super) head_only: bool,
    /// The connection ends with the reply.
    pub(super) close: bool,
    /// The run it belongs to.
    pub(super) run: Option<RunToken>,
    /// The application it belongs to.
    pub(super) label: Option<Label>,
}

/// Why a request is not answered as asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Not HTTP/1, or a frame that could be read in two ways.
    Malformed,
    /// HTTP, but neither 1.0 nor 1.1.
    Version,
    /// The head exceeds the policy.
    HeadTooLarge,
    /// The head did not come in time.
    HeadTooSlow,
    /// There is a body, which no request here has.
    Body,
    /// Neither GET nor HEAD.
    Method,
    /// No such path.
    Path,
    /// More bytes than the policy allows.
    TooManyBytes,
    /// No such run is known.
    UnknownRun,
    /// All connections are taken.
    Busy,
}

impl Refusal {
    /// Whether it is unclear where the next request would begin.
    const fn breaks_framing(self) -> bool {
        matches!(self, Self::Malformed | Self::Version | Self::HeadTooLarge | Self::HeadTooSlow | Self::Body)
    }
}

/// The state of a buffer that should begin with a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Parsed {
    /// A whole request.
    Whole(Request),
    /// Not yet a whole one.
    Partial,
    /// What comes is not a request, and nothing after it can be understood.
    Broken(Refusal),
}

/// Reads the request that `bytes` begins with. Never panics, whatever the bytes are.
pub(super) fn parse(bytes: &[u8]) -> Parsed {
    let mut fields = [httparse::EMPTY_HEADER; MOST_FIELDS];
    let mut head = httparse::Request::new(&mut fields);
    match head.parse(bytes) {
        Ok(httparse::Status::Complete(len)) => interpret(&head, len),
        Ok(httparse::Status::Partial) => Parsed::Partial,
        Err(httparse::Error::Version) => Parsed::Broken(Refusal::Version),
        Err(httparse::Error::TooManyHeaders) => Parsed::Broken(Refusal::HeadTooLarge),
        Err(_) => Parsed::Broken(Refusal::Malformed),
    }
}

fn interpret(head: &httparse::Request<'_, '_>, len: usize) -> Parsed {
    let fields = Fields::read(head.headers);
    let old = head.version == Some(0);
    // RFC 9112 §3.2: exactly one Host in HTTP/1.1, or 400.
    let framing = match fields.framing {
        Err(refusal) => Err(refusal),
        Ok(()) if fields.hosts > 1 || (fields.hosts == 0 && !old) => Err(Refusal::Malformed),
        Ok(()) => Ok(()),
    };
    let route = || {
        let route = route(head.path.unwrap_or_default())?;
        match head.method {
            Some("GET" | "HEAD") => Ok(route),
            _ => Err(Refusal::Method),
        }
    };
    let asked = framing.and_then(|()| route());
    Parsed::Whole(Request {
        len,
        asked,
        head_only: head.method == Some("HEAD"),
        close: old || fields.close || asked.is_err_and(Refusal::breaks_framing),
        run: fields.run,
        label: fields.label,
    })
}

/// What the header fields say, of what matters here.
#[derive(Debug)]
struct Fields {
    hosts: usize,
    close: bool,
    framing: Result<(), Refusal>,
    run: Option<RunToken>,
    label: Option<Label>,
}

impl Fields {
    fn read(fields: &[httparse::Header<'_>]) -> Self {
        let mut read = Self { hosts: 0, close: false, framing: Ok(()), run: None, label: None };
        for field in fields {
            let is = |name: &str| field.name.eq_ignore_ascii_case(name);
            if is("host") {
                read.hosts += 1;
            } else if is("connection") {
                read.close |=
                    field.value.split(|&b| b == b',').any(|word| word.trim_ascii().eq_ignore_ascii_case(b"close"));
            } else if is("content-length") {
                read.framing = read.framing.and(content_length(field.value));
            } else if is("transfer-encoding") {
                read.framing = read.framing.and(Err(Refusal::Body));
            } else if is(RUN_HEADER) {
                read.run = read.run.or_else(|| text(field.value));
            } else if is(APPLICATION_HEADER) {
                read.label = read.label.or_else(|| text(field.value));
            }
        }
        read
    }
}

/// Only the length 0 is accepted; what is no length leaves the frame in doubt.
fn content_length(value: &[u8]) -> Result<(), Refusal> {
    match value.trim_ascii() {
        [b'0'..=b'9', ..] if value.trim_ascii().iter().all(|&b| b == b'0') => Ok(()),
        digits if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => Err(Refusal::Body),
        _ => Err(Refusal::Malformed),
    }
}

fn text<T: FromStr>(value: &[u8]) -> Option<T> {
    std::str::from_utf8(value).ok()?.trim().parse().ok()
}

fn route(target: &str) -> Result<Route, Refusal> {
    let path = origin_form(target);
    // A query may be there to get past a cache; it means nothing.
    let path = path.split_once('?').map_or(path, |(path, _)| path);
    match path {
        HELLO_PATH => Ok(Route::Hello),
        WITNESS_PATH => Ok(Route::Witness),
        _ => path.strip_prefix(BYTES_PATH).ok_or(Refusal::Path).and_then(size),
    }
}

/// RFC 9112 §3.2.2: a server accepts the absolute form, which is what a proxy is sent.
fn origin_form(target: &str) -> &str {
    match target.split_at_checked("http://".len()) {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("http://") => rest.find('/').map_or("/", |at| &rest[at..]),
        _ => target,
    }
}

fn size(digits: &str) -> Result<Route, Refusal> {
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Refusal::Path);
    }
    // Digits alone fail to parse only where they exceed what 64 bits hold.
    digits.parse().map(Route::Bytes).map_err(|_| Refusal::TooManyBytes)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn request(text: &str) -> Request {
        match parse(text.as_bytes()) {
            Parsed::Whole(request) => request,
            other => panic!("{text:?} is {other:?}"),
        }
    }

    fn asked(line: &str) -> Result<Route, Refusal> {
        request(&format!("{line}\r\nHost: h\r\n\r\n")).asked
    }

    #[test]
    fn three_paths_exist_and_no_other() {
        assert_eq!(asked("GET /netburn/v1/hello HTTP/1.1"), Ok(Route::Hello));
        assert_eq!(asked("HEAD /netburn/v1/witness HTTP/1.1"), Ok(Route::Witness));
        assert_eq!(asked("GET /netburn/v1/bytes/0 HTTP/1.1"), Ok(Route::Bytes(0)));
        assert_eq!(asked("GET /netburn/v1/bytes/2500?x=1 HTTP/1.1"), Ok(Route::Bytes(2500)));
        assert_eq!(asked("GET HTTP://host:80/netburn/v1/bytes/7 HTTP/1.1"), Ok(Route::Bytes(7)));
        for path in [
            "/",
            "*",
            "/netburn/v1/bytes/",
            "/netburn/v1/bytes/+5",
            "/netburn/v1/bytes/-1",
            "/netburn/v1/bytes/1/2",
            "/netburn/v1/bytes/0x10",
            "/netburn/v1/hello/",
            "/../etc/passwd",
            "http://host",
            "/NETBURN/v1/hello",
        ] {
            assert_eq!(asked(&format!("GET {path} HTTP/1.1")), Err(Refusal::Path), "{path}");
        }
        assert_eq!(asked("GET /netburn/v1/bytes/99999999999999999999 HTTP/1.1"), Err(Refusal::TooManyBytes));
    }

    #[test]
    fn only_get_and_head_are_answered() {
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "get"] {
            assert_eq!(asked(&format!("{method} /netburn/v1/hello HTTP/1.1")), Err(Refusal::Method), "{method}");
        }
    }

    #[test]
    fn a_request_with_a_body_is_refused_and_ends_the_connection() {
        for (field, refusal) in [
            ("Content-Length: 5", Refusal::Body),
            ("Transfer-Encoding: chunked", Refusal::Body),
            ("Content-Length: +5", Refusal::Malformed),
            ("Content-Length: 0, 0", Refusal::Malformed),
            ("Content-Length:", Refusal::Malformed),
            ("Content-Length: 0\r\nContent-Length: 4", Refusal::Body),
        ] {
            let request = request(&format!("GET /netburn/v1/hello HTTP/1.1\r\nHost: h\r\n{field}\r\n\r\n"));
            assert_eq!((request.asked, request.close), (Err(refusal), true), "{field}");
        }
        let empty = request("GET /netburn/v1/hello HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n");
        assert_eq!((empty.asked, empty.close), (Ok(Route::Hello), false));
    }

    #[test]
    fn a_connection_is_kept_as_the_version_and_the_peer_say() {
        assert!(!request("GET /netburn/v1/hello HTTP/1.1\r\nHost: h\r\n\r\n").close);
        assert!(request("GET /netburn/v1/hello HTTP/1.0\r\n\r\n").close);
        assert!(request("GET /netburn/v1/hello HTTP/1.1\r\nHost: h\r\nConnection: x, CLOSE\r\n\r\n").close);
        assert_eq!(parse(b"GET / HTTP/3.0\r\n\r\n"), Parsed::Broken(Refusal::Version));
    }

    #[test]
    fn http_1_1_needs_exactly_one_host() {
        for fields in ["", "Host: a\r\nHost: b\r\n"] {
            let request = request(&format!("GET /netburn/v1/hello HTTP/1.1\r\n{fields}\r\n"));
            assert_eq!((request.asked, request.close), (Err(Refusal::Malformed), true));
        }
    }

    #[test]
    fn token_and_label_are_read_where_they_are_valid() {
        let token = RunToken::from_bits(0xabc);
        let with = format!(
            "GET /netburn/v1/hello HTTP/1.1\r\nHost: h\r\nnetburn-run: {token}\r\nNetburn-Application: 3.1\r\n\r\n"
        );
        let with = request(&with);
        assert_eq!((with.run, with.label), (Some(token), Some(Label { client: 3, population: 1 })));
        let without =
            request("GET /netburn/v1/hello HTTP/1.1\r\nHost: h\r\nNetburn-Run: abc\r\nNetburn-Application: x\r\n\r\n");
        assert_eq!((without.run, without.label), (None, None));
    }

    #[test]
    fn a_request_ends_where_its_head_ends() {
        let two = "GET /netburn/v1/hello HTTP/1.1\r\nHost: h\r\n\r\nGET /netb";
        assert_eq!(request(two).len, two.len() - "GET /netb".len());
        assert_eq!(parse(b"GET /netb"), Parsed::Partial);
    }

    proptest! {
        #[test]
        fn no_bytes_at_all_upset_the_parser(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
            if let Parsed::Whole(request) = parse(&bytes) {
                prop_assert!(0 < request.len && request.len <= bytes.len());
            }
        }

        #[test]
        fn no_damage_to_a_request_upsets_the_parser(at in 0_usize..90, byte in any::<u8>(), keep in 0_usize..200) {
            let mut bytes = b"GET /netburn/v1/bytes/100 HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".to_vec();
            if let Some(there) = bytes.get_mut(at) {
                *there = byte;
            }
            bytes.truncate(keep);
            if let Parsed::Whole(request) = parse(&bytes) {
                prop_assert!(0 < request.len && request.len <= bytes.len());
            }
        }
    }
}
