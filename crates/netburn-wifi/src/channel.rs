//! Where on the air: band and channel of a frequency.

use std::fmt;

/// A band of frequencies that Wi-Fi uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Band {
    /// 2.4 GHz: reaches far, three channels that do not overlap, shared with much else.
    Ghz2,
    /// 5 GHz: more and wider channels, weaker behind walls.
    Ghz5,
    /// 6 GHz, since Wi-Fi 6E: wide channels and no old devices, weakest behind walls.
    Ghz6,
    /// Anything else, for example 60 GHz or sub-gigahertz bands.
    Other,
}

impl Band {
    /// The band of a frequency in MHz: of a channel's middle, as nl80211 gives it.
    #[must_use]
    pub const fn of(frequency_mhz: u32) -> Self {
        match frequency_mhz {
            2_400..=2_500 => Self::Ghz2,
            // IEEE 802.11-2020, Annex E: 4.9 GHz channels are of the same kind of radio. 6 GHz begins at 5925 MHz.
            4_900..5_925 => Self::Ghz5,
            5_925..=7_125 => Self::Ghz6,
            _ => Self::Other,
        }
    }
}

impl fmt::Display for Band {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Ghz2 => "2.4 GHz",
            Self::Ghz5 => "5 GHz",
            Self::Ghz6 => "6 GHz",
            Self::Other => "another band",
        })
    }
}

/// The number of the 20 MHz channel whose middle is at `frequency_mhz`; absent where no channel is there.
///
/// Channel centre = starting frequency + 5 MHz × number (IEEE 802.11-2020, 21.3.14), where a band starts at 2407,
/// 5000 or 5950 MHz; channel 14 (2484 MHz, 15.4.4.3) and channel 2 of 6 GHz (5935 MHz, Annex E, class 136) are exceptions.
#[must_use]
pub const fn channel_number(frequency_mhz: u32) -> Option<u32> {
    let (start, last) = match frequency_mhz {
        2_484 => return Some(14),
        5_935 => return Some(2),
        2_412..=2_472 => (2_407, 13),
        5_160..=5_885 => (5_000, 177),
        5_955..=7_115 => (5_950, 233),
        _ => return None,
    };
    let from_start = frequency_mhz - start;
    if from_start.is_multiple_of(5) && from_start / 5 <= last { Some(from_start / 5) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn channels_are_numbered_as_their_bands_do() {
        // 2412 = 2407 + 5 × 1; 2472 = 2407 + 5 × 13; 5180 = 5000 + 5 × 36; 5825 = 5000 + 5 × 165;
        // 5955 = 5950 + 5 × 1; 7115 = 5950 + 5 × 233.
        let known = [(2412, 1), (2437, 6), (2472, 13), (2484, 14), (5180, 36), (5825, 165), (5955, 1), (7115, 233)];
        for (frequency, number) in known {
            assert_eq!(channel_number(frequency), Some(number), "{frequency} MHz");
        }
        assert_eq!(channel_number(5935), Some(2));
    }

    #[test]
    fn a_frequency_between_channels_has_no_number() {
        for frequency in [0, 2413, 2477, 5181, 5925, 58_320, u32::MAX] {
            assert_eq!(channel_number(frequency), None, "{frequency} MHz");
        }
    }

    #[test]
    fn bands_meet_where_6_ghz_begins() {
        assert_eq!([2412, 2484, 5180, 5924].map(Band::of), [Band::Ghz2, Band::Ghz2, Band::Ghz5, Band::Ghz5]);
        assert_eq!([5925, 5955, 7125].map(Band::of), [Band::Ghz6; 3]);
        assert_eq!([0, 900, 58_320].map(Band::of), [Band::Other; 3]);
    }
}
