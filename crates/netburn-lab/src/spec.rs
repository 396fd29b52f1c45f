//! What a lab should be, and whether it can be.

use std::ops::RangeInclusive;
use std::time::Duration;

use crate::queue::queue_bytes;

const RADIOS: RangeInclusive<usize> = 1..=8;
/// The upper end leaves room for a radio's stations in one /24.
const STATIONS: RangeInclusive<usize> = 1..=250;
const RATE_BPS: RangeInclusive<u64> = 100_000..=10_000_000_000;
const QUEUE: RangeInclusive<Duration> = Duration::from_millis(1)..=Duration::from_secs(10);
/// A queue's bytes lie in kernel memory, and no one connection fills more.
const MAX_QUEUE_BYTES: u64 = 1 << 30;

/// A household: its radios, and which station is on which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabSpec {
    /// 1 to 8 radios.
    pub radios: Vec<RadioSpec>,
    /// 1 to 250 stations.
    pub stations: Vec<StationSpec>,
}

/// One radio, shared by its stations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RadioSpec {
    /// For people and reports; interfaces get names of their own.
    pub name: String,
    /// Bits per second of each direction, headers from Ethernet upwards counted; 100 kbit/s to 10 Gbit/s.
    pub rate_bps: u64,
    /// How long a full queue takes to drain at that rate; 1 ms to 10 s. A queue holds two full frames at the least.
    pub queue: Duration,
}

/// One client device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StationSpec {
    /// For people and reports.
    pub name: String,
    /// Index of its radio in [`LabSpec::radios`].
    pub radio: usize,
}

/// A [`LabSpec`] asks for what the lab cannot give.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Too few or too many radios.
    #[error("a lab has 1 to 8 radios, not {0}")]
    Radios(usize),
    /// Too few or too many stations.
    #[error("a lab has 1 to 250 stations, not {0}")]
    Stations(usize),
    /// A radio too slow or too fast.
    #[error("radio '{radio}': a rate is 100 kbit/s to 10 Gbit/s, not {rate_bps} bit/s")]
    Rate {
        /// The radio's name.
        radio: String,
        /// What was asked for.
        rate_bps: u64,
    },
    /// A queue too short or too long.
    #[error("radio '{radio}': a queue is 1 ms to 10 s long, not {queue:?}")]
    Queue {
        /// The radio's name.
        radio: String,
        /// What was asked for.
        queue: Duration,
    },
    /// A queue that would take too much memory.
    #[error("radio '{radio}': a queue of {queue:?} at {rate_bps} bit/s is over 1 GiB of kernel memory; shorten it")]
    QueueMemory {
        /// The radio's name.
        radio: String,
        /// Its queue.
        queue: Duration,
        /// Its rate.
        rate_bps: u64,
    },
    /// A station on a radio that there is not.
    #[error("station '{station}' is on radio number {radio}, counted from 0, and there are {radios}")]
    NoSuchRadio {
        /// The station's name.
        station: String,
        /// The index it gave.
        radio: usize,
        /// How many radios there are.
        radios: usize,
    },
}

impl LabSpec {
    /// Whether this can be built.
    ///
    /// # Errors
    /// The first thing that is out of bounds.
    pub fn validate(&self) -> Result<(), SpecError> {
        if !RADIOS.contains(&self.radios.len()) {
            return Err(SpecError::Radios(self.radios.len()));
        }
        if !STATIONS.contains(&self.stations.len()) {
            return Err(SpecError::Stations(self.stations.len()));
        }
        self.radios.iter().try_for_each(RadioSpec::validate)?;
        match self.stations.iter().find(|station| station.radio >= self.radios.len()) {
            Some(lost) => {
                Err(SpecError::NoSuchRadio { station: lost.name.clone(), radio: lost.radio, radios: self.radios.len() })
            }
            None => Ok(()),
        }
    }
}

impl RadioSpec {
    fn validate(&self) -> Result<(), SpecError> {
        let (radio, rate_bps, queue) = (self.name.clone(), self.rate_bps, self.queue);
        if !RATE_BPS.contains(&rate_bps) {
            return Err(SpecError::Rate { radio, rate_bps });
        }
        if !QUEUE.contains(&queue) {
            return Err(SpecError::Queue { radio, queue });
        }
        if queue_bytes(rate_bps, queue) > MAX_QUEUE_BYTES {
            return Err(SpecError::QueueMemory { radio, queue, rate_bps });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(radios: usize, stations: usize) -> LabSpec {
        let radio = RadioSpec { name: "r".into(), rate_bps: 1_000_000, queue: Duration::from_millis(100) };
        let station = StationSpec { name: "s".into(), radio: 0 };
        LabSpec { radios: vec![radio; radios], stations: vec![station; stations] }
    }

    fn with_radio(rate_bps: u64, queue: Duration) -> LabSpec {
        let mut spec = spec(1, 1);
        spec.radios[0] = RadioSpec { name: "r".into(), rate_bps, queue };
        spec
    }

    #[test]
    fn a_household_between_the_bounds_is_accepted_up_to_the_bounds_themselves() {
        for spec in [
            spec(1, 1),
            spec(8, 250),
            with_radio(100_000, Duration::from_secs(10)),
            with_radio(10_000_000_000, Duration::from_millis(1)),
        ] {
            assert_eq!(spec.validate(), Ok(()));
        }
    }

    #[test]
    fn a_household_past_any_bound_is_refused_by_that_bound() {
        let ms = Duration::from_millis;
        assert_eq!(spec(0, 1).validate(), Err(SpecError::Radios(0)));
        assert_eq!(spec(9, 1).validate(), Err(SpecError::Radios(9)));
        assert_eq!(spec(1, 0).validate(), Err(SpecError::Stations(0)));
        assert_eq!(spec(1, 251).validate(), Err(SpecError::Stations(251)));
        for rate_bps in [0, 99_999, 10_000_000_001, u64::MAX] {
            let refused = with_radio(rate_bps, ms(100)).validate();
            assert_eq!(refused, Err(SpecError::Rate { radio: "r".into(), rate_bps }));
        }
        for queue in [Duration::ZERO, Duration::from_micros(999), ms(10_001), Duration::MAX] {
            let refused = with_radio(1_000_000, queue).validate();
            assert_eq!(refused, Err(SpecError::Queue { radio: "r".into(), queue }));
        }
        // 10 Gbit/s for 1 s is 1.25e9 bytes; 1 GiB is 1.07e9.
        let refused = with_radio(10_000_000_000, ms(1000)).validate();
        assert!(matches!(refused, Err(SpecError::QueueMemory { .. })), "{refused:?}");
    }

    #[test]
    fn a_station_on_a_radio_that_there_is_not_is_named() {
        let mut spec = spec(2, 3);
        spec.stations[1] = StationSpec { name: "tv".into(), radio: 2 };
        let refused = spec.validate();
        assert_eq!(refused, Err(SpecError::NoSuchRadio { station: "tv".into(), radio: 2, radios: 2 }));
    }
}
