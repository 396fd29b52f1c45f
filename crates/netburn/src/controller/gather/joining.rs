//! Devices that join by themselves.

use std::time::Duration;

use anyhow::{Context, Result};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::fleet::link::Link;
use crate::fleet::lobby::{Arrival, Gathering, Joined, Lobby, Patience, WayIn};

/// How long devices may take to learn that all is over.
const FAREWELL: Duration = Duration::from_secs(2);

/// A device that has joined: its link, and `HOST:PORT` by which it reached the lobby.
pub(super) type Guest = Option<(Link, String)>;

/// A lobby whose devices are in a run: it carries their streams.
#[derive(Debug)]
pub(super) struct Host {
    close: oneshot::Sender<()>,
    hosting: JoinHandle<()>,
}

impl Host {
    /// Tells every device that all is over.
    pub(super) async fn close(self) {
        let _ = self.close.send(());
        let _ = timeout(FAREWELL * 2, self.hosting).await;
    }
}

/// Opens a lobby and waits for the devices of these names.
pub(super) async fn wait(
    names: Vec<String>,
    way_in: WayIn,
    host: String,
    patience: Patience,
    progress: bool,
) -> Result<(Host, Vec<Guest>)> {
    let mut lobby = Lobby::open(names, way_in, host).context("cannot open the lobby")?;
    let joined = Gathering::new(&mut lobby, progress).wait(patience).await?;
    let mut notes = Vec::with_capacity(joined.len());
    let guests = joined.into_iter().map(|joined| {
        let (note, to_show) = unbounded_channel();
        notes.push(note.clone());
        let Joined { mut link, host, .. } = joined?;
        if let Some(of_stream) = link.notes.replace(to_show) {
            tokio::spawn(hand_on(of_stream, note));
        }
        Some((link, host))
    });
    let guests = guests.collect();
    let (close, closed) = oneshot::channel();
    let hosting = tokio::spawn(host_until(lobby, notes, closed));
    Ok((Host { close, hosting }, guests))
}

async fn hand_on(mut from: UnboundedReceiver<String>, to: UnboundedSender<String>) {
    while let Some(note) = from.recv().await {
        let _ = to.send(note);
    }
}

/// Hands on what happens in the lobby, until the run is over.
async fn host_until(mut lobby: Lobby, notes: Vec<UnboundedSender<String>>, mut closed: oneshot::Receiver<()>) {
    loop {
        tokio::select! {
            arrival = lobby.next() => {
                if let Arrival::Left { slot, why } = arrival
                    && let Some(note) = notes.get(slot)
                {
                    let _ = note.send(format!("gone: {why}"));
                }
            }
            _ = &mut closed => break,
        }
    }
    lobby.close(FAREWELL).await;
}
