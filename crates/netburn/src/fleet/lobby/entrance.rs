//! Where connections to the lobby come from.

use std::io;
use std::net::{Ipv6Addr, SocketAddr};
use std::time::Duration;

use netburn_io::server::DoorKeeper;
use tokio::io::{AsyncReadExt, Chain, Join, join};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};

use super::LobbyError;

/// The port of a lobby that has one of its own.
const PORT: u16 = 4041;
/// How long accepting rests when the system has no more file descriptors.
const REST: Duration = Duration::from_millis(50);

/// How devices reach the lobby.
#[derive(Debug)]
pub enum WayIn {
    /// By the port of our own server, which hands over what begins with TLS.
    Door(DoorKeeper),
    /// By a port of its own, where the server is somebody else's.
    Port(TcpListener),
}

impl WayIn {
    /// A port of its own: the one asked for, or else 4041 where that is free, or else any.
    ///
    /// # Errors
    /// Where that cannot be had.
    pub async fn listen(wanted: Option<SocketAddr>) -> Result<Self, LobbyError> {
        let any = |port| SocketAddr::from((Ipv6Addr::UNSPECIFIED, port));
        let address = wanted.unwrap_or(any(PORT));
        let listener = match (TcpListener::bind(address).await, wanted) {
            (Err(_), None) => TcpListener::bind(any(0)).await,
            (listener, _) => listener,
        };
        listener.map(Self::Port).map_err(|source| LobbyError::Listen { address, source })
    }

    /// The port, where it has one of its own.
    #[must_use]
    pub fn port(&self) -> Option<u16> {
        match self {
            Self::Door(_) => None,
            Self::Port(listener) => listener.local_addr().ok().map(|address| address.port()),
        }
    }

    /// The next connection; `None` where no other can come.
    pub(super) async fn next(&self) -> Option<Knock> {
        loop {
            let knock = match self {
                Self::Door(door) => match door.next().await {
                    Ok(None) => return None,
                    Ok(Some(taken)) => TcpStream::from_std(taken.stream).map(|stream| (stream, taken.begun)),
                    Err(error) => Err(error),
                },
                Self::Port(listener) => listener.accept().await.map(|(stream, _)| (stream, Vec::new())),
            };
            match knock.and_then(|(stream, begun)| Knock::new(stream, begun)) {
                Ok(knock) => return Some(knock),
                // Of one connection, or for want of files: others may follow.
                Err(_) => tokio::time::sleep(REST).await,
            }
        }
    }
}

/// A connection's bytes, what was read before included.
pub(super) type Stream = Join<Chain<io::Cursor<Vec<u8>>, OwnedReadHalf>, OwnedWriteHalf>;

/// Somebody is at the door.
#[derive(Debug)]
pub(super) struct Knock {
    pub(super) from: SocketAddr,
    pub(super) stream: Stream,
}

impl Knock {
    fn new(stream: TcpStream, begun: Vec<u8>) -> io::Result<Self> {
        let from = stream.peer_addr()?;
        // Messages are small and answered at once: waiting to fill a segment would delay every comparison of clocks.
        stream.set_nodelay(true)?;
        let (read, write) = stream.into_split();
        Ok(Self { from, stream: join(io::Cursor::new(begun).chain(read), write) })
    }
}
