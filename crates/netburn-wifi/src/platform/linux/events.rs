//! Listening: what happens to an interface's connection, as it happens.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use super::socket::{Refusal, Socket};
use super::{describe, index_of, nl80211};
use crate::netlink::{Message, Messages};
use crate::nl80211::{event, numbers};
use crate::{Event, WifiError};

/// News of one Wi-Fi interface. Needs no privilege. Its descriptor becomes readable when there may be news, for whoever
/// waits for several things at once.
#[derive(Debug)]
pub struct Events {
    socket: Socket,
    family: u16,
    index: u32,
    heard: VecDeque<Event>,
}

impl Events {
    /// Begins to listen. What happens from now on is heard, also while nobody waits for it.
    ///
    /// # Errors
    /// As [`Radio::open`](super::Radio::open).
    pub fn open(interface: &str) -> Result<Self, WifiError> {
        let index = index_of(interface)?;
        let mut socket = Socket::open()?;
        let family = nl80211(&mut socket)?;
        describe(&mut socket, family.id, index, interface)?;
        let group = family.group(numbers::GROUP_MLME);
        socket.join(group.ok_or(WifiError::Malformed { what: "nl80211 has no group for news of connections" })?)?;
        Ok(Self { socket, family: family.id, index, heard: VecDeque::new() })
    }

    /// The next event, waited for up to `timeout`; `None` where nothing happened in that time.
    ///
    /// # Errors
    /// [`WifiError::System`] where the kernel cannot be listened to any more.
    pub fn wait(&mut self, timeout: Duration) -> Result<Option<Event>, WifiError> {
        let deadline = Instant::now() + timeout;
        loop {
            if let Some(event) = self.next()? {
                return Ok(Some(event));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let ready = self.socket.wait(left).map_err(|errno| WifiError::system(LISTEN, errno))?;
            if !ready {
                return Ok(None);
            }
        }
    }

    /// The next event that was heard already; never waits.
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    #[expect(clippy::should_implement_trait, reason = "an iterator that ends may begin again here: none is promised")]
    pub fn next(&mut self) -> Result<Option<Event>, WifiError> {
        if self.heard.is_empty() {
            match self.socket.receive() {
                Ok(datagram) => {
                    let messages = Messages::new(datagram.unwrap_or_default());
                    self.heard.extend(messages.filter_map(|message| match message {
                        Message::Generic { family, command, attributes, .. } if family == self.family => {
                            event(command, attributes, self.index)
                        }
                        Message::Generic { .. } | Message::Ended { .. } => None,
                    }));
                }
                // The socket's buffer was full, and the kernel dropped news.
                Err(Refusal::Socket(error)) if is_overrun(&error) => self.heard.push_back(Event::Missed),
                Err(refusal) => return Err(refusal.into_error(LISTEN)),
            }
        }
        Ok(self.heard.pop_front())
    }
}

const LISTEN: &str = "listen to what happens to the Wi-Fi connection";

fn is_overrun(error: &io::Error) -> bool {
    error.raw_os_error() == Some(libc::ENOBUFS)
}

impl AsFd for Events {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
