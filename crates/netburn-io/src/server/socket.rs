//! One connection's socket: reads with the kernel's receive stamps, writes of several pieces at once.
//!
//! Another transport (TLS, HTTP/2) would give the same three calls to [`super::connection`]; TLS would stamp the record
//! that ends a request.

use std::io::{self, IoSlice, IoSliceMut};
use std::os::fd::AsRawFd;
use std::sync::Arc;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::socket::{ControlMessageOwned, MsgFlags, recvmsg};
use nix::sys::time::TimeSpec;
use tokio::io::Interest;
use tokio::net::TcpStream;

use super::arrival::Read;
use super::clock::{Clock, wall_now};

/// A connection's socket.
#[derive(Debug)]
pub(super) struct Socket {
    stream: Arc<TcpStream>,
    clock: Clock,
    /// When there was last nothing to read; before the first read, when the listener last had no connection.
    empty_at: u64,
    /// Room for the kernel's stamp.
    control: Vec<u8>,
}

impl Socket {
    pub(super) fn new(stream: TcpStream, clock: Clock, empty_at: u64) -> Self {
        Self { stream: Arc::new(stream), clock, empty_at, control: nix::cmsg_space!(TimeSpec) }
    }

    /// The socket itself, for who asks the kernel about it.
    pub(super) const fn stream(&self) -> &Arc<TcpStream> {
        &self.stream
    }

    /// Waits for bytes; a read of no bytes is the end of what the peer sends.
    pub(super) async fn receive(&mut self, buffer: &mut [u8]) -> io::Result<Read> {
        let Self { stream, clock, empty_at, control } = self;
        let fd = stream.as_raw_fd();
        stream
            .async_io(Interest::READABLE, || {
                let before = clock.now();
                loop {
                    return match receive_stamped(fd, buffer, control) {
                        Ok((len, stamp)) => {
                            let age = stamp.and_then(|stamp| Some(wall_now()? - stamp));
                            Ok(Read { len, at: clock.now(), age, empty_at: *empty_at })
                        }
                        Err(Errno::EINTR) => continue,
                        Err(Errno::EAGAIN) => {
                            *empty_at = before;
                            Err(io::ErrorKind::WouldBlock.into())
                        }
                        Err(errno) => Err(errno.into()),
                    };
                }
            })
            .await
    }

    /// Hands over what the kernel takes at once of the pieces, in one call.
    ///
    /// # Errors
    /// `WouldBlock` where it takes nothing now.
    pub(super) fn send(&self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        match pieces {
            [one] => self.stream.try_write(one),
            several => self.stream.try_write_vectored(several),
        }
    }

    /// Waits until the kernel may take more.
    pub(super) async fn writable(&self) -> io::Result<()> {
        self.stream.writable().await
    }

    /// Closes at once and forgets what was not yet delivered, so that a peer that does not read holds no memory.
    pub(super) fn reset(self) {
        let _ = socket2::SockRef::from(&*self.stream).set_linger(Some(Duration::ZERO));
    }

    /// Says that no more will come, then takes in what the peer is still sending, for a while. A socket that is closed
    /// with unread bytes is reset by the kernel, and the peer might lose the reply that tells it why (RFC 9112 §9.6).
    pub(super) async fn close_after_last_words(mut self) {
        const PATIENCE: Duration = Duration::from_secs(1);
        const MOST_READS: usize = 64;
        if socket2::SockRef::from(&*self.stream).shutdown(std::net::Shutdown::Write).is_err() {
            return;
        }
        let mut sink = [0; 4096];
        let _ = tokio::time::timeout(PATIENCE, async {
            for _ in 0..MOST_READS {
                if !matches!(self.receive(&mut sink).await, Ok(Read { len: 1.., .. })) {
                    break;
                }
            }
        })
        .await;
    }
}

/// Reads what is there, with the wall time in nanoseconds at which the last of it arrived.
fn receive_stamped(fd: i32, buffer: &mut [u8], control: &mut [u8]) -> nix::Result<(usize, Option<i128>)> {
    let mut pieces = [IoSliceMut::new(buffer)];
    let message = recvmsg::<()>(fd, &mut pieces, Some(control), MsgFlags::MSG_DONTWAIT)?;
    let stamp = message.cmsgs().ok().and_then(|mut messages| {
        messages.find_map(|message| match message {
            ControlMessageOwned::ScmTimestampns(at) => {
                Some(i128::from(at.tv_sec()) * 1_000_000_000 + i128::from(at.tv_nsec()))
            }
            _ => None,
        })
    });
    Ok((message.bytes, stamp))
}
