//! What engine and driver say to each other of an operation: its name, that it is to be sent, what its end is known by.

use std::time::Duration;

use burn_model::plan::Operation;
use burn_model::time::Moment;

/// Names an operation while it is under way. Never used twice in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OperationId(u64);

impl OperationId {
    /// Bits of the operation's number in its population: a million operations a second for nine years.
    const NUMBER_BITS: u32 = 48;

    pub(crate) fn new(population: u32, number: u64) -> Self {
        Self(u64::from(population) << Self::NUMBER_BITS | number & ((1 << Self::NUMBER_BITS) - 1))
    }

    /// The name as a number, for tables and tokens of a driver.
    #[must_use]
    pub const fn as_u64(self) -> u64 {
        self.0
    }

    /// The name from its number. A number that the engine never gave names nothing, and is not heard.
    #[must_use]
    pub const fn from_u64(number: u64) -> Self {
        Self(number)
    }

    /// Index of the operation's population in the client's.
    #[must_use]
    pub fn population(self) -> usize {
        usize::try_from(self.0 >> Self::NUMBER_BITS).unwrap_or(usize::MAX)
    }

    /// The operation's number in its population, from 0.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.0 & ((1 << Self::NUMBER_BITS) - 1)
    }
}

/// An operation that is to be sent now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dispatch {
    /// Its name in all further calls.
    pub id: OperationId,
    /// Index into the client's populations.
    pub population: usize,
    /// What it is.
    pub operation: Operation,
    /// When the plan wanted it.
    pub scheduled_at: Moment,
}

/// What a driver knows of a completed operation beyond its moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// How long its last byte lay in the kernel before the driver saw it, where the kernel told.
    pub receive_lateness: Option<Duration>,
    /// What the server says the reply cost it (the longest of its parts), where it said.
    pub server_time: Option<Duration>,
}
