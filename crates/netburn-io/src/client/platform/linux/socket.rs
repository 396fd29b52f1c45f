//! Reads that copy no payload and tell when it arrived.

use std::io::{self, IoSliceMut};
use std::os::fd::{AsFd, AsRawFd};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg, setsockopt, sockopt};
use nix::sys::time::TimeSpec;
use nix::time::ClockId;

use super::clock;

/// Bytes that are discarded in one call at most: larger and smaller lengths were slower on loopback.
pub(crate) const DISCARD_BYTES: u64 = 256 * 1024;

/// What one read gave.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Received {
    /// How many bytes; 0 means that the other end has closed.
    pub(crate) bytes: usize,
    /// How long the last of them had lain in the kernel, by the wall clock; `None` where the kernel does not say or
    /// the wall clock was stepped back meanwhile.
    pub(crate) waited: Option<Duration>,
}

/// Reads from non-blocking sockets.
#[derive(Debug)]
pub(crate) struct Receiver {
    /// Where discarded payload would go. The kernel never writes to it, so it takes address space but no memory.
    nowhere: Vec<u8>,
    control: Vec<u8>,
}

impl Receiver {
    pub(crate) fn new() -> Self {
        Self {
            nowhere: vec![0; usize::try_from(DISCARD_BYTES).unwrap_or_default()],
            control: nix::cmsg_space!(TimeSpec),
        }
    }

    /// Reads into `buffer`, with the stamp of what was read.
    pub(crate) fn read(&mut self, socket: &impl AsFd, buffer: &mut [u8]) -> io::Result<Received> {
        let fd = socket.as_fd().as_raw_fd();
        stamped(fd, buffer, &mut self.control, MsgFlags::MSG_DONTWAIT)
    }

    /// Drops up to `most` bytes in the kernel, uncopied: tcp(7), `MSG_TRUNC`.
    pub(crate) fn discard(&mut self, socket: &impl AsFd, most: u64) -> io::Result<Received> {
        let length = usize::try_from(most.min(DISCARD_BYTES)).unwrap_or_default();
        let nowhere = self.nowhere.get_mut(..length).unwrap_or_default();
        let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_TRUNC;
        stamped(socket.as_fd().as_raw_fd(), nowhere, &mut self.control, flags)
    }
}

/// One read. The stamp costs nothing that could be measured, even in bulk.
fn stamped(fd: i32, buffer: &mut [u8], control: &mut [u8], flags: MsgFlags) -> io::Result<Received> {
    loop {
        let mut slices = [IoSliceMut::new(buffer)];
        match recvmsg::<()>(fd, &mut slices, Some(control), flags) {
            Err(Errno::EINTR) => {}
            Err(error) => return Err(error.into()),
            Ok(message) => {
                let stamp = message.cmsgs().ok().and_then(|mut all| {
                    all.find_map(|one| match one {
                        ControlMessageOwned::ScmTimestampns(at) => Some(Duration::from(at)),
                        _ => None,
                    })
                });
                let waited =
                    stamp.and_then(|stamp| Duration::from_nanos(clock(ClockId::CLOCK_REALTIME)).checked_sub(stamp));
                return Ok(Received { bytes: message.bytes, waited });
            }
        }
    }
}

/// Asks the kernel to stamp what arrives on a socket. Where it cannot, reads have no stamp; and the first socket of the
/// machine to ask gets none for a few milliseconds, because the kernel switches stamping on in the background.
pub(crate) fn stamp_arrivals(socket: &impl AsFd) {
    let _ = setsockopt(socket, sockopt::ReceiveTimestampns, &true);
}

/// Hands bytes to the kernel; how many it took. A broken connection is an error, not a signal.
pub(crate) fn send(socket: &impl AsFd, bytes: &[u8]) -> io::Result<usize> {
    loop {
        let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_NOSIGNAL;
        match nix::sys::socket::send(socket.as_fd().as_raw_fd(), bytes, flags) {
            Err(Errno::EINTR) => {}
            other => return Ok(other?),
        }
    }
}

/// Whether a socket could not be had because of limits of this host: descriptors, memory, local ports, watches.
pub(crate) fn is_lack_of_sockets(error: &io::Error) -> bool {
    let lacks = [Errno::EMFILE, Errno::ENFILE, Errno::ENOBUFS, Errno::ENOMEM, Errno::EADDRNOTAVAIL, Errno::ENOSPC];
    error.raw_os_error().is_some_and(|code| lacks.contains(&Errno::from_raw(code)))
}
