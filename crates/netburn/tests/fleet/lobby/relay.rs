//! A network between a device and its lobby that fails when the test says so.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use super::support::ANY_PORT;

/// What the network does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Network {
    /// It carries everything.
    Works,
    /// It carries nothing, and loses nothing.
    Stalls,
    /// Every connection is gone; new ones come to nothing, but nobody says so.
    IsCut,
}

/// A relay of TCP connections.
pub(crate) struct Relay {
    pub(crate) address: SocketAddr,
    network: watch::Sender<Network>,
}

impl Relay {
    pub(crate) async fn to(target: SocketAddr) -> Self {
        let listener = TcpListener::bind(ANY_PORT).await.unwrap();
        let address = listener.local_addr().unwrap();
        let network = watch::Sender::new(Network::Works);
        let present = network.subscribe();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                tokio::spawn(relay(near, target, present.clone()));
            }
        });
        Self { address, network }
    }

    pub(crate) fn now(&self, network: Network) {
        self.network.send_replace(network);
    }
}

async fn relay(near: TcpStream, target: SocketAddr, mut network: watch::Receiver<Network>) {
    network.wait_for(|network| *network == Network::Works).await.unwrap();
    let Ok(far) = TcpStream::connect(target).await else { return };
    let ((near_read, near_write), (far_read, far_write)) = (near.into_split(), far.into_split());
    let (there, back) = (network.clone(), network.clone());
    tokio::select! {
        () = async { tokio::join!(forward(near_read, far_write, there), forward(far_read, near_write, back)); } => {}
        _ = network.wait_for(|network| *network == Network::IsCut) => {}
    }
}

async fn forward(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut network: watch::Receiver<Network>) {
    let mut buffer = vec![0; 16 << 10];
    while let Ok(read @ 1..) = from.read(&mut buffer).await {
        network.wait_for(|network| *network == Network::Works).await.unwrap();
        if to.write_all(&buffer[..read]).await.is_err() {
            return;
        }
    }
}
