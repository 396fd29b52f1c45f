//! The connections of a client.

use std::collections::VecDeque;

use burn_load::operation::OperationId;
use burn_model::time::Moment;
use socket2::Socket;

use super::super::reply::ReplyReader;
use crate::tcp_figures::Counters;

/// Names a connection, and never a later one in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key(u64);

impl Key {
    const fn new(index: u32, generation: u32) -> Self {
        Self((generation as u64) << 32 | index as u64)
    }

    pub(super) const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    pub(super) const fn bits(self) -> u64 {
        self.0
    }

    #[expect(clippy::cast_possible_truncation, reason = "the two halves are taken apart again")]
    const fn parts(self) -> (usize, u32) {
        (self.0 as u32 as usize, (self.0 >> 32) as u32)
    }
}

/// One connection.
#[derive(Debug)]
pub(super) struct Connection {
    pub(super) socket: Socket,
    /// Index into the client's populations.
    pub(super) population: usize,
    /// Whether it is still being made.
    pub(super) is_connecting: bool,
    /// Whether it takes requests before earlier replies are in.
    pub(super) is_pipelined: bool,
    /// Takes no new requests: closed as soon as nobody waits for a reply on it.
    pub(super) is_retired: bool,
    /// Requests that the kernel has not taken yet.
    pub(super) outgoing: Vec<u8>,
    /// Whether room to write is waited for.
    pub(super) waits_to_write: bool,
    /// Requests whose replies are not whole yet, in order.
    pub(super) requests: VecDeque<Request>,
    /// How many of them somebody waits for.
    pub(super) wanted: usize,
    /// Whether it has given a whole reply.
    pub(super) has_replied: bool,
    pub(super) reader: ReplyReader,
    /// When bytes last came.
    pub(super) last_byte_at: Option<Moment>,
    /// When nothing was left to read, as of last seen.
    pub(super) empty_at: Moment,
    /// The last wake-up in which something may have been left unread.
    pub(super) unread_in_wake: Option<u64>,
    /// What the kernel had counted when it was last asked.
    pub(super) counters: Counters,
}

/// A request whose reply is not whole yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    /// Whose piece it is; `None` once nobody waits for it.
    pub(super) operation: Option<OperationId>,
    /// The size of body that was asked for.
    pub(super) bytes: u64,
    /// When the driver began to act on its operation.
    pub(super) sent_at: Moment,
    /// Whether it was lost on a kept connection before, and is asked for once more.
    pub(super) is_repeated: bool,
}

impl Connection {
    pub(super) fn new(socket: Socket, population: usize, is_pipelined: bool, now: Moment) -> Self {
        Self {
            socket,
            population,
            is_connecting: true,
            is_pipelined,
            is_retired: false,
            outgoing: Vec::new(),
            waits_to_write: true,
            requests: VecDeque::new(),
            wanted: 0,
            has_replied: false,
            reader: ReplyReader::default(),
            last_byte_at: None,
            empty_at: now,
            unread_in_wake: None,
            counters: Counters::default(),
        }
    }
}

/// All connections, in places that are used again.
#[derive(Debug, Default)]
pub(super) struct Connections {
    places: Vec<Place>,
    free: Vec<u32>,
}

#[derive(Debug, Default)]
struct Place {
    generation: u32,
    connection: Option<Connection>,
}

impl Connections {
    /// The key of the next one to be [put](Self::put).
    pub(super) fn next_key(&mut self) -> Key {
        let index = self.free.last().copied().unwrap_or_else(|| {
            let index = u32::try_from(self.places.len()).unwrap_or(u32::MAX);
            self.places.push(Place::default());
            self.free.push(index);
            index
        });
        Key::new(index, self.places.get(index as usize).map_or(0, |place| place.generation))
    }

    /// Keeps a connection under the key that [`next_key`](Self::next_key) gave.
    pub(super) fn put(&mut self, key: Key, connection: Connection) {
        let (index, _) = key.parts();
        if let Some(place) = self.places.get_mut(index) {
            place.connection = Some(connection);
            self.free.pop();
        }
    }

    pub(super) fn get_mut(&mut self, key: Key) -> Option<&mut Connection> {
        let (index, generation) = key.parts();
        let place = self.places.get_mut(index)?;
        if place.generation == generation { place.connection.as_mut() } else { None }
    }

    /// What is in a place, by its number; `None` after the last.
    pub(super) fn place_mut(&mut self, index: usize) -> Option<Option<&mut Connection>> {
        self.places.get_mut(index).map(|place| place.connection.as_mut())
    }

    /// Takes a connection out; dropping it closes it.
    pub(super) fn remove(&mut self, key: Key) -> Option<Connection> {
        let (index, generation) = key.parts();
        let place = self.places.get_mut(index)?;
        if place.generation != generation {
            return None;
        }
        let connection = place.connection.take()?;
        place.generation = place.generation.wrapping_add(1);
        self.free.push(u32::try_from(index).unwrap_or(u32::MAX));
        Some(connection)
    }
}
