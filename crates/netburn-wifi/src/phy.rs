//! What a radio can at best send: the arithmetic behind every rate on a box.
//!
//! Rates are bits on the air while a frame is sent. What an application gets is less: frames have headers, are
//! acknowledged, wait for their turn, and share the air with everybody else. Half is a good outcome.

use crate::beacon::Generation;

/// How many bits a symbol carries on each subcarrier and stream: the finer, the better the signal must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modulation {
    /// 64-QAM, 6 bits: the finest of Wi-Fi 4.
    Qam64,
    /// 256-QAM, 8 bits: the finest of Wi-Fi 5.
    Qam256,
    /// 1024-QAM, 10 bits: the finest of Wi-Fi 6; before it, some makers' own addition.
    Qam1024,
    /// 4096-QAM, 12 bits: the finest of Wi-Fi 7.
    Qam4096,
}

impl Modulation {
    /// The finest that a generation's standard has.
    #[must_use]
    pub const fn finest_of(generation: Generation) -> Self {
        match generation {
            Generation::Wifi4 => Self::Qam64,
            Generation::Wifi5 => Self::Qam256,
            Generation::Wifi6 => Self::Qam1024,
            Generation::Wifi7 => Self::Qam4096,
        }
    }

    const fn bits(self) -> u64 {
        match self {
            Self::Qam64 => 6,
            Self::Qam256 => 8,
            Self::Qam1024 => 10,
            Self::Qam4096 => 12,
        }
    }
}

/// The rate, in bit/s, with the highest code rate (5/6) and the shortest guard interval; `None` where the generation has no
/// channel of that width, or there is no stream.
///
/// Rate = N_SD × N_BPSCS × R × N_SS / (T_DFT + T_GI), with data subcarriers N_SD, bits N_BPSCS, code rate R and streams
/// N_SS. Up to Wi-Fi 5 (IEEE 802.11-2020, 19.3 and 21.3; tables 19-6 and 21-5): T_DFT = 3.2 µs, T_GI = 0.4 µs. From Wi-Fi
/// 6 on (IEEE 802.11ax-2021, 27.3.2 and table 27-12): T_DFT = 12.8 µs, T_GI = 0.8 µs. It does not know the few combinations
/// that a standard leaves out.
#[must_use]
pub fn best_rate_bps(generation: Generation, width_mhz: u32, streams: u8, modulation: Modulation) -> Option<u64> {
    let (subcarriers, symbol_ns): (u64, u64) = match generation {
        Generation::Wifi4 | Generation::Wifi5 => (subcarriers_until_5(width_mhz)?, 3_600),
        Generation::Wifi6 | Generation::Wifi7 => (subcarriers_from_6(width_mhz)?, 13_600),
    };
    let too_wide = match generation {
        Generation::Wifi4 => width_mhz > 40,
        Generation::Wifi5 | Generation::Wifi6 => width_mhz > 160,
        Generation::Wifi7 => false,
    };
    if too_wide || streams == 0 {
        return None;
    }
    let six_bits = subcarriers * modulation.bits() * 5 * u64::from(streams);
    Some(six_bits * 1_000_000_000 / (6 * symbol_ns))
}

/// Tables 19-6 and 21-5.
const fn subcarriers_until_5(width_mhz: u32) -> Option<u64> {
    Some(match width_mhz {
        20 => 52,
        40 => 108,
        80 => 234,
        160 => 468,
        _ => return None,
    })
}

/// IEEE 802.11ax-2021, 27.5 (resource units of 242, 484, 996 and 2×996 tones); 802.11be doubles the last.
const fn subcarriers_from_6(width_mhz: u32) -> Option<u64> {
    Some(match width_mhz {
        20 => 234,
        40 => 468,
        80 => 980,
        160 => 1_960,
        320 => 3_920,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tenths_of_mbps(generation: Generation, width_mhz: u32, streams: u8) -> u64 {
        let rate = best_rate_bps(generation, width_mhz, streams, Modulation::finest_of(generation)).expect("exists");
        (rate + 50_000) / 100_000
    }

    #[test]
    fn rates_are_those_of_the_standards_tables() {
        // 108 × 6 × 5/6 × 2 = 1080 bits in 3.6 µs: 300 Mbps.
        assert_eq!(tenths_of_mbps(Generation::Wifi4, 40, 2), 3_000);
        // 234 × 8 × 5/6 × 2 = 3120 bits in 3.6 µs: 866.67 Mbps.
        assert_eq!(tenths_of_mbps(Generation::Wifi5, 80, 2), 8_667);
        // 980 × 10 × 5/6 × 2 = 16 333.3 bits in 13.6 µs: 1200.98 Mbps.
        assert_eq!(tenths_of_mbps(Generation::Wifi6, 80, 2), 12_010);
        // 1960 × 10 × 5/6 × 2 = 32 666.7 bits in 13.6 µs: 2401.96 Mbps.
        assert_eq!(tenths_of_mbps(Generation::Wifi6, 160, 2), 24_020);
        // 3920 × 12 × 5/6 × 2 = 78 400 bits in 13.6 µs: 5764.71 Mbps.
        assert_eq!(tenths_of_mbps(Generation::Wifi7, 320, 2), 57_647);
    }

    #[test]
    fn a_width_that_a_generation_lacks_has_no_rate() {
        let rate = |generation, width| best_rate_bps(generation, width, 1, Modulation::Qam64);
        assert_eq!(rate(Generation::Wifi4, 80), None);
        assert_eq!(rate(Generation::Wifi6, 320), None);
        assert_eq!(rate(Generation::Wifi7, 30), None);
        assert_eq!(best_rate_bps(Generation::Wifi5, 80, 0, Modulation::Qam256), None);
    }
}
