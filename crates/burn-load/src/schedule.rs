//! The arrivals of an open population: when its `i`-th operation is due, whatever became of the others.
//!
//! [`Arrivals`] is a cursor. An open population keeps two of them on the same schedule: one counts what has become
//! due, the other finds again when the oldest waiting operation was due. So a backlog of millions costs no memory.

use std::time::Duration;

use burn_model::plan::Rate;
use burn_model::time::{Moment, nanos};

use crate::random::{Generator, UNIT_BITS};

/// A place in the schedule of an open population.
#[derive(Clone, Debug)]
pub(crate) struct Arrivals {
    process: Process,
    /// The next operation.
    index: u64,
    /// When it is due.
    at: Moment,
}

#[derive(Clone, Debug)]
enum Process {
    Constant(Grid),
    Poisson {
        rate: Rate,
        generator: Generator,
        /// The sum of all gaps so far, in mean gaps with [`UNIT_BITS`] fraction bits. The sum is exact and is scaled
        /// at the end, so that no rounding adds up.
        units: u128,
    },
}

/// The instants of a constant schedule: `phase + i / rate`, rounded down to whole nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Grid {
    rate: Rate,
    phase: Duration,
}

impl Grid {
    pub(crate) const fn new(rate: Rate, phase: Duration) -> Self {
        Self { rate, phase }
    }

    /// When the `index`-th operation is due.
    pub(crate) fn at(self, index: u64) -> Moment {
        Moment::START + self.phase + self.rate.offset(index)
    }

    /// How many operations are due at `moment` or before.
    pub(crate) fn due_through(self, moment: Moment) -> u64 {
        let Some(elapsed) = moment.as_nanos().checked_sub(nanos(self.phase)) else { return 0 };
        // ⌊i · per / operations⌋ ≤ elapsed where i · per < (elapsed + 1) · operations: as many i from 0 on as the
        // quotient, rounded up.
        let operations = u128::from(self.rate.operations.max(1));
        let due = ((u128::from(elapsed) + 1) * operations).div_ceil(u128::from(self.rate.per_ns.max(1)));
        u64::try_from(due).unwrap_or(u64::MAX)
    }
}

impl Arrivals {
    pub(crate) fn constant(rate: Rate, phase: Duration) -> Self {
        let grid = Grid::new(rate, phase);
        Self { process: Process::Constant(grid), index: 0, at: grid.at(0) }
    }

    /// Arrivals whose gaps are drawn from `generator`, the first one included.
    pub(crate) fn poisson(rate: Rate, generator: Generator) -> Self {
        let mut process = Process::Poisson { rate: reduced(rate), generator, units: 0 };
        let at = process.next_at(0);
        Self { process, index: 0, at }
    }

    /// The number of the next operation, from 0: how many have been passed.
    pub(crate) const fn index(&self) -> u64 {
        self.index
    }

    /// When the next operation is due.
    pub(crate) const fn at(&self) -> Moment {
        self.at
    }

    /// Passes the next operation.
    pub(crate) fn advance(&mut self) {
        self.index = self.index.saturating_add(1);
        self.at = self.process.next_at(self.index);
    }

    /// Passes the operations that are due at `moment` or before, `limit` of them at most; says how many.
    pub(crate) fn pass_through(&mut self, moment: Moment, limit: u64) -> u64 {
        let before = self.index;
        match &self.process {
            Process::Constant(grid) => {
                let due = grid.due_through(moment).min(before.saturating_add(limit));
                if due > before {
                    self.at = grid.at(due);
                    self.index = due;
                }
            }
            Process::Poisson { .. } => {
                while self.at <= moment && self.index - before < limit {
                    self.advance();
                }
            }
        }
        self.index - before
    }
}

