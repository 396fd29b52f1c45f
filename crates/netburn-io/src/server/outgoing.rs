//! Replies that wait to be handed to the kernel: heads as text, bodies as places in the payload pool.

use std::collections::VecDeque;
use std::io::{IoSlice, Write};

use super::payload::{Cursor, NONCE_BYTES, Pool};
use super::request::Refusal;
use crate::protocol::{RUN_HEADER, RunToken, SERVER_TIME_HEADER};

/// The most bytes of one write: longer ones were not faster when measured, and would keep other connections waiting.
const WRITE_BYTES: usize = 256 << 10;
/// The most pieces of one write.
pub(super) const WRITE_PIECES: usize = 64;

/// What every reply says of itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Head {
    /// The run to give back.
    pub(super) run: Option<RunToken>,
    /// The server's time for this reply so far, in nanoseconds.
    pub(super) server_time: u64,
    /// The connection ends with it.
    pub(super) close: bool,
    /// The peer wants the head only.
    pub(super) head_only: bool,
}

/// A queue of replies.
#[derive(Debug, Default)]
pub(super) struct Outgoing {
    text: Vec<u8>,
    pieces: VecDeque<Piece>,
    bytes: u64,
}

#[derive(Debug)]
struct Piece {
    source: Source,
    len: u64,
    /// How many of its first bytes are not payload.
    head: u64,
}

#[derive(Clone, Copy, Debug)]
enum Source {
    Text(usize),
    Pool(usize),
}

impl Outgoing {
    pub(super) fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// Whether more replies would not fit into one write.
    pub(super) fn is_full(&self) -> bool {
        self.bytes >= WRITE_BYTES as u64 || self.pieces.len() + 2 > WRITE_PIECES
    }

    /// Queues `size` bytes from the pool.
    pub(super) fn payload(&mut self, head: &Head, size: u64, cursor: &mut Cursor) {
        let start = self.begin("200 OK", "application/octet-stream", size, "", head);
        let head_len = (self.text.len() - start) as u64;
        if head.head_only {
            return self.push(Source::Text(start), head_len, head_len);
        }
        let own = size.min(NONCE_BYTES as u64);
        self.text.extend(cursor.nonce().into_iter().take(usize::try_from(own).unwrap_or(NONCE_BYTES)));
        self.push(Source::Text(start), head_len + own, head_len);
        self.push(Source::Pool(cursor.take(size - own)), size - own, 0);
    }

    /// Queues a JSON document.
    pub(super) fn json(&mut self, head: &Head, document: &[u8]) {
        self.document("200 OK", "application/json", "", head, document);
    }

    /// Queues what a peer is told who is not answered as it asked.
    pub(super) fn refusal(&mut self, head: &Head, refusal: Refusal, max_reply_bytes: u64) {
        let (status, fields, text) = match refusal {
            Refusal::Malformed => ("400 Bad Request", "", "not a request of HTTP/1.1; this port speaks plain HTTP/1.1"),
            Refusal::Version => ("505 HTTP Version Not Supported", "", "this port speaks HTTP/1.1 only"),
            Refusal::HeadTooLarge => ("431 Request Header Fields Too Large", "", "the head of the request is too long"),
            Refusal::HeadTooSlow => ("408 Request Timeout", "", "the head of the request did not come in time"),
            Refusal::Body => ("413 Content Too Large", "", "requests here have no body"),
            Refusal::Method => ("405 Method Not Allowed", "Allow: GET, HEAD\r\n", "only GET and HEAD are answered"),
            Refusal::Path => ("404 Not Found", "", "there is nothing at this path; see /netburn/v1/hello"),
            Refusal::TooManyBytes => {
                let text = format!("this server sends at most {max_reply_bytes} bytes in one reply\n");
                return self.document("413 Content Too Large", TEXT, "", head, text.as_bytes());
            }
            Refusal::UnknownRun => {
                ("404 Not Found", "", "the request carries no token of a run that this server knows")
            }
            Refusal::Busy => ("503 Service Unavailable", "Retry-After: 1\r\n", "this server has no place free for now"),
        };
        self.document(status, TEXT, fields, head, format!("{text}\n").as_bytes());
    }

    /// The text of the queued replies, which is all of them where none has a payload.
    pub(super) fn text(&self) -> &[u8] {
        &self.text
    }

