//! The lobby: where devices that nobody can reach come in by themselves.
//!
//! A person types `netburn join LINK` at the device. The link holds a code, good for one device, and the fingerprint of a
//! certificate that lives as long as the lobby. Over TLS the device asks for a WebSocket, greets, and from then on its
//! agent and the controller speak through a [`Conversation`](super::resume::conversation::Conversation), which outlives
//! connections. Whoever has no code learns nothing, and costs little: see docs/SECURITY.md.
//!
//! What is decided, [`desk`] and [`throttle`] decide, without a clock or a socket. [`Gathering`] shows a person who is missing.

mod certificate;
mod desk;
mod entrance;
mod gathering;
mod head;
mod invitation;
mod qr;
mod reception;
mod seat;
mod throttle;

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use burn_model::time::nanos;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Semaphore, watch};
use tokio::task::{AbortHandle, JoinSet};
use tokio_rustls::TlsAcceptor;

pub use desk::CODE_LIFE;
pub use entrance::WayIn;
pub use gathering::{Gathering, NotGathered, Patience};
pub use invitation::{Guest, Invitation};

pub(in crate::fleet) use certificate::random;

use super::address::{Code, Fingerprint};
use super::greeting::Note;
use super::link::Link;
use desk::Desk;
use seat::Seat;
use throttle::Throttle;

/// Connections that may be between their first byte and their greeting at once, beside one for each slot.
const HALF_OPEN: usize = 64;

/// Why there is no lobby.
#[derive(Debug, thiserror::Error)]
pub enum LobbyError {
    /// The system gave no random bytes.
    #[error("cannot get random bytes from the operating system for the codes to join with")]
    Random,
    /// No certificate could be made.
    #[error("cannot make the certificate for devices that join: {0}")]
    Certificate(String),
    /// The port cannot be had.
    #[error("cannot listen on {address} for devices that join: {source}; name another address with --lobby")]
    Listen {
        /// Where it should have listened.
        address: SocketAddr,
        /// What the kernel said.
        source: io::Error,
    },
}

/// How a lobby treats its guests.
#[derive(Clone, Copy, Debug)]
pub struct Manners {
    /// For how long a device whose connection was lost keeps its slot.
    pub grace: Duration,
    /// Silent for this long under load, a device is lost.
    pub patience: Duration,
    /// How long a connection may take up to its greeting.
    pub handshake: Duration,
}

impl Default for Manners {
    /// A little more grace than a device takes itself (15 s): it must not come back to find its slot gone.
    fn default() -> Self {
        let long = Duration::from_secs(20);
        Self { grace: long, patience: long, handshake: Duration::from_secs(5) }
    }
}

/// What happens in a lobby.
#[derive(Debug)]
pub enum Arrival {
    /// A device takes part.
    Joined(Box<Joined>),
    /// It does not any more. Its stream has ended. Before the start its slot has a new code: invite again.
    Left {
        /// Which slot, counted as they were given to [`Lobby::open`].
        slot: usize,
        /// What was the matter.
        why: String,
    },
}

/// A device that takes part.
#[derive(Debug)]
pub struct Joined {
    /// Which slot, counted as they were given to [`Lobby::open`].
    pub slot: usize,
    /// The stream to its agent. It outlives lost connections; dropping it ends the agent.
    pub link: Link,
    /// Where the device is, seen from here.
    pub from: SocketAddr,
    /// `HOST:PORT` by which the device has reached us.
    pub host: String,
}

/// What strangers did, for who wants to know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Strangers {
    /// Connections closed before anything was read, because too many had come.
    pub turned_away: u64,
    /// Connections that ended without a right code.
    pub without_code: u64,
    /// Right codes that were not let in: used, too late, of another version.
    pub refused: u64,
}

/// An open lobby. Dropping it ends every connection; [`Lobby::close`] ends them in order.
#[derive(Debug)]
pub struct Lobby {
    shared: Arc<Shared>,
    arrivals: UnboundedReceiver<Arrival>,
    host: String,
    fingerprint: Fingerprint,
    port: AbortHandle,
}

/// What every connection of a lobby needs.
struct Shared {
    epoch: Instant,
    manners: Manners,
    acceptor: TlsAcceptor,
    /// At most two for each code: in and out.
    arrivals: UnboundedSender<Arrival>,
    half_open: Arc<Semaphore>,
    note: watch::Sender<String>,
    state: Mutex<State>,
    /// Rings when a seat was left.
    left: tokio::sync::Notify,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Shared").field("state", &self.state).finish_non_exhaustive()
    }
}

#[derive(Debug)]
struct State {
    desk: Desk,
    throttle: Throttle,
    seats: Vec<Option<Seat>>,
    strangers: Strangers,
}

impl Lobby {
    /// Opens a lobby with a slot for each of the names. `host` is `HOST:PORT` as devices see it, for the links.
    ///
    /// # Errors
    /// Where the system gives no random bytes, or no certificate can be made.
    pub fn open(names: Vec<String>, way_in: WayIn, host: String) -> Result<Self, LobbyError> {
        Self::open_with(names, way_in, host, Manners::default())
    }

