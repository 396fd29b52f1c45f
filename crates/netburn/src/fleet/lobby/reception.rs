//! One connection, from its first byte to a device that takes part, or to a closed door.
//!
//! A stranger gets a TLS handshake and one 404, within a deadline; everything read from him is bounded.

use std::net::SocketAddr;
use std::sync::Arc;

use futures_util::{SinkExt, StreamExt};
use tokio::io::AsyncWriteExt;
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::protocol::Role;

use super::desk::Admitted;
use super::entrance::{Knock, Stream};
use super::head::{self, Head, NOT_FOUND};
use super::seat::{Seat, Sitting, Socket};
use super::{Arrival, Joined, Shared};
use crate::fleet::greeting::{Greeting, Refusal, Reply};
use crate::fleet::resume::conversation::{LONGEST_TEXT, bounds};

/// A place among those who are being received; `None` where there is none, or who knocks has done so too often.
pub(super) fn place(shared: &Shared, from: SocketAddr) -> Option<OwnedSemaphorePermit> {
    let place = Arc::clone(&shared.half_open).try_acquire_owned().ok();
    let mut state = shared.state();
    let place = place.filter(|_| state.throttle.charge(from.ip(), shared.now()));
    state.strangers.turned_away += u64::from(place.is_none());
    place
}

/// Receives a connection. Where that makes a device take part, its seat must be kept alive.
pub(super) async fn receive(shared: Arc<Shared>, knock: Knock, place: OwnedSemaphorePermit) -> Option<Sitting> {
    let from = knock.from;
    let received = timeout(shared.manners.handshake, async {
        let caller = hear(&shared, knock.stream).await?;
        let sitting = answer(&shared, caller, from).await;
        Some(sitting)
    });
    let received = received.await.ok().flatten();
    drop(place);
    match received {
        Some(sitting) => sitting,
        None => {
            shared.state().strangers.without_code += 1;
            None
        }
    }
}

/// Somebody with a right code, and what he says.
struct Caller {
    slot: usize,
    head: Head,
    greeting: Option<Greeting>,
    socket: Socket,
}

/// Hears a connection out, up to its greeting; `None` where it has no right code.
async fn hear(shared: &Shared, stream: Stream) -> Option<Caller> {
    let mut stream = shared.acceptor.accept(stream).await.ok()?;
    let head = head::read(&mut stream).await;
    let found = head.and_then(|head| Some((shared.state().desk.find(&head.code)?, head)));
    let Some((slot, head)) = found else {
        stream.write_all(NOT_FOUND).await.ok()?;
        stream.shutdown().await.ok()?;
        return None;
    };
    stream.write_all(head::switching(&head.key).as_bytes()).await.ok()?;
    stream.flush().await.ok()?;
    let mut socket = WebSocketStream::from_raw_socket(stream, Role::Server, Some(bounds())).await;
    let greeting = loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) if text.len() <= LONGEST_TEXT => break serde_json::from_str(&text).ok(),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            _ => break None,
        }
    };
    Some(Caller { slot, head, greeting, socket })
}

/// Answers a greeting; a device that is new takes its seat.
async fn answer(shared: &Shared, caller: Caller, from: SocketAddr) -> Option<Sitting> {
    let Caller { slot, head, greeting, mut socket } = caller;
    match admit(shared, slot, &head, greeting.as_ref(), from) {
        Ok((seat, name, peer_heard, sitting)) => {
            let reply = Reply::Welcome { name, heard: seat.conversation.heard() };
            // Where the welcome does not arrive, the device asks again; its seat waits for that.
            if say(&mut socket, &reply).await {
                let _ = seat.connections.try_send((socket, peer_heard));
            }
            sitting
        }
        Err(refusal) => {
            say(&mut socket, &Reply::Refused { refusal }).await;
            let _ = socket.close(None).await;
            None
        }
    }
}

/// Its seat, its name, how far it has heard, and the sitting where it is new.
type Admission = (Seat, String, u64, Option<Sitting>);

fn admit(
    shared: &Shared,
    slot: usize,
    head: &Head,
    greeting: Option<&Greeting>,
    from: SocketAddr,
) -> Result<Admission, Refusal> {
    let now = shared.now();
    let mut state = shared.state();
    let admitted = match greeting {
        None => Err(Refusal::NotUnderstood),
        // The device that had it may have left since, and the slot may have another code.
        Some(_) if state.desk.find(&head.code) != Some(slot) => Err(Refusal::GivenUp),
        Some(greeting) => state.desk.admit(slot, greeting, now),
    };
    let name = state.desk.name(slot).to_owned();
    let admission = match admitted {
        Err(refusal) => Err(refusal),
        Ok(Admitted::Resumes { heard }) => {
            let seat = state.seats.get(slot).cloned().flatten();
            seat.map(|seat| (seat, name, heard, None)).ok_or(Refusal::GivenUp)
        }
        Ok(Admitted::Joins) => {
            let (seat, sitting, link) = Sitting::new(slot, shared.manners.patience);
            if let Some(place) = state.seats.get_mut(slot) {
                *place = Some(seat.clone());
            }
            let joined = Joined { slot, link, from, host: head.host.clone() };
            let _ = shared.arrivals.send(Arrival::Joined(Box::new(joined)));
            Ok((seat, name, 0, Some(sitting)))
        }
    };
    match &admission {
        Ok(_) => state.throttle.refund(from.ip(), now),
        Err(_) => state.strangers.refused += 1,
    }
    drop(state);
    shared.tell_missing();
    admission
}

/// Whether it was said.
async fn say(socket: &mut Socket, reply: &Reply) -> bool {
    match serde_json::to_string(reply) {
        Ok(text) => socket.send(Message::text(text)).await.is_ok(),
        Err(_) => false,
    }
}