    /// Fills `slices` with what goes into one write; returns how many it filled.
    pub(super) fn gather<'a>(&'a self, pool: &'a Pool, slices: &mut [IoSlice<'a>; WRITE_PIECES]) -> usize {
        let (mut room, mut filled) = (WRITE_BYTES, 0);
        for piece in &self.pieces {
            let mut left = usize::try_from(piece.len).unwrap_or(usize::MAX);
            let mut source = piece.source;
            while left > 0 && room > 0 && filled < slices.len() {
                let most = left.min(room);
                let slice = match source {
                    Source::Text(at) => self.text.get(at..at.saturating_add(most)).unwrap_or_default(),
                    Source::Pool(at) => pool.slice(at, most),
                };
                if slice.is_empty() {
                    return filled;
                }
                source = source.after(slice.len());
                (left, room) = (left - slice.len(), room - slice.len());
                slices[filled] = IoSlice::new(slice);
                filled += 1;
            }
        }
        filled
    }

    /// Takes the first `sent` bytes off the queue; returns how many of them were payload.
    pub(super) fn advance(&mut self, sent: usize) -> u64 {
        let (mut left, mut payload) = (sent as u64, 0);
        while left > 0
            && let Some(piece) = self.pieces.front_mut()
        {
            let part = left.min(piece.len);
            let head = part.min(piece.head);
            payload += part - head;
            piece.head -= head;
            piece.len -= part;
            piece.source = piece.source.after(usize::try_from(part).unwrap_or(usize::MAX));
            left -= part;
            if piece.len == 0 {
                self.pieces.pop_front();
            }
        }
        self.bytes = self.bytes.saturating_sub(sent as u64);
        if self.pieces.is_empty() {
            self.text.clear();
            // A long document should not hold its memory for as long as the connection lives.
            self.text.shrink_to(WRITE_BYTES);
        }
        payload
    }

    fn document(&mut self, status: &str, kind: &str, fields: &str, head: &Head, body: &[u8]) {
        let start = self.begin(status, kind, body.len() as u64, fields, head);
        if !head.head_only {
            self.text.extend_from_slice(body);
        }
        let len = (self.text.len() - start) as u64;
        self.push(Source::Text(start), len, len);
    }

    /// Writes a head; returns where it begins.
    fn begin(&mut self, status: &str, kind: &str, length: u64, fields: &str, head: &Head) -> usize {
        let start = self.text.len();
        // Writing to memory does not fail.
        let _ = write!(
            self.text,
            "HTTP/1.1 {status}\r\nContent-Length: {length}\r\nContent-Type: {kind}\r\n\
             Cache-Control: no-store, no-transform\r\n{SERVER_TIME_HEADER}: {}\r\n",
            head.server_time,
        );
        if let Some(run) = head.run {
            let _ = write!(self.text, "{RUN_HEADER}: {run}\r\n");
        }
        let close = if head.close { "Connection: close\r\n" } else { "" };
        let _ = write!(self.text, "{fields}{close}\r\n");
        start
    }

    fn push(&mut self, source: Source, len: u64, head: u64) {
        if len > 0 {
            self.bytes = self.bytes.saturating_add(len);
            self.pieces.push_back(Piece { source, len, head });
        }
    }
}

const TEXT: &str = "text/plain; charset=utf-8";

impl Source {
    const fn after(self, bytes: usize) -> Self {
        match self {
            Self::Text(at) => Self::Text(at.saturating_add(bytes)),
            // The pool wraps by itself; the sum stays far below the top because a write is short.
            Self::Pool(at) => Self::Pool(at.wrapping_add(bytes) % Pool::LEN),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: Head = Head { run: None, server_time: 5, close: false, head_only: false };

    /// Sends everything in writes of at most `most` bytes.
    fn drain(outgoing: &mut Outgoing, pool: &Pool, most: usize) -> (Vec<u8>, u64) {
        let (mut sent, mut payload) = (Vec::new(), 0);
        while !outgoing.is_empty() {
            let mut slices = [IoSlice::new(&[]); WRITE_PIECES];
            let filled = outgoing.gather(pool, &mut slices);
            let all: Vec<u8> = slices[..filled].iter().flat_map(|slice| slice.iter().copied()).collect();
            assert!((1..=WRITE_BYTES).contains(&all.len()));
            let taken = all.len().min(most);
            sent.extend_from_slice(&all[..taken]);
            payload += outgoing.advance(taken);
        }
        (sent, payload)
    }

    #[test]
    fn payload_is_counted_without_its_head_however_it_is_cut() {
        let pool = Pool::new().unwrap();
        for most in [1, 7, 1000, usize::MAX] {
            let mut outgoing = Outgoing::default();
            let mut cursor = pool.cursor();
            for size in [0, 1, 15, 16, 17, 2500] {
                outgoing.payload(&HEAD, size, &mut cursor);
            }
            outgoing.json(&HEAD, b"{}");
            let (sent, payload) = drain(&mut outgoing, &pool, most);
            assert_eq!(payload, 1 + 15 + 16 + 17 + 2500, "cut at {most}");
            assert!(sent.ends_with(b"\r\n\r\n{}"));
        }
    }

    #[test]
    fn a_reply_longer_than_the_pool_goes_round_it() {
        let pool = Pool::new().unwrap();
        let size = 2 * Pool::LEN + 12_345;
        let mut outgoing = Outgoing::default();
        outgoing.payload(&HEAD, size as u64, &mut pool.cursor());
        let (sent, payload) = drain(&mut outgoing, &pool, usize::MAX);
        assert_eq!(payload, size as u64);
        let body = &sent[sent.len() - size + NONCE_BYTES..];
        assert_eq!(body[..1000], body[Pool::LEN..Pool::LEN + 1000]);
    }

    #[test]
    fn a_queue_is_full_before_a_write_is() {
        let pool = Pool::new().unwrap();
        let (mut outgoing, mut cursor) = (Outgoing::default(), pool.cursor());
        let mut replies = 0;
        while !outgoing.is_full() {
            outgoing.payload(&HEAD, 100, &mut cursor);
            replies += 1;
        }
        // Two pieces a reply, 64 a write.
        assert_eq!(replies, 32);
        let mut slices = [IoSlice::new(&[]); WRITE_PIECES];
        let filled = outgoing.gather(&pool, &mut slices);
        let all: usize = slices[..filled].iter().map(|slice| slice.len()).sum();
        assert!(filled >= 63 && all > 32 * 100);
    }

    #[test]
    fn every_refusal_is_a_reply_that_names_its_cure() {
        let pool = Pool::new().unwrap();
        let mut outgoing = Outgoing::default();
        outgoing.refusal(&HEAD, Refusal::TooManyBytes, 1000);
        let (sent, payload) = drain(&mut outgoing, &pool, usize::MAX);
        let text = String::from_utf8(sent).unwrap();
        assert!(text.starts_with("HTTP/1.1 413 ") && text.contains("at most 1000 bytes"), "{text}");
        assert_eq!(payload, 0);
    }
}