    /// The same, with other manners than the usual ones.
    ///
    /// # Errors
    /// As [`Lobby::open`].
    pub fn open_with(names: Vec<String>, way_in: WayIn, host: String, manners: Manners) -> Result<Self, LobbyError> {
        let (acceptor, fingerprint) = certificate::fresh()?;
        let (to_arrivals, arrivals) = unbounded_channel();
        let slots: Vec<(String, Code)> = names
            .into_iter()
            .map(|name| Ok((name, Code::from_random(random()?))))
            .collect::<Result<_, LobbyError>>()?;
        let state = State {
            throttle: Throttle::for_slots(slots.len()),
            seats: slots.iter().map(|_| None).collect(),
            desk: Desk::new(slots, crate::facts::PROGRAM.to_owned(), 0),
            strangers: Strangers::default(),
        };
        let shared = Arc::new(Shared {
            epoch: Instant::now(),
            manners,
            acceptor,
            arrivals: to_arrivals,
            half_open: Arc::new(Semaphore::new(HALF_OPEN.saturating_add(state.seats.len()))),
            note: watch::Sender::new(String::new()),
            state: Mutex::new(state),
            left: tokio::sync::Notify::new(),
        });
        shared.tell_missing();
        let port = tokio::spawn(receive(way_in, Arc::clone(&shared))).abort_handle();
        Ok(Self { shared, arrivals, host, fingerprint, port })
    }

    /// What devices need to join the slots that are still free.
    #[must_use]
    pub fn invitation(&self) -> Invitation {
        let state = self.shared.state();
        let free = state.desk.slots().filter(|(_, _, taken)| !taken);
        let link = |code| super::address::JoinLink { host: self.host.clone(), code, fingerprint: self.fingerprint };
        Invitation { guests: free.map(|(name, code, _)| Guest { name: name.to_owned(), link: link(code) }).collect() }
    }

    /// The next thing that happens. Safe to cancel.
    pub async fn next(&mut self) -> Arrival {
        match self.arrivals.recv().await {
            Some(arrival) => arrival,
            // We hold a sender ourselves.
            None => std::future::pending().await,
        }
    }

    /// The names of the slots that no device has.
    #[must_use]
    pub fn missing(&self) -> Vec<String> {
        let state = self.shared.state();
        state.desk.slots().filter(|(_, _, taken)| !taken).map(|(name, ..)| name.to_owned()).collect()
    }

    /// The name of a slot.
    #[must_use]
    pub fn name(&self, slot: usize) -> String {
        self.shared.state().desk.name(slot).to_owned()
    }

    /// The run starts: nobody new comes in, and the devices' people are told. Who has a slot may still come again.
    pub fn close_to_newcomers(&self) {
        self.shared.state().desk.start();
        self.shared.tell(Note::Running);
    }

    /// Bytes of a slot's control messages so far, with the resume layer's own and without what WebSocket, TLS and TCP
    /// add: from the agent, and to it. `None` where no device has the slot.
    #[must_use]
    pub fn traffic(&self, slot: usize) -> Option<(u64, u64)> {
        self.shared.state().seats.get(slot)?.as_ref().map(|seat| seat.conversation.traffic())
    }

    /// What strangers have done so far.
    #[must_use]
    pub fn strangers(&self) -> Strangers {
        self.shared.state().strangers
    }

    /// Waits until every device whose stream was dropped knows that all is over, for at most this long.
    pub async fn close(self, patience: Duration) {
        let all_left = async {
            loop {
                let left = self.shared.left.notified();
                if self.shared.state().seats.iter().all(Option::is_none) {
                    return;
                }
                left.await;
            }
        };
        let _ = tokio::time::timeout(patience, all_left).await;
    }
}

impl Drop for Lobby {
    fn drop(&mut self) {
        // Ends the receptions and seats too, which are its children.
        self.port.abort();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        nanos(self.epoch.elapsed())
    }

    fn tell(&self, note: Note) {
        self.note.send_replace(serde_json::to_string(&note).unwrap_or_default());
    }

    fn tell_missing(&self) {
        let state = self.state();
        if !state.desk.is_started() {
            self.tell(Note::Waiting { missing: state.desk.missing() });
        }
    }
}

/// Receives who comes, for as long as the lobby is there.
async fn receive(way_in: WayIn, shared: Arc<Shared>) {
    // Everything that belongs to a connection ends with this task.
    let (mut receptions, mut seats) = (JoinSet::new(), JoinSet::new());
    let mut open = true;
    while open || !receptions.is_empty() || !seats.is_empty() {
        tokio::select! {
            knock = way_in.next(), if open => match knock {
                Some(knock) => {
                    if let Some(place) = reception::place(&shared, knock.from) {
                        receptions.spawn(reception::receive(Arc::clone(&shared), knock, place));
                    }
                }
                None => open = false,
            },
            Some(received) = receptions.join_next(), if !receptions.is_empty() => {
                if let Ok(Some(sitting)) = received {
                    seats.spawn(sitting.sit(Arc::clone(&shared)));
                }
            }
            Some(_) = seats.join_next(), if !seats.is_empty() => {}
        }
    }
}
