//! The operations under way, as the driver knows them.

use std::collections::HashMap;
use std::time::Duration;

use burn_load::operation::OperationId;

use super::connection::Key;

/// An operation under way.
#[derive(Debug)]
pub(super) struct Flight {
    /// Index into the client's populations.
    pub(super) population: usize,
    /// Pieces that are not in yet.
    pub(super) left: u32,
    /// The connection of each piece.
    pub(super) parts: Vec<Key>,
    /// Whether the engine knows of a first byte.
    pub(super) has_begun: bool,
    /// The longest server time of the pieces that are in.
    pub(super) server_time: Option<Duration>,
}

/// All of them. As many as the plan lets be in flight at once; the memory of those that ended is used again.
#[derive(Debug, Default)]
pub(super) struct Flights {
    under_way: HashMap<OperationId, Flight>,
    spare: Vec<Vec<Key>>,
}

impl Flights {
    /// An operation begins, with the connections of its pieces.
    pub(super) fn begin(&mut self, id: OperationId, population: usize, parts: Vec<Key>) {
        let left = u32::try_from(parts.len()).unwrap_or(u32::MAX);
        self.under_way.insert(id, Flight { population, left, parts, has_begun: false, server_time: None });
    }

    /// An operation that has not ended yet.
    pub(super) fn get_mut(&mut self, id: OperationId) -> Option<&mut Flight> {
        self.under_way.get_mut(&id)
    }

    /// An operation ends. Give its list of parts [back](Self::recycle) afterwards.
    pub(super) fn end(&mut self, id: OperationId) -> Option<Flight> {
        self.under_way.remove(&id)
    }

    /// An empty list of parts.
    pub(super) fn list(&mut self) -> Vec<Key> {
        self.spare.pop().unwrap_or_default()
    }

    /// Takes a list of parts back.
    pub(super) fn recycle(&mut self, mut parts: Vec<Key>) {
        parts.clear();
        self.spare.push(parts);
    }
}
