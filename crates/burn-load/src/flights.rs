//! The operations of one population that have a slot: ready, handed to the driver or not yet.
//!
//! Slots are given in the order of the operations' numbers. So the lowest number became ready first, is handed out
//! first, and runs past its deadline first; and there are never more than the population has slots.

use std::collections::BTreeMap;
use std::time::Duration;

use burn_model::time::Moment;

use crate::recorder::Stamps;

/// An operation that has a slot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Flight {
    pub(crate) stamps: Stamps,
    /// Whose it is, in a closed population.
    pub(crate) person: Option<u32>,
}

#[derive(Debug)]
pub(crate) struct Flights {
    slots: usize,
    deadline: Duration,
    by_number: BTreeMap<u64, Flight>,
    /// Those from this number on were not handed to the driver yet.
    next_dispatch: u64,
}

impl Flights {
    /// None yet, of operations that may take until `deadline` after they became ready.
    pub(crate) const fn new(slots: usize, deadline: Duration) -> Self {
        Self { slots, deadline, by_number: BTreeMap::new(), next_dispatch: 0 }
    }

    /// Gives a slot to operation `number`, which is greater than any before.
    pub(crate) fn insert(&mut self, number: u64, scheduled_at: Moment, ready_at: Moment, person: Option<u32>) {
        let stamps = Stamps { scheduled_at, ready_at, sent_at: None, first_byte_at: None };
        self.by_number.insert(number, Flight { stamps, person });
    }

    /// Hands out the operation that has been ready for longest, if any is: its number and when it was due.
    pub(crate) fn take_ready(&mut self) -> Option<(u64, Moment)> {
        let (&number, flight) = self.by_number.range(self.next_dispatch..).next()?;
        self.next_dispatch = number.saturating_add(1);
        Some((number, flight.stamps.scheduled_at))
    }

    /// The stamps of an operation that was handed out and has not ended.
    pub(crate) fn dispatched(&mut self, number: u64) -> Option<&mut Stamps> {
        if !self.was_dispatched(number) {
            return None;
        }
        self.by_number.get_mut(&number).map(|flight| &mut flight.stamps)
    }

    /// Takes an operation's slot away.
    pub(crate) fn remove(&mut self, number: u64) -> Option<Flight> {
        self.by_number.remove(&number)
    }

    /// Takes all slots away; says whose they were.
    pub(crate) fn remove_all(&mut self) -> impl Iterator<Item = u64> + use<> {
        std::mem::take(&mut self.by_number).into_keys()
    }

    /// The operation that runs past its deadline first, and when.
    pub(crate) fn first_deadline(&self) -> Option<(Moment, u64)> {
        let (&number, flight) = self.by_number.first_key_value()?;
        Some((flight.stamps.ready_at + self.deadline, number))
    }

    /// When the operation became ready that would be handed out next.
    pub(crate) fn next_ready_at(&self) -> Option<Moment> {
        self.by_number.range(self.next_dispatch..).next().map(|(_, flight)| flight.stamps.ready_at)
    }

    /// Whether an operation was handed to the driver.
    pub(crate) const fn was_dispatched(&self, number: u64) -> bool {
        number < self.next_dispatch
    }

    pub(crate) fn has_free_slot(&self) -> bool {
        self.by_number.len() < self.slots
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.by_number.is_empty()
    }
}