impl Process {
    /// When the operation `index` is due. Poisson gaps are drawn one after the other: ask for each index once.
    fn next_at(&mut self, index: u64) -> Moment {
        match self {
            Self::Constant(grid) => grid.at(index),
            Self::Poisson { rate, generator, units } => {
                *units = units.saturating_add(u128::from(generator.exponential()));
                // Past the range of a u128 the arrival lies past the longest run: it never comes.
                let nanos = units
                    .checked_mul(u128::from(rate.per_ns))
                    .map(|scaled| (scaled / u128::from(rate.operations.max(1))) >> UNIT_BITS);
                nanos.and_then(|nanos| u64::try_from(nanos).ok()).map_or(Moment::NEVER, Moment::from_nanos)
            }
        }
    }
}

/// The same rate in its least terms, which leaves the most room for products.
fn reduced(rate: Rate) -> Rate {
    let (mut divisor, mut rest) = (rate.operations.max(1), rate.per_ns);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    Rate { operations: rate.operations.max(1) / divisor, per_ns: rate.per_ns / divisor }
}

#[cfg(test)]
mod tests {
    use burn_model::units::BitRate;

    use super::*;

    #[test]
    fn a_constant_schedule_is_exact_from_the_index() {
        let phase = Duration::from_millis(5);
        let mut arrivals = Arrivals::constant(Rate::per_second(3), phase);
        let mut due = Vec::new();
        for _ in 0..4 {
            due.push(arrivals.at().as_nanos());
            arrivals.advance();
        }
        assert_eq!(due, [5_000_000, 338_333_333, 671_666_666, 1_005_000_000]);
    }

    #[test]
    fn the_count_of_what_is_due_is_the_inverse_of_when_it_is_due() {
        let rates = [
            Rate::per_second(3),
            Rate::per_second(1_000_000),
            Rate { operations: 1, per_ns: 3_600_000_000_000 },
            Rate::of_bit_rate(BitRate::from_mbps(25), 1 << 20).unwrap(),
            Rate { operations: 7, per_ns: 50_000 },
        ];
        for rate in rates {
            let grid = Grid::new(rate, Duration::from_millis(5));
            assert_eq!(grid.due_through(Moment::from_nanos(4_999_999)), 0);
            for index in [0, 1, 2, 3, 1000, 999_999] {
                let at = grid.at(index);
                assert_eq!(grid.due_through(at), index + 1, "{rate:?} at {index}");
                assert_eq!(grid.due_through(at - Duration::from_nanos(1)), index, "{rate:?} before {index}");
            }
        }
    }

    #[test]
    fn passing_many_at_once_is_passing_one_after_the_other() {
        let constant = Arrivals::constant(Rate::per_second(7), Duration::ZERO);
        let poisson = Arrivals::poisson(Rate::per_second(7), Generator::new(3));
        for start in [constant, poisson] {
            let moment = Moment::from_secs(100);
            let (mut one, mut other) = (start.clone(), start);
            let passed = one.pass_through(moment, u64::MAX);
            while other.at() <= moment {
                other.advance();
            }
            assert_eq!((one.index(), one.at(), passed), (other.index(), other.at(), other.index()));
            assert_eq!(one.pass_through(moment, u64::MAX), 0);
        }
    }

    #[test]
    fn poisson_arrivals_come_at_the_rate_and_do_not_drift_with_rounding() {
        // A million arrivals at 1,000,000 a second: the sum of n unit draws has a standard deviation of √n = 1000
        // gaps of 1 µs. Five of them are 5 ms; gaps rounded down to whole nanoseconds would lose 0.5 ms.
        let mut arrivals = Arrivals::poisson(Rate::per_second(1_000_000), Generator::new(11));
        arrivals.pass_through(Moment::from_secs(1), u64::MAX);
        assert!(arrivals.index().abs_diff(1_000_000) < 5_000, "{}", arrivals.index());
        // The slowest rate there is, and one of huge terms: nothing overflows.
        for rate in [Rate { operations: 1, per_ns: 3_600_000_000_000 }, Rate { operations: 1 << 53, per_ns: u64::MAX }]
        {
            let mut arrivals = Arrivals::poisson(rate, Generator::new(2));
            let mut last = Moment::START;
            for _ in 0..1000 {
                assert!(arrivals.at() >= last);
                last = arrivals.at();
                arrivals.advance();
            }
        }
    }
}
