//! Messages: what a datagram from the kernel holds.

use std::io;

use super::{Attributes, split_padded};

/// Octets of `struct nlmsghdr`: length (4), type (2), flags (2), sequence (4), port (4).
const HEADER: usize = 16;
/// Octets of `struct genlmsghdr`: command, version, two reserved.
const GENERIC_HEADER: usize = 4;
/// `NLMSG_NOOP`: says nothing.
const NOOP: u16 = 1;
/// `NLMSG_ERROR`: the request failed, or (with 0) was done.
const ERROR: u16 = 2;
/// `NLMSG_DONE`: the end of an answer in several parts.
const DONE: u16 = 3;
/// `NLM_F_DUMP_INTR`: what is listed changed meanwhile, so that the list may not agree with itself.
const INTERRUPTED: u16 = 0x10;

/// One message of the kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Message<'a> {
    /// An answer, or news: of a family, about something.
    Generic {
        /// The number that the family has on this machine.
        family: u16,
        /// What it is about (`NL80211_CMD_…`).
        command: u8,
        /// Which request it answers; 0 for news.
        sequence: u32,
        /// Whether the list that it is part of changed while it was sent.
        interrupted: bool,
        /// What it says.
        attributes: Attributes<'a>,
    },
    /// How a request ended: `None` where it was done.
    Ended {
        /// Which request.
        sequence: u32,
        /// Why it failed, as the system's error number.
        error: Option<i32>,
    },
}

impl Message<'_> {
    /// The error that the system has under that number.
    pub(crate) fn system_error(number: i32) -> io::Error {
        io::Error::from_raw_os_error(number)
    }
}

/// The messages of one datagram, in order. After a broken one nothing can be told.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Messages<'a>(&'a [u8]);

impl<'a> Messages<'a> {
    pub(crate) const fn new(datagram: &'a [u8]) -> Self {
        Self(datagram)
    }

    /// Takes the next message off; `Some(None)` where it is of a kind that says nothing to us.
    fn take(&mut self) -> Option<Option<Message<'a>>> {
        let (length, rest) = self.0.split_first_chunk::<4>()?;
        let (kind, rest) = rest.split_first_chunk::<2>()?;
        let (flags, rest) = rest.split_first_chunk::<2>()?;
        let (sequence, _) = rest.split_first_chunk::<4>()?;
        let length = usize::try_from(u32::from_ne_bytes(*length)).ok()?;
        let (whole, rest) = split_padded(self.0, length)?;
        let payload = whole.get(HEADER..)?;
        self.0 = rest;
        let sequence = u32::from_ne_bytes(*sequence);
        let interrupted = u16::from_ne_bytes(*flags) & INTERRUPTED != 0;
        Some(read(u16::from_ne_bytes(*kind), sequence, interrupted, payload))
    }
}

impl<'a> Iterator for Messages<'a> {
    type Item = Message<'a>;

    fn next(&mut self) -> Option<Message<'a>> {
        loop {
            let Some(taken) = self.take() else {
                self.0 = &[];
                return None;
            };
            if taken.is_some() {
                return taken;
            }
        }
    }
}

fn read(kind: u16, sequence: u32, interrupted: bool, payload: &[u8]) -> Option<Message<'_>> {
    match kind {
        NOOP => None,
        // Both begin with an int: zero or a negated error number.
        ERROR | DONE => {
            let number = payload.first_chunk::<4>().map_or(0, |number| i32::from_ne_bytes(*number));
            let error = (number < 0).then(|| number.saturating_neg());
            Some(Message::Ended { sequence, error })
        }
        family => {
            let (&[command, ..], attributes) = payload.split_first_chunk::<GENERIC_HEADER>()?;
            let attributes = Attributes::new(attributes);
            Some(Message::Generic { family, command, sequence, interrupted, attributes })
        }
    }
}
