//! How fast: generation, channel, width and streams, from the capability and operation elements of each generation.

use super::Generation;
use super::element::{self, Elements};

/// The newest generation whose capabilities are there.
pub(super) fn generation(elements: Elements<'_>) -> Option<Generation> {
    if elements.first_extended(element::EHT_CAPABILITIES).is_some() {
        Some(Generation::Wifi7)
    } else if elements.first_extended(element::HE_CAPABILITIES).is_some() {
        Some(Generation::Wifi6)
    } else if elements.first(element::VHT_CAPABILITIES).is_some() {
        Some(Generation::Wifi5)
    } else if elements.first(element::HT_CAPABILITIES).is_some() {
        Some(Generation::Wifi4)
    } else {
        None
    }
}

/// The primary channel, from whichever element a band uses for it.
pub(super) fn channel(elements: Elements<'_>) -> Option<u32> {
    let of_6_ghz = six_ghz(elements).map(|operation| operation.primary);
    let primary = || elements.first(element::DSSS_PARAMETER_SET).or_else(|| elements.first(element::HT_OPERATION));
    of_6_ghz.or_else(|| primary()?.first().copied()).map(u32::from)
}

/// The network's width: what is in use, not what the access point could do. Newer elements tell of widths that older
/// ones cannot.
pub(super) fn width_mhz(elements: Elements<'_>) -> Option<u32> {
    eht_width(elements)
        .or_else(|| six_ghz(elements).and_then(|operation| operation.width_mhz))
        .or_else(|| vht_width(elements))
        .or_else(|| ht_width(elements))
}

/// EHT Operation: parameters (1), basic rates (4), then, where bit 0 of the parameters is set, control (1), of which the
/// lowest three bits are the width.
fn eht_width(elements: Elements<'_>) -> Option<u32> {
    let operation = elements.first_extended(element::EHT_OPERATION)?;
    (operation.first()? & 1 == 1).then_some(())?;
    match operation.get(5)? & 0b111 {
        0 => Some(20),
        1 => Some(40),
        2 => Some(80),
        3 => Some(160),
        4 => Some(320),
        _ => None,
    }
}

/// What HE Operation says of a network on 6 GHz.
struct SixGhz {
    primary: u8,
    width_mhz: Option<u32>,
}

/// HE Operation: parameters (3), colour (1), basic rates (2); then VHT operation (3) where bit 14 of the parameters is
/// set, the number of co-hosted networks (1) where bit 15 is, and 6 GHz operation (5) where bit 17 is.
fn six_ghz(elements: Elements<'_>) -> Option<SixGhz> {
    let operation = elements.first_extended(element::HE_OPERATION)?;
    let (&[a, b, c], _) = operation.split_first_chunk::<3>()?;
    let parameters = u32::from_le_bytes([a, b, c, 0]);
    let has = |bit: u32| parameters >> bit & 1 == 1;
    has(17).then_some(())?;
    let before = 6 + if has(14) { 3 } else { 0 } + usize::from(has(15));
    let &[primary, control, _, _, _] = operation.get(before..before + 5)?.first_chunk::<5>()?;
    // Each step doubles 20 MHz; 160 stands for 80+80 too.
    Some(SixGhz { primary, width_mhz: Some(20 << (control & 0b11)) })
}

/// VHT Operation: width (1), then the middles of the first and the second segment. 0: as HT Operation says.
fn vht_width(elements: Elements<'_>) -> Option<u32> {
    let &[width, first, second, ..] = elements.first(element::VHT_OPERATION)? else { return None };
    match width {
        // Table 9-274: a second segment 8 channels away is the other half of 160 MHz; further away, of 80+80.
        1 if second != 0 && first.abs_diff(second) >= 8 => Some(160),
        1 => Some(80),
        2 | 3 => Some(160), // deprecated: 160 and 80+80
        _ => None,
    }
}

/// HT Operation: primary channel (1), then bits of which the lowest two tell where the second 20 MHz are (1 above, 3
/// below, 0 nowhere) and the third whether more than 20 MHz may be used.
fn ht_width(elements: Elements<'_>) -> Option<u32> {
    let &[_, bits, ..] = elements.first(element::HT_OPERATION)? else { return None };
    Some(if bits & 0b11 != 0 && bits & 0b100 != 0 { 40 } else { 20 })
}

/// The most streams that any generation's map of rates tells.
pub(super) fn streams(elements: Elements<'_>) -> Option<u8> {
    [ht_streams(elements), vht_streams(elements), he_streams(elements), eht_streams(elements)]
        .into_iter()
        .flatten()
        .max()
}

/// HT Capabilities: information (2), A-MPDU (1), then a bit for each scheme: an octet for each stream.
fn ht_streams(elements: Elements<'_>) -> Option<u8> {
    let schemes = elements.first(element::HT_CAPABILITIES)?.get(3..7)?;
    highest(schemes.iter().map(|octet| *octet != 0))
}

/// VHT Capabilities: information (4), then the map of what can be received.
fn vht_streams(elements: Elements<'_>) -> Option<u8> {
    streams_of_map(elements.first(element::VHT_CAPABILITIES)?.get(4..6)?)
}

/// HE Capabilities: MAC (6), PHY (11), then the map of what can be received at up to 80 MHz.
fn he_streams(elements: Elements<'_>) -> Option<u8> {
    streams_of_map(elements.first_extended(element::HE_CAPABILITIES)?.get(17..19)?)
}

/// EHT Capabilities: MAC (2), PHY (9), then for the lowest schemes the number of streams received (low half octet) and sent.
fn eht_streams(elements: Elements<'_>) -> Option<u8> {
    let octet = elements.first_extended(element::EHT_CAPABILITIES)?.get(11)?;
    Some(octet & 0x0f).filter(|streams| (1..=8).contains(streams))
}

/// Two bits for each of eight streams; 3 says that so many are not supported.
fn streams_of_map(map: &[u8]) -> Option<u8> {
    let &[low, high] = map else { return None };
    let map = u16::from_le_bytes([low, high]);
    highest((0..8).map(|stream| map >> (2 * stream) & 0b11 != 0b11))
}

/// The number of the last one that is supported, counted from one.
fn highest(supported: impl Iterator<Item = bool>) -> Option<u8> {
    (1..).zip(supported).filter(|(_, is)| *is).map(|(number, _)| number).last()
}
