//! A [`Resumable`] with a local stream of bytes at one side and WebSockets that come and go at the other.
//!
//! Three things go on at once: [`Conversation::gather`] takes what is said here, [`Conversation::deliver`] hands on what was
//! heard, and [`Conversation::carry`] serves one connection until that is lost. All three are bounded: who says more than the
//! other end takes is made to wait.

use std::collections::VecDeque;
use std::io::ErrorKind;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use burn_model::time::nanos;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::{Notify, watch};
use tokio::time::{MissedTickBehavior, interval, sleep_until};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{self, Bytes, Message, Utf8Bytes};

use super::{Broken, LONGEST_MESSAGE, PIECE, Resumable};

/// How often each end shows that it is there; also keeps the path open through address translation.
const PING: Duration = Duration::from_secs(2);
/// Silent for this long, a connection is held for lost: two pings unanswered, and a loaded network's worst queue beside.
const SILENCE: Duration = Duration::from_secs(6);
/// What was heard and not yet handed on; past it the peer is made to wait.
const UNDELIVERED: usize = 8 * PIECE;
/// The longest text message, in bytes: a greeting or a note.
pub const LONGEST_TEXT: usize = 4096;

/// Bounds on what a peer may make a WebSocket hold.
#[must_use]
pub fn bounds() -> WebSocketConfig {
    let longest = if LONGEST_MESSAGE > LONGEST_TEXT { LONGEST_MESSAGE } else { LONGEST_TEXT };
    WebSocketConfig::default()
        .read_buffer_size(4096)
        .write_buffer_size(PIECE)
        .max_write_buffer_size(8 * LONGEST_MESSAGE)
        .max_message_size(Some(longest))
        .max_frame_size(Some(longest))
}

/// How a connection came to its end.
#[derive(Debug)]
pub enum Parted {
    /// All is said in both directions, and both ends know.
    Over,
    /// The peer has closed the connection in order: it wants no other.
    Closed,
    /// The connection is gone; another may follow.
    Lost(String),
    /// The peer does not keep to the rules; no other connection can mend that.
    Broken(Broken),
}

/// What ended a connection, in words for a person.
fn reason(error: &tungstenite::Error) -> String {
    match error {
        tungstenite::Error::Io(error) if error.kind() == ErrorKind::UnexpectedEof => "it was closed".to_owned(),
        tungstenite::Error::Io(error) => error.to_string(),
        error => error.to_string(),
    }
}

/// One end of a conversation.
#[derive(Debug)]
pub struct Conversation {
    epoch: Instant,
    state: Mutex<State>,
    to_send: Notify,
    room_to_say: Notify,
    to_deliver: Notify,
    room_to_hear: Notify,
}

#[derive(Debug, Default)]
struct State {
    stream: Resumable,
    heard: VecDeque<u8>,
    peer_ended: bool,
    parting: bool,
    /// When the present connection last showed a sign of life.
    alive_at: u64,
    messages_out: u64,
    messages_in: u64,
}

impl Default for Conversation {
    fn default() -> Self {
        Self {
            epoch: Instant::now(),
            state: Mutex::default(),
            to_send: Notify::new(),
            room_to_say: Notify::new(),
            to_deliver: Notify::new(),
            room_to_hear: Notify::new(),
        }
    }
}

impl Conversation {
    /// How far was heard, for the peer to go on from.
    #[must_use]
    pub fn heard(&self) -> u64 {
        self.state().stream.heard()
    }

    /// Bytes of messages so far, without what WebSocket, TLS and TCP add: from the peer, and to it.
    #[must_use]
    pub fn traffic(&self) -> (u64, u64) {
        let state = self.state();
        (state.messages_in, state.messages_out)
    }

    /// Takes what is said here, until that ends.
    pub async fn gather(&self, mut local: impl AsyncRead + Unpin) {
        let mut buffer = vec![0; PIECE];
        while let Ok(read @ 1..) = local.read(&mut buffer).await {
            let mut rest = buffer.get(..read).unwrap_or_default();
            loop {
                let said = self.state().stream.say(rest);
                self.to_send.notify_one();
                rest = rest.get(said..).unwrap_or_default();
                if rest.is_empty() {
                    break;
                }
                self.room_to_say.notified().await;
            }
        }
        self.state().stream.finish();
        self.to_send.notify_one();
    }

    /// Hands on what is heard, until the peer's stream ends. Where nobody takes it any more, it is let go.
    pub async fn deliver(&self, mut local: impl AsyncWrite + Unpin) {
        let mut taken = true;
        loop {
            let (bytes, ended) = {
                let mut state = self.state();
                (std::mem::take(&mut state.heard), state.peer_ended)
            };
            self.room_to_hear.notify_one();
            let (first, second) = bytes.as_slices();
            for part in [first, second] {
                taken = taken && local.write_all(part).await.is_ok();
            }
            taken = taken && local.flush().await.is_ok();
            if ended {
                let _ = local.shutdown().await;
                return;
            }
            if bytes.is_empty() {
                self.to_deliver.notified().await;
            }
        }
    }

    /// Nothing more will be heard: what is there already is still handed on.
    pub fn hang_up(&self) {
        self.state().peer_ended = true;
        self.to_deliver.notify_one();
    }

