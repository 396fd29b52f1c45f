//! The rate at which a radio sends: bits while a frame is on the air, not what an application gets.

use std::fmt;
use std::time::Duration;

/// The rate of one frame, and how it comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bitrate {
    /// Bits per second on the air. The kernel gives multiples of 100 kbps, rounded.
    pub bits_per_second: u64,
    /// Which generation of Wi-Fi, and with how many streams.
    pub kind: BitrateKind,
    /// How wide the frame was, in MHz.
    pub width_mhz: u32,
    /// The pause between symbols; absent for the oldest rates, and where the driver does not tell it.
    pub guard_interval: Option<Duration>,
}

/// Which generation of Wi-Fi a frame was sent with. `mcs` is the modulation and coding scheme: the higher, the more bits
/// in each symbol, and the better the signal must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BitrateKind {
    /// 802.11a/b/g.
    Legacy,
    /// 802.11n, Wi-Fi 4. `mcs` 0 to 31 counts streams too: there are `mcs / 8 + 1`.
    Ht {
        /// Modulation and coding scheme, with the streams in it.
        mcs: u8,
    },
    /// 802.11ac, Wi-Fi 5.
    Vht {
        /// Modulation and coding scheme.
        mcs: u8,
        /// Spatial streams.
        streams: u8,
    },
    /// 802.11ax, Wi-Fi 6.
    He {
        /// Modulation and coding scheme.
        mcs: u8,
        /// Spatial streams.
        streams: u8,
    },
    /// 802.11be, Wi-Fi 7.
    Eht {
        /// Modulation and coding scheme.
        mcs: u8,
        /// Spatial streams.
        streams: u8,
    },
}

impl BitrateKind {
    /// Spatial streams; absent for the oldest rates, where there is nothing to count.
    #[must_use]
    pub const fn streams(self) -> Option<u8> {
        match self {
            Self::Legacy => None,
            Self::Ht { mcs } => Some(mcs / 8 + 1),
            Self::Vht { streams, .. } | Self::He { streams, .. } | Self::Eht { streams, .. } => Some(streams),
        }
    }
}

/// As in "VHT MCS 9, 2 streams".
impl fmt::Display for BitrateKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, mcs) = match self {
            Self::Legacy => return f.write_str("legacy"),
            Self::Ht { mcs } => ("HT", mcs),
            Self::Vht { mcs, .. } => ("VHT", mcs),
            Self::He { mcs, .. } => ("HE", mcs),
            Self::Eht { mcs, .. } => ("EHT", mcs),
        };
        let streams = self.streams().unwrap_or(1);
        write!(f, "{name} MCS {mcs}, {streams} stream{}", if streams == 1 { "" } else { "s" })
    }
}

/// As in "866.7 Mbps, VHT MCS 9, 2 streams, 80 MHz, guard 0.4 µs".
impl fmt::Display for Bitrate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The kernel's grain is a tenth of a megabit.
        let tenths = self.bits_per_second / 100_000;
        write!(f, "{}.{} Mbps, {}, {} MHz", tenths / 10, tenths % 10, self.kind, self.width_mhz)?;
        if let Some(guard) = self.guard_interval {
            let tenths = guard.as_nanos() / 100;
            write!(f, ", guard {}.{} µs", tenths / 10, tenths % 10)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_told_with_all_that_makes_it() {
        let rate = Bitrate {
            bits_per_second: 866_700_000,
            kind: BitrateKind::Vht { mcs: 9, streams: 2 },
            width_mhz: 80,
            guard_interval: Some(Duration::from_nanos(400)),
        };
        assert_eq!(rate.to_string(), "866.7 Mbps, VHT MCS 9, 2 streams, 80 MHz, guard 0.4 µs");
    }

    #[test]
    fn an_old_rate_has_no_streams() {
        let rate =
            Bitrate { bits_per_second: 5_500_000, kind: BitrateKind::Legacy, width_mhz: 20, guard_interval: None };
        assert_eq!((rate.to_string().as_str(), rate.kind.streams()), ("5.5 Mbps, legacy, 20 MHz", None));
    }

    #[test]
    fn the_schemes_of_wifi_4_count_streams_in_eights() {
        // IEEE 802.11-2020, 19.5: MCS 0–7 are one stream, 8–15 two, 16–23 three, 24–31 four.
        assert_eq!([0, 7, 8, 15, 16, 31].map(|mcs| BitrateKind::Ht { mcs }.streams()), [1, 1, 2, 2, 3, 4].map(Some));
    }
}
