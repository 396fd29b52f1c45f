//! What comes back on a connection, byte by byte: heads, bodies, and where one reply ends and the next begins.
//!
//! Pure: bytes in, steps out. Whatever a peer sends, memory stays within [`MAX_HEAD`] and nothing panics. A reply that
//! is whole but wrong (another status, size or server) is stepped over, so that the next one on the same connection
//! can still be told apart; one that cannot be understood breaks the connection.

use std::time::Duration;

use burn_model::record::FailureCause;

use crate::protocol::{RUN_HEADER, SERVER_TIME_HEADER};

/// Bytes of a head at most.
pub(crate) const MAX_HEAD: usize = 16 * 1024;
/// Fields of a head at most.
const MAX_FIELDS: usize = 96;
/// Bytes of a wrong reply's body that are stepped over at most; past that a fresh connection is cheaper.
const MAX_SKIPPED: u64 = 64 * 1024;

/// What a reply must be.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expected<'a> {
    /// Its status.
    pub(crate) status: u16,
    /// The size of its body.
    pub(crate) bytes: u64,
    /// The run's token, which it must carry; `None` where nobody can be asked to.
    pub(crate) token: Option<&'a str>,
}

/// The next thing that the bytes mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// All bytes were taken, and more are needed.
    More,
    /// A head was read. Where the reply is wrong, this says how, and its body is stepped over.
    Head(Option<FailureCause>),
    /// So many bytes of the body of a reply that is right so far.
    Payload(u64),
    /// The reply is whole.
    End(End),
    /// The connection is of no use any more.
    Broken(FailureCause),
}

/// How a reply ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    /// Whether the connection may be used again.
    pub(crate) keep: bool,
    /// What the server says the reply cost it. Not yet held against anything.
    pub(crate) server_time: Option<Duration>,
}

/// Reads the replies of one connection, in order.
#[derive(Debug, Default)]
pub(crate) struct ReplyReader {
    /// A head of which only a part has come. Empty nearly always, so an idle connection costs no memory.
    head: Vec<u8>,
    body: Option<Body>,
}

#[derive(Clone, Copy, Debug)]
struct Body {
    remaining: u64,
    wrong: bool,
    end: End,
}

impl ReplyReader {
    /// Takes bytes off the front of `input`, as far as the next step goes. Call until it is [`Step::More`].
    pub(crate) fn advance(&mut self, input: &mut &[u8], expected: &Expected<'_>) -> Step {
        let Some(body) = self.body else { return self.read_head(input, expected) };
        if body.remaining == 0 {
            self.body = None;
            return Step::End(body.end);
        }
        if input.is_empty() {
            return Step::More;
        }
        let here = u64::try_from(input.len()).unwrap_or(u64::MAX).min(body.remaining);
        *input = usize::try_from(here).ok().and_then(|here| input.get(here..)).unwrap_or_default();
        self.skip(here)
    }

    /// Bytes of a body that are still to come, which may be dropped unseen and told to [`skip`](Self::skip).
    pub(crate) fn body_to_come(&self) -> u64 {
        self.body.map_or(0, |body| body.remaining)
    }

    /// So many bytes of the body have come.
    pub(crate) fn skip(&mut self, bytes: u64) -> Step {
        let Some(body) = &mut self.body else { return Step::Broken(FailureCause::Protocol) };
        body.remaining = body.remaining.saturating_sub(bytes);
        // What a wrong reply carries is not payload: it must not make any figure look better. Its whole body is
        // taken within one call of `advance` or a few, so the caller just goes on.
        Step::Payload(if body.wrong { 0 } else { bytes })
    }

    /// Whether part of a reply has come.
    pub(crate) const fn is_within_reply(&self) -> bool {
        self.body.is_some() || !self.head.is_empty()
    }

    fn read_head(&mut self, input: &mut &[u8], expected: &Expected<'_>) -> Step {
        while !input.is_empty() {
            let before = self.head.len();
            let parsed = if before == 0 {
                parse_head(input, expected)
            } else {
                let room = (MAX_HEAD + 1).saturating_sub(before).min(input.len());
                self.head.extend_from_slice(input.get(..room).unwrap_or_default());
                parse_head(&self.head, expected)
            };
            match parsed {
                Ok(Parsed::Partial) if before + input.len() > MAX_HEAD => return Step::Broken(FailureCause::Protocol),
                Ok(Parsed::Partial) => {
                    if before == 0 {
                        self.head.extend_from_slice(input);
                    }
                    *input = &[];
                }
                Ok(Parsed::Whole { length, head }) => {
                    // What was kept before this call has been taken off the input already.
                    *input = length.checked_sub(before).and_then(|taken| input.get(taken..)).unwrap_or_default();
                    self.head = Vec::new();
                    if let Some(head) = head {
                        return self.begin_body(head);
                    }
                }
                Err(Malformed) => return Step::Broken(FailureCause::Protocol),
            }
        }
        Step::More
    }

