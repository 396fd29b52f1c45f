//! A rate: what `NL80211_STA_INFO_TX_BITRATE` and `…_RX_BITRATE` hold.

use std::time::Duration;

use super::numbers::rate_info;
use crate::netlink::Attributes;
use crate::{Bitrate, BitrateKind};

/// The kernel counts rates in units of 100 kbps.
const UNIT_BPS: u64 = 100_000;

/// `None` where no rate is told: nothing was sent yet, or the driver does not know.
pub(super) fn bitrate(rate: Attributes<'_>) -> Option<Bitrate> {
    // The older field is too small for rates above 6.5 Gbps; both are sent where both can hold it.
    let units = rate.u32(rate_info::BITRATE32).or_else(|| rate.u16(rate_info::BITRATE).map(u32::from))?;
    let (kind, guard_ns) = kind_and_guard(rate);
    Some(Bitrate {
        bits_per_second: u64::from(units) * UNIT_BPS,
        kind,
        width_mhz: width_mhz(rate),
        guard_interval: guard_ns.map(Duration::from_nanos),
    })
}

/// The newest generation that is told; a later one never comes with an earlier one's fields.
fn kind_and_guard(rate: Attributes<'_>) -> (BitrateKind, Option<u64>) {
    // IEEE 802.11-2020, tables 19-6 and 21-5: the long guard interval is 800 ns, the short one 400 ns.
    let short_or_long = if rate.has(rate_info::SHORT_GI) { 400 } else { 800 };
    if let Some((mcs, streams)) = rate.u8(rate_info::EHT_MCS).zip(rate.u8(rate_info::EHT_NSS)) {
        (BitrateKind::Eht { mcs, streams }, rate.u8(rate_info::EHT_GI).and_then(guard_ns))
    } else if let Some((mcs, streams)) = rate.u8(rate_info::HE_MCS).zip(rate.u8(rate_info::HE_NSS)) {
        (BitrateKind::He { mcs, streams }, rate.u8(rate_info::HE_GI).and_then(guard_ns))
    } else if let Some((mcs, streams)) = rate.u8(rate_info::VHT_MCS).zip(rate.u8(rate_info::VHT_NSS)) {
        (BitrateKind::Vht { mcs, streams }, Some(short_or_long))
    } else if let Some(mcs) = rate.u8(rate_info::MCS) {
        (BitrateKind::Ht { mcs }, Some(short_or_long))
    } else {
        (BitrateKind::Legacy, None)
    }
}

/// `enum nl80211_he_gi` and `nl80211_eht_gi`, which agree.
const fn guard_ns(guard: u8) -> Option<u64> {
    match guard {
        0 => Some(800),
        1 => Some(1_600),
        2 => Some(3_200),
        _ => None,
    }
}

/// Each width but 20 MHz is a flag.
fn width_mhz(rate: Attributes<'_>) -> u32 {
    const WIDTHS: [(u16, u32); 7] = [
        (rate_info::WIDTH_320, 320),
        (rate_info::WIDTH_160, 160),
        (rate_info::WIDTH_80P80, 160),
        (rate_info::WIDTH_80, 80),
        (rate_info::WIDTH_40, 40),
        (rate_info::WIDTH_10, 10),
        (rate_info::WIDTH_5, 5),
    ];
    WIDTHS.iter().find(|(flag, _)| rate.has(*flag)).map_or(20, |(_, mhz)| *mhz)
}
