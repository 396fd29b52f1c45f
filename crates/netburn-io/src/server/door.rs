//! The door: where connections go that are not for the server.
//!
//! A client that speaks TLS wants whoever started the server, not the server. Its connection is handed over as it is, with
//! what has come on it so far, through a Unix-domain socket (`SCM_RIGHTS`, unix(7)), and forgotten here. The kernel holds few of
//! them at once; one that finds no room, or nobody at the other end, is closed.

use std::io::{self, IoSlice, IoSliceMut};
use std::net::TcpStream;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};
use std::sync::Arc;

use nix::errno::Errno;
use nix::sys::socket::{
    AddressFamily, ControlMessage, ControlMessageOwned, MsgFlags, SockFlag, SockType, recvmsg, sendmsg, socketpair,
};
use tokio::io::Interest;
use tokio::net::UnixDatagram;

/// The first byte of a TLS connection: a record of the handshake (RFC 8446 §5.1). No HTTP request begins with it.
pub(super) const TLS_HANDSHAKE: u8 = 0x16;
/// The most bytes that a connection may bring with it. A first TLS record has at most 16 KiB and its head.
const MOST_BEGUN: usize = 32 << 10;

/// The server's side of a door.
#[derive(Clone, Debug)]
pub struct Door(Arc<OwnedFd>);

/// The side of whoever takes what is not for the server.
#[derive(Debug)]
pub struct DoorKeeper(UnixDatagram);

/// A connection that came through a door.
#[derive(Debug)]
pub struct Taken {
    /// The connection, non-blocking.
    pub stream: TcpStream,
    /// What was read of it already.
    pub begun: Vec<u8>,
}

impl Door {
    /// A door whose other side is a [`DoorKeeper`].
    #[must_use]
    pub fn new(socket: OwnedFd) -> Self {
        Self(Arc::new(socket))
    }

    /// Hands a connection over with what has come on it, never waiting.
    ///
    /// # Errors
    /// Where there is no room for it, or nobody takes it.
    pub(super) fn hand_over(&self, stream: &impl AsRawFd, begun: &[u8]) -> io::Result<()> {
        if begun.is_empty() || begun.len() > MOST_BEGUN {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        let rights = [stream.as_raw_fd()];
        let message = [ControlMessage::ScmRights(&rights)];
        let flags = MsgFlags::MSG_DONTWAIT | MsgFlags::MSG_NOSIGNAL;
        sendmsg::<()>(self.0.as_raw_fd(), &[IoSlice::new(begun)], &message, flags, None)?;
        Ok(())
    }
}

impl DoorKeeper {
    /// A door: the side to keep, and the other one for the server. That one may serve as the server's stdin, too: it ends
    /// when this side is dropped.
    ///
    /// # Errors
    /// Where the system has no more file descriptors; and outside of a tokio runtime.
    pub fn pair() -> io::Result<(Self, OwnedFd)> {
        // Packets, so that each connection comes with its own bytes; and the other side's end shows, as with streams.
        let (near, far) = socketpair(AddressFamily::Unix, SockType::SeqPacket, None, SockFlag::SOCK_CLOEXEC)?;
        socket2::SockRef::from(&near).set_nonblocking(true)?;
        let _runtime = tokio::runtime::Handle::try_current().map_err(io::Error::other)?;
        // The type only waits for it to be readable; what is read is our own affair.
        Ok((Self(UnixDatagram::from_std(near.into())?), far))
    }

    /// The next connection; `None` when the server is gone.
    ///
    /// # Errors
    /// Where one could not be taken, as when the system has no more file descriptors. Others may follow.
    pub async fn next(&self) -> io::Result<Option<Taken>> {
        let socket = self.0.as_raw_fd();
        self.0.async_io(Interest::READABLE, || Ok(take(socket)?)).await
    }
}

/// Takes what waits at the door.
fn take(socket: RawFd) -> Result<Option<Taken>, Errno> {
    let mut begun = vec![0; MOST_BEGUN];
    let mut control = nix::cmsg_space!(RawFd);
    let mut pieces = [IoSliceMut::new(&mut begun)];
    let message = recvmsg::<()>(socket, &mut pieces, Some(&mut control), MsgFlags::MSG_CMSG_CLOEXEC)?;
    let bytes = message.bytes;
    let mut streams: Vec<TcpStream> = message
        .cmsgs()?
        .filter_map(|message| match message {
            ControlMessageOwned::ScmRights(descriptors) => Some(descriptors),
            _ => None,
        })
        .flatten()
        .map(own)
        .collect();
    match streams.pop() {
        None if bytes == 0 => Ok(None),
        // Without room for another file, the kernel leaves the descriptor out.
        None => Err(Errno::EMFILE),
        Some(stream) => {
            begun.truncate(bytes);
            Ok(Some(Taken { stream, begun }))
        }
    }
}

fn own(descriptor: RawFd) -> TcpStream {
    // SAFETY: the kernel has just made this descriptor for us with the message that carried it, so that nobody
    // else knows of it.
    #[expect(unsafe_code, reason = "the wrapper hands received descriptors out as plain numbers")]
    let owned = unsafe { OwnedFd::from_raw_fd(descriptor) };
    owned.into()
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;

    use super::*;

    fn connection() -> (TcpStream, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        (near, listener.accept().unwrap().0)
    }

    #[tokio::test]
    async fn a_connection_comes_through_with_what_was_read_of_it_and_lives_on() {
        let (keeper, far) = DoorKeeper::pair().unwrap();
        let door = Door::new(far);
        let (mut client, accepted) = connection();
        door.hand_over(&accepted, b"\x16abc").unwrap();
        drop(accepted);
        let mut taken = keeper.next().await.unwrap().unwrap();
        assert_eq!(taken.begun, b"\x16abc");
        taken.stream.write_all(b"hello").unwrap();
        drop(taken);
        let mut heard = String::new();
        client.read_to_string(&mut heard).unwrap();
        assert_eq!(heard, "hello", "and it closes when its taker closes it");
    }

    #[tokio::test]
    async fn the_keeper_sees_that_the_server_is_gone_and_the_server_that_the_keeper_is() {
        let (keeper, far) = DoorKeeper::pair().unwrap();
        drop(Door::new(far));
        assert!(keeper.next().await.unwrap().is_none());
        let (keeper, far) = DoorKeeper::pair().unwrap();
        let door = Door::new(far);
        drop(keeper);
        assert!(door.hand_over(&connection().1, b"\x16").is_err());
    }

    #[tokio::test]
    async fn a_door_that_nobody_minds_holds_few_connections() {
        let (keeper, far) = DoorKeeper::pair().unwrap();
        let door = Door::new(far);
        let (_client, accepted) = connection();
        let held = (0..100_000).take_while(|_| door.hand_over(&accepted, &[0x16; 600]).is_ok()).count();
        assert!((16..2000).contains(&held), "{held}");
        for _ in 0..held {
            assert!(keeper.next().await.unwrap().is_some());
        }
        assert!(door.hand_over(&accepted, b"\x16").is_ok(), "there is room again");
    }
}
