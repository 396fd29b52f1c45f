//! A generic netlink socket: requests and their answers, or news of a group.

use std::io::{self, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::socket::{
    AddressFamily, MsgFlags, NetlinkAddr, SockFlag, SockProtocol, SockType, bind, recvmsg, sendto, setsockopt, socket,
};

use crate::WifiError;
use crate::netlink::{Message, Messages, Request};

/// The kernel answers while the request is handed over; a driver may take a while to ask its radio.
const PATIENCE: Duration = Duration::from_secs(2);
/// The kernel sends answers in parts of at most 32 KiB, however large a buffer is offered.
const DATAGRAM: usize = 64 << 10;

nix::setsockopt_impl!(
    AddMembership,
    libc::SOL_NETLINK,
    libc::NETLINK_ADD_MEMBERSHIP,
    usize,
    nix::sys::socket::sockopt::SetUsize
);

/// `NETLINK_ADD_MEMBERSHIP`: hear a group. Binding to a mask of groups reaches only the first 32.
#[derive(Clone, Copy, Debug)]
struct AddMembership;

/// Why a request had no answer.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The kernel said no.
    Kernel(io::Error),
    /// The socket did.
    Socket(io::Error),
    /// An answer was larger than any that the kernel sends.
    Truncated,
}

impl Refusal {
    pub(super) fn into_error(self, doing: &'static str) -> WifiError {
        match self {
            Self::Kernel(error) | Self::Socket(error) => WifiError::system(doing, error),
            Self::Truncated => WifiError::Malformed { what: "it is longer than answers are" },
        }
    }
}

impl From<Errno> for Refusal {
    fn from(errno: Errno) -> Self {
        Self::Socket(errno.into())
    }
}

/// A socket of this process's own with the kernel's generic netlink.
#[derive(Debug)]
pub(super) struct Socket {
    fd: OwnedFd,
    sequence: u32,
    buffer: Vec<u8>,
}

impl Socket {
    pub(super) fn open() -> Result<Self, WifiError> {
        let flags = SockFlag::SOCK_CLOEXEC | SockFlag::SOCK_NONBLOCK;
        let doing = "open a netlink socket";
        let fd = socket(AddressFamily::Netlink, SockType::Raw, flags, SockProtocol::NetlinkGeneric)
            .map_err(|errno| WifiError::system(doing, errno))?;
        bind(fd.as_raw_fd(), &NetlinkAddr::new(0, 0)).map_err(|errno| WifiError::system(doing, errno))?;
        Ok(Self { fd, sequence: 0, buffer: vec![0; DATAGRAM] })
    }

    pub(super) fn join(&self, group: u32) -> Result<(), WifiError> {
        let doing = "listen to what happens to Wi-Fi connections";
        // nix hands a `usize` over as the C integer that the kernel wants.
        let group =
            usize::try_from(group).map_err(|_| WifiError::Malformed { what: "a group's number is too large" })?;
        setsockopt(&self.fd, AddMembership, &group).map_err(|errno| WifiError::system(doing, errno))
    }

    /// Sends a request and hands every message of its answer to `each`. Returns whether what was listed changed meanwhile.
    pub(super) fn ask(&mut self, request: &Request, mut each: impl FnMut(Message<'_>)) -> Result<bool, Refusal> {
        self.sequence = self.sequence.wrapping_add(1);
        let expected = self.sequence;
        sendto(self.fd.as_raw_fd(), &request.with_sequence(expected), &NetlinkAddr::new(0, 0), MsgFlags::empty())?;
        let deadline = Instant::now() + PATIENCE;
        let mut changed = false;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if !self.wait(left)? {
                return Err(Refusal::Socket(io::ErrorKind::TimedOut.into()));
            }
            let Some(datagram) = self.receive()? else { continue };
            for message in Messages::new(datagram) {
                match message {
                    Message::Ended { sequence, error } if sequence == expected => {
                        return error.map_or(Ok(changed), |number| Err(Refusal::Kernel(Message::system_error(number))));
                    }
                    Message::Generic { sequence, interrupted, .. } if sequence == expected => {
                        changed |= interrupted;
                        each(message);
                    }
                    // Of an earlier request whose answer came too late.
                    Message::Ended { .. } | Message::Generic { .. } => {}
                }
            }
        }
    }

    /// Whether something can be received, within `timeout`.
    pub(super) fn wait(&self, timeout: Duration) -> Result<bool, Errno> {
        let deadline = Instant::now() + timeout;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            // In whole milliseconds, rounded up: rounded down, the last one would be spun away.
            let millis = i32::try_from(left.as_micros().div_ceil(1_000)).unwrap_or(i32::MAX);
            let timeout = PollTimeout::try_from(millis).unwrap_or(PollTimeout::MAX);
            match poll(&mut [PollFd::new(self.fd.as_fd(), PollFlags::POLLIN)], timeout) {
                Ok(ready) => return Ok(ready > 0),
                Err(Errno::EINTR) => {}
                Err(errno) => return Err(errno),
            }
        }
    }

    /// The next datagram from the kernel; `None` where there is none now, or another process sent it: any may.
    pub(super) fn receive(&mut self) -> Result<Option<&[u8]>, Refusal> {
        let mut slices = [IoSliceMut::new(&mut self.buffer)];
        let received = match recvmsg::<NetlinkAddr>(self.fd.as_raw_fd(), &mut slices, None, MsgFlags::empty()) {
            Ok(received) => received,
            Err(Errno::EAGAIN | Errno::EINTR) => return Ok(None),
            Err(errno) => return Err(errno.into()),
        };
        let from_kernel = received.address.is_some_and(|address| address.pid() == 0);
        let truncated = received.flags.contains(MsgFlags::MSG_TRUNC);
        let length = received.bytes;
        if truncated {
            return Err(Refusal::Truncated);
        }
        Ok(self.buffer.get(..length).filter(|_| from_kernel))
    }
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}
