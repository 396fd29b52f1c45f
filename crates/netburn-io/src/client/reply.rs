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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const TOKEN: &str = "00000000000000000000000000000abc";
    const EXPECTED: Expected<'_> = Expected { status: 200, bytes: 5, token: Some(TOKEN) };
    const KEPT: End = End { keep: true, server_time: None };

    /// Every step of these bytes, given all at once.
    fn steps(bytes: &[u8]) -> Vec<Step> {
        steps_of_chunks(&[bytes])
    }

    /// Every step of these chunks, with neighbouring payloads added up, up to the first that breaks the connection.
    fn steps_of_chunks(chunks: &[&[u8]]) -> Vec<Step> {
        let mut reader = ReplyReader::default();
        let mut steps = Vec::new();
        for chunk in chunks {
            let mut input = *chunk;
            loop {
                match (reader.advance(&mut input, &EXPECTED), steps.last_mut()) {
                    (Step::More, _) => break,
                    (Step::Payload(bytes), Some(Step::Payload(sum))) => *sum += bytes,
                    (step @ Step::Broken(_), _) => {
                        steps.push(step);
                        return steps;
                    }
                    (step, _) => steps.push(step),
                }
                assert!(reader.head.len() <= MAX_HEAD + 1);
            }
            assert!(input.is_empty(), "more was asked for while there was some");
        }
        steps
    }

    fn reply(head: &str, body: &str) -> Vec<u8> {
        format!("{}\r\n\r\n{body}", head.replace('|', "\r\n").replace("TOKEN", TOKEN)).into_bytes()
    }

    #[test]
    fn a_reply_that_is_right_is_counted_to_its_last_byte() {
        let bytes = reply("HTTP/1.1 200 OK|netburn-run: TOKEN|content-length: 5|Netburn-Server-Time: 1500", "12345");
        let end = End { keep: true, server_time: Some(Duration::from_nanos(1500)) };
        assert_eq!(steps(&bytes), [Step::Head(None), Step::Payload(5), Step::End(end)]);
    }

    #[test]
    fn two_replies_in_one_read_are_told_apart() {
        let one = reply("HTTP/1.1 200 OK|Netburn-Run: TOKEN|Content-Length: 5", "12345");
        let each = [Step::Head(None), Step::Payload(5), Step::End(KEPT)];
        assert_eq!(steps(&[one.clone(), one].concat()), [each, each].concat());
    }

    #[test]
    fn a_whole_but_wrong_reply_names_its_fault_and_leaves_the_connection_usable() {
        for (head, body, cause) in [
            ("HTTP/1.1 503 No|Content-Length: 4", "busy", FailureCause::Status),
            ("HTTP/1.1 302 Found|Location: /|Content-Length: 0", "", FailureCause::Status),
            ("HTTP/1.1 204 No|Netburn-Run: TOKEN|Content-Length: 5", "", FailureCause::Status),
            ("HTTP/1.1 200 OK|Content-Length: 5", "login", FailureCause::WrongServer),
            ("HTTP/1.1 200 OK|Netburn-Run: 1|Content-Length: 5", "login", FailureCause::WrongServer),
            ("HTTP/1.1 200 OK|Netburn-Run: TOKEN|Content-Length: 4", "1234", FailureCause::WrongSize),
            ("HTTP/1.1 200 OK|Netburn-Run: TOKEN|Content-Length: 6", "123456", FailureCause::WrongSize),
        ] {
            let mut expected = vec![Step::Head(Some(cause))];
            if !body.is_empty() {
                expected.push(Step::Payload(0));
            }
            expected.push(Step::End(KEPT));
            assert_eq!(steps(&reply(head, body)), expected, "{head}");
        }
    }

    #[test]
    fn what_cannot_be_told_apart_from_the_next_reply_breaks_the_connection() {
        for (head, cause) in [
            ("HTTP/1.1 200 OK|Netburn-Run: TOKEN|Transfer-Encoding: chunked", FailureCause::Protocol),
            ("HTTP/1.1 200 OK|Netburn-Run: TOKEN|Content-Length: 5|Transfer-Encoding: chunked", FailureCause::Protocol),
            ("HTTP/1.1 503 No|Transfer-Encoding: chunked", FailureCause::Status),
            ("HTTP/1.1 200 OK|Transfer-Encoding: chunked", FailureCause::WrongServer),
            ("HTTP/1.1 200 OK|Netburn-Run: TOKEN", FailureCause::WrongSize),
            ("HTTP/1.1 200 OK|Netburn-Run: TOKEN|Content-Length: 5|Content-Length: 6", FailureCause::Protocol),
            ("HTTP/1.1 200 OK|Netburn-Run: TOKEN|Content-Length: +5", FailureCause::Protocol),
            ("HTTP/1.1 200 OK|Netburn-Run: TOKEN|Content-Length: -1", FailureCause::Protocol),
            ("HTTP/1.1 200 OK|Netburn-Run: TOKEN|Content-Length: 99999999999999999999", FailureCause::Protocol),
            ("HTTP/1.1 503 No|Content-Length: 65537", FailureCause::Status),
            ("HTTP/1.1 101 Switching|Upgrade: x", FailureCause::Protocol),
            ("SSH-2.0-OpenSSH_9.2", FailureCause::Protocol),
        ] {
            assert_eq!(steps(&reply(head, "")), [Step::Broken(cause)], "{head}");
        }
    }

    #[test]
    fn interim_replies_are_passed_over() {
        let bytes = reply("HTTP/1.1 103 Early|Link: x||HTTP/1.1 200 OK|Netburn-Run: TOKEN|Content-Length: 5", "12345");
        assert_eq!(steps(&bytes), [Step::Head(None), Step::Payload(5), Step::End(KEPT)]);
    }

    #[test]
    fn a_connection_is_kept_as_the_reply_says() {
        // RFC 9112 §9.3: kept by default from HTTP/1.1 on, and never after "close".
        for (version, connection, keep) in [
            ("1.1", "", true),
            ("1.1", "|Connection: close", false),
            ("1.1", "|Connection: Upgrade, CLOSE", false),
            ("1.0", "", false),
            ("1.0", "|Connection: keep-alive", true),
        ] {
            let head = format!("HTTP/{version} 200 OK|Netburn-Run: TOKEN|Content-Length: 5{connection}");
            let end = Step::End(End { keep, server_time: None });
            assert_eq!(steps(&reply(&head, "12345")).last(), Some(&end), "{head}");
        }
    }

    #[test]
    fn a_head_has_a_bound() {
        let endless = vec![b'a'; 1000];
        let mut chunks: Vec<&[u8]> = vec![b"HTTP/1.1 200 OK\r\nX: "];
        chunks.extend(std::iter::repeat_n(endless.as_slice(), 17));
        assert_eq!(steps_of_chunks(&chunks), [Step::Broken(FailureCause::Protocol)]);
        let fields = "|X: y".repeat(MAX_FIELDS + 1);
        assert_eq!(steps(&reply(&format!("HTTP/1.1 200 OK{fields}"), "")), [Step::Broken(FailureCause::Protocol)]);
    }

    /// Bytes that are nearly replies: whole ones, broken ones, and noise.
    fn nearly_replies() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(reply("HTTP/1.1 200 OK|Netburn-Run: TOKEN|Content-Length: 5", "12345")),
            Just(reply("HTTP/1.1 503 No|Content-Length: 4", "busy")),
            Just(reply("HTTP/1.1 100 Continue", "")),
            Just(b"HTTP/1.1 200 OK\r\nContent-Length: ".to_vec()),
            Just(b"\r\n\r\n".to_vec()),
            prop::collection::vec(any::<u8>(), 0..40),
        ];
        prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn the_meaning_of_bytes_does_not_depend_on_how_they_are_cut(
            bytes in nearly_replies(),
            cuts in prop::collection::vec(1_usize..50, 0..20),
        ) {
            let mut chunks = Vec::new();
            let mut rest = bytes.as_slice();
            for cut in cuts {
                let (chunk, after) = rest.split_at(cut.min(rest.len()));
                chunks.push(chunk);
                rest = after;
            }
            chunks.push(rest);
            prop_assert_eq!(steps_of_chunks(&chunks), steps(&bytes));
        }
    }
}