    /// Closes the present connection in order, and wants no other.
    pub fn part(&self) {
        self.state().parting = true;
        self.to_send.notify_one();
    }

    /// Whether this end has closed the conversation before it was over.
    #[must_use]
    pub fn is_parting(&self) -> bool {
        self.state().parting
    }

    /// Serves one connection until it is over or lost. The peer had heard `peer_heard` before it.
    ///
    /// Texts beside the stream are not kept: `say` is sent when the connection begins and whenever it changes, and
    /// `on_text` is told what comes.
    pub async fn carry<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        socket: WebSocketStream<S>,
        peer_heard: u64,
        say: watch::Receiver<String>,
        on_text: impl FnMut(&str),
    ) -> Parted {
        {
            let mut state = self.state();
            if let Err(broken) = state.stream.connected(peer_heard) {
                return Parted::Broken(broken);
            }
            state.alive_at = self.now();
        }
        let (sink, source) = socket.split();
        tokio::select! {
            biased;
            parted = self.read(source, on_text) => parted,
            parted = self.write(sink, say) => parted,
            parted = self.watch() => parted,
        }
    }

    /// Ends a connection that shows no sign of life, also where a write waits for it.
    async fn watch(&self) -> Parted {
        let mut look = interval(Duration::from_secs(1));
        loop {
            look.tick().await;
            if self.is_silent() {
                return Parted::Lost(format!("nothing was heard for {} s", SILENCE.as_secs()));
            }
        }
    }

    async fn read<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        mut source: SplitStream<WebSocketStream<S>>,
        mut on_text: impl FnMut(&str),
    ) -> Parted {
        loop {
            while self.state().heard.len() >= UNDELIVERED {
                self.room_to_hear.notified().await;
            }
            let message = match source.next().await {
                Some(Ok(message)) => message,
                Some(Err(error)) => return Parted::Lost(reason(&error)),
                None => return Parted::Lost("it was closed".to_owned()),
            };
            let now = self.now();
            let mut state = self.state();
            state.alive_at = now;
            match message {
                Message::Binary(bytes) => {
                    state.messages_in += bytes.len() as u64;
                    let fresh = match state.stream.handle_message(&bytes, now) {
                        Ok(fresh) => fresh,
                        Err(broken) => return Parted::Broken(broken),
                    };
                    state.heard.extend(fresh.bytes);
                    state.peer_ended |= fresh.ended;
                    drop(state);
                    self.to_deliver.notify_one();
                    self.room_to_say.notify_one();
                    self.to_send.notify_one();
                }
                Message::Text(text) => {
                    state.messages_in += text.len() as u64;
                    drop(state);
                    on_text(&text);
                }
                Message::Close(_) => return if state.stream.is_over() { Parted::Over } else { Parted::Closed },
                Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
            }
        }
    }

    async fn write<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        mut sink: SplitSink<WebSocketStream<S>, Message>,
        mut say: watch::Receiver<String>,
    ) -> Parted {
        let mut ping = interval(PING);
        ping.set_missed_tick_behavior(MissedTickBehavior::Delay);
        say.mark_changed();
        let mut says = true;
        loop {
            if let Err(error) = self.send_all(&mut sink).await {
                return Parted::Lost(reason(&error));
            }
            let (over, parting, due) = {
                let state = self.state();
                (state.stream.is_over(), state.parting, state.stream.poll_timeout())
            };
            if over || parting {
                // Where all is over, the peer knows it whether or not it hears this.
                let _ = sink.close().await;
                return if over { Parted::Over } else { Parted::Closed };
            }
            let due = due.map_or_else(|| Instant::now() + PING, |at| self.epoch + Duration::from_nanos(at));
            let sent = tokio::select! {
                () = self.to_send.notified() => Ok(()),
                () = sleep_until(due.into()) => Ok(()),
                changed = say.changed(), if says => {
                    says = changed.is_ok();
                    let text = say.borrow_and_update().clone();
                    if says && !text.is_empty() { sink.send(self.text(text)).await } else { Ok(()) }
                }
                _ = ping.tick() => sink.send(Message::Ping(Bytes::new())).await,
            };
            if let Err(error) = sent {
                return Parted::Lost(reason(&error));
            }
        }
    }

    async fn send_all<S: AsyncRead + AsyncWrite + Unpin>(
        &self,
        sink: &mut SplitSink<WebSocketStream<S>, Message>,
    ) -> Result<(), tungstenite::Error> {
        loop {
            let message = {
                let mut state = self.state();
                let message = state.stream.poll_message(self.now());
                state.messages_out += message.as_ref().map_or(0, |message| message.len() as u64);
                message
            };
            match message {
                Some(message) => sink.feed(Message::Binary(message.into())).await?,
                None => return sink.flush().await,
            }
        }
    }

    fn text(&self, text: String) -> Message {
        self.state().messages_out += text.len() as u64;
        Message::Text(Utf8Bytes::from(text))
    }

    /// Whether the present connection has shown no sign of life for too long. One that we do not read is not blamed.
    fn is_silent(&self) -> bool {
        let state = self.state();
        state.heard.len() < UNDELIVERED && self.now().saturating_sub(state.alive_at) > nanos(SILENCE)
    }

    fn now(&self) -> u64 {
        nanos(self.epoch.elapsed())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
