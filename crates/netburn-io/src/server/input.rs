//! The bytes of one connection that were read and not yet answered, and when they arrived.

use tokio::time::Instant;

use super::arrival::Arrivals;

/// Requests that were read.
#[derive(Debug)]
pub(super) struct Input {
    buffer: Vec<u8>,
    begin: usize,
    end: usize,
    /// Where the last read began, and when its bytes arrived.
    read_from: usize,
    arrivals: Arrivals,
    /// When an incomplete request began.
    pub(super) partial_since: Option<Instant>,
}

impl Input {
    pub(super) fn with_room(bytes: usize) -> Self {
        Self {
            buffer: vec![0; bytes],
            begin: 0,
            end: 0,
            read_from: 0,
            arrivals: Arrivals::default(),
            partial_since: None,
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        self.buffer.get(self.begin..self.end).unwrap_or_default()
    }

    /// Takes a request off; returns when it arrived.
    ///
    /// Bytes are read only when no whole request is left, so every request ends in the latest read.
    pub(super) fn consume(&mut self, len: usize) -> u64 {
        self.begin += len;
        self.partial_since = None;
        self.arrivals.at(self.begin.saturating_sub(self.read_from))
    }

    pub(super) fn make_room(&mut self) {
        self.buffer.copy_within(self.begin..self.end, 0);
        self.end -= self.begin;
        self.begin = 0;
    }

    pub(super) fn room(&mut self) -> &mut [u8] {
        self.buffer.get_mut(self.end..).unwrap_or_default()
    }

    pub(super) fn filled(&mut self, len: usize, arrivals: Arrivals) {
        self.read_from = self.end;
        self.end += len;
        self.arrivals = arrivals;
    }
}