    fn begin_body(&mut self, head: Head) -> Step {
        let Some(length) = head.length else {
            // Without a length nobody can say where the reply ends.
            return Step::Broken(head.wrong.unwrap_or(FailureCause::WrongSize));
        };
        if head.wrong.is_some() && length > MAX_SKIPPED {
            return Step::Broken(head.wrong.unwrap_or(FailureCause::WrongSize));
        }
        self.body = Some(Body { remaining: length, wrong: head.wrong.is_some(), end: head.end });
        Step::Head(head.wrong)
    }
}

/// A head, as far as it matters here.
struct Head {
    /// Bytes of the body; `None` where the head does not say.
    length: Option<u64>,
    /// Why this is not the reply that was asked for.
    wrong: Option<FailureCause>,
    end: End,
}

enum Parsed {
    Partial,
    /// A head of `length` bytes; `None` for an interim reply, after which the real one follows (RFC 9110 §15.2).
    Whole {
        length: usize,
        head: Option<Head>,
    },
}

/// The bytes are not the head of a reply, or it contradicts itself.
struct Malformed;

fn parse_head(bytes: &[u8], expected: &Expected<'_>) -> Result<Parsed, Malformed> {
    let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
    let mut reply = httparse::Response::new(&mut fields);
    let length = match reply.parse(bytes) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(Parsed::Partial),
        Err(_) => return Err(Malformed),
    };
    if length > MAX_HEAD {
        return Err(Malformed);
    }
    let status = reply.code.ok_or(Malformed)?;
    if (100..200).contains(&status) {
        // 101 would be another protocol, which nobody asked for.
        return if status == 101 { Err(Malformed) } else { Ok(Parsed::Whole { length, head: None }) };
    }
    let mut noted = Noted { keep: reply.version == Some(1), ..Noted::default() };
    for field in reply.headers.iter() {
        noted.field(field.name, field.value, expected.token)?;
    }
    let head = noted.head(status, expected)?;
    Ok(Parsed::Whole { length, head: Some(head) })
}

/// What the fields of a head say.
#[derive(Default)]
struct Noted {
    content_length: Option<u64>,
    coded: bool,
    keep: bool,
    proven: bool,
    server_time: Option<Duration>,
}

impl Noted {
    fn field(&mut self, name: &str, value: &[u8], token: Option<&str>) -> Result<(), Malformed> {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("content-length") {
            let length = digits(value).ok_or(Malformed)?;
            // RFC 9112 §6.3: lengths that differ are an attack or a fault; there is no telling which one holds.
            if self.content_length.replace(length).is_some_and(|earlier| earlier != length) {
                return Err(Malformed);
            }
        } else if is("transfer-encoding") {
            self.coded = true;
        } else if is("connection") {
            for option in value.split(|byte| *byte == b',').map(<[u8]>::trim_ascii) {
                self.keep =
                    (self.keep || option.eq_ignore_ascii_case(b"keep-alive")) && !option.eq_ignore_ascii_case(b"close");
            }
        } else if is(RUN_HEADER) {
            self.proven = token.is_some_and(|token| value.eq_ignore_ascii_case(token.as_bytes()));
        } else if is(SERVER_TIME_HEADER) {
            self.server_time = digits(value).map(Duration::from_nanos);
        }
        Ok(())
    }

    fn head(self, status: u16, expected: &Expected<'_>) -> Result<Head, Malformed> {
        // RFC 9112 §6.3: these have no body, whatever else they say.
        let length = if matches!(status, 204 | 304) { Some(0) } else { self.content_length };
        let wrong = if status != expected.status {
            Some(FailureCause::Status)
        } else if expected.token.is_some() && !self.proven {
            Some(FailureCause::WrongServer)
        } else if self.coded {
            None
        } else if length != Some(expected.bytes) {
            Some(FailureCause::WrongSize)
        } else {
            None
        };
        let length = if self.coded { None } else { length };
        if self.coded && wrong.is_none() {
            // A size that is told piece by piece cannot be held against the one that was asked for.
            return Err(Malformed);
        }
        Ok(Head { length, wrong, end: End { keep: self.keep, server_time: self.server_time } })
    }
}

/// A whole number of nothing but digits; `str::parse` would take a sign.
pub(crate) fn digits(value: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(value).ok()?.trim_ascii();
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}
