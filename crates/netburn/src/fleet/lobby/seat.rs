//! A device that takes part: its stream, and the connections under that, one after the other.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{DuplexStream, duplex};
use tokio::sync::mpsc::{Receiver, Sender, UnboundedSender, channel, unbounded_channel};
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;
use tokio_tungstenite::WebSocketStream;

use super::entrance::Stream;
use super::{Arrival, Shared};
use crate::fleet::address::Code;
use crate::fleet::link::Link;
use crate::fleet::resume::conversation::{Conversation, Parted};

/// A connection to a device.
pub(super) type Socket = WebSocketStream<TlsStream<Stream>>;

/// Bytes between the controller and a conversation that wait in each direction.
const BUFFER: usize = 64 << 10;
/// How long what was heard of a device that has left may take to be handed on.
const LAST_WORDS: Duration = Duration::from_secs(5);

/// A seat that is taken, seen by who comes to it.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    pub(super) conversation: Arc<Conversation>,
    /// New connections, with how far their device has heard.
    pub(super) connections: Sender<(Socket, u64)>,
}

/// A device in its seat.
pub(super) struct Sitting {
    slot: usize,
    conversation: Arc<Conversation>,
    connections: Receiver<(Socket, u64)>,
    /// What the controller says, and where it hears. Two, so that each direction ends with its own holder.
    said: DuplexStream,
    heard: DuplexStream,
    notes: UnboundedSender<String>,
}

impl Sitting {
    /// A seat, who sits in it, and the controller's link to that.
    pub(super) fn new(slot: usize, patience: Duration) -> (Seat, Self, Link) {
        let conversation = Arc::new(Conversation::default());
        let ((output, said), (heard, input)) = (duplex(BUFFER), duplex(BUFFER));
        let (to_seat, connections) = channel(4);
        let (notes, link_notes) = unbounded_channel();
        let seat = Seat { conversation: Arc::clone(&conversation), connections: to_seat };
        let link = Link { notes: Some(link_notes), ..Link::of_stream(input, output, patience) };
        (seat, Self { slot, conversation, connections, said, heard, notes }, link)
    }

    /// Serves the device until all is over, or it does not come back.
    pub(super) async fn sit(self, shared: Arc<Shared>) {
        let Self { slot, conversation, mut connections, said, heard, notes } = self;
        let why = {
            let mut delivery = std::pin::pin!(conversation.deliver(heard));
            let mut delivered = false;
            let why = {
                let mut gathering = std::pin::pin!(conversation.gather(said));
                let mut serving = std::pin::pin!(serve(&shared, &conversation, &mut connections, &notes));
                let mut gathered = false;
                loop {
                    tokio::select! {
                        why = &mut serving => break why,
                        () = &mut gathering, if !gathered => gathered = true,
                        () = &mut delivery, if !delivered => delivered = true,
                    }
                }
            };
            conversation.hang_up();
            if !delivered {
                let _ = timeout(LAST_WORDS, delivery).await;
            }
            why
        };
        leave(&shared, slot, why);
    }
}

/// Serves one connection after the other; says why there is no other, where that was not the end.
async fn serve(
    shared: &Shared,
    conversation: &Conversation,
    connections: &mut Receiver<(Socket, u64)>,
    notes: &UnboundedSender<String>,
) -> Option<String> {
    let grace = shared.manners.grace.as_secs();
    let mut lost = None;
    let mut next = None;
    loop {
        let connection = match next.take() {
            Some(connection) => Some(connection),
            None => timeout(shared.manners.grace, connections.recv()).await.ok().flatten(),
        };
        let Some((socket, heard)) = connection else {
            let why = lost.unwrap_or_else(|| "its welcome did not reach it".to_owned());
            return Some(format!("its connection was lost and did not come back within {grace} s ({why})"));
        };
        if lost.take().is_some() {
            let _ = notes.send("its connection is back".to_owned());
        }
        let parted = tokio::select! {
            biased;
            // The device has given the present connection up.
            Some(newer) = connections.recv() => {
                next = Some(newer);
                continue;
            }
            parted = conversation.carry(socket, heard, shared.note.subscribe(), |_| {}) => parted,
        };
        match parted {
            Parted::Over => return None,
            Parted::Closed => return Some("it has left".to_owned()),
            Parted::Broken(broken) => return Some(broken.to_string()),
            Parted::Lost(why) => {
                let _ = notes.send(format!("its connection was lost ({why}); waiting {grace} s for it to come back"));
                lost = Some(why);
            }
        }
    }
}

/// Clears the seat.
fn leave(shared: &Shared, slot: usize, why: Option<String>) {
    {
        let now = shared.now();
        let mut state = shared.state();
        if let Some(seat) = state.seats.get_mut(slot) {
            *seat = None;
        }
        if !state.desk.is_started()
            && let Ok(random) = super::random()
        {
            state.desk.release(slot, Code::from_random(random), now);
        }
    }
    shared.tell_missing();
    if let Some(why) = why {
        let _ = shared.arrivals.send(Arrival::Left { slot, why });
    }
    shared.left.notify_waiters();
}
