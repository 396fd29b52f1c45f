//! What an access point advertises: the elements of its beacons and probe responses.
//!
//! Clause numbers are those of IEEE 802.11-2020 where nothing else is said. An element that is broken or too short says
//! nothing; of several of one kind the first counts.

mod capability;
mod element;
mod security;
#[cfg(test)]
mod tests;

use crate::Ssid;
use element::Elements;

pub use security::{KeyManagement, Security};

/// What an access point says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Beacon {
    /// The network's name.
    pub ssid: Option<Ssid>,
    /// The primary channel's number, by its own word.
    pub channel: Option<u32>,
    /// How wide the network's channel is, in MHz.
    pub width_mhz: Option<u32>,
    /// The most spatial streams that it can receive. How many antennas it has is not advertised.
    pub streams: Option<u8>,
    /// The newest generation of Wi-Fi that it speaks.
    pub generation: Option<Generation>,
    /// 802.11k: it answers with a list of its neighbours.
    pub k: bool,
    /// 802.11v: it may ask a client to move to another access point.
    pub v: bool,
    /// 802.11r: a client may move within this domain without a new handshake.
    pub r: Option<MobilityDomain>,
    /// 802.11s: this very network is a mesh between access points.
    pub s: bool,
    /// How the network is locked; absent where nothing was heard that tells it.
    pub security: Option<Security>,
    /// The country by whose rules it sends: two letters.
    pub country: Option<String>,
    /// How busy it says it is.
    pub load: Option<BssLoad>,
}

/// A generation of Wi-Fi.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Generation {
    /// 802.11n.
    Wifi4,
    /// 802.11ac.
    Wifi5,
    /// 802.11ax; on 6 GHz also called 6E.
    Wifi6,
    /// 802.11be.
    Wifi7,
}

impl Generation {
    /// As in "Wi-Fi 6 (802.11ax)".
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Wifi4 => "Wi-Fi 4 (802.11n)",
            Self::Wifi5 => "Wi-Fi 5 (802.11ac)",
            Self::Wifi6 => "Wi-Fi 6 (802.11ax)",
            Self::Wifi7 => "Wi-Fi 7 (802.11be)",
        }
    }
}

/// The mobility domain: access points between which fast transitions work (9.4.2.46).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MobilityDomain {
    /// The domain's number.
    pub id: u16,
    /// Whether access points pass a client on over their own cable, rather than the client asking over the air.
    pub over_cable: bool,
}

/// How busy an access point says it is (9.4.2.27).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BssLoad {
    /// Clients that are connected to it.
    pub stations: u16,
    /// The share of time in which it heard its channel busy, in 255ths.
    pub utilisation_255ths: u8,
}

impl Beacon {
    /// Reads the elements of a beacon or a probe response; `capability` is the fixed field before them (9.4.1.4).
    #[must_use]
    pub fn parse(elements: &[u8], capability: Option<u16>) -> Self {
        let elements = Elements::new(elements);
        Self {
            ssid: elements.first(element::SSID).and_then(Ssid::from_octets),
            channel: capability::channel(elements),
            width_mhz: capability::width_mhz(elements),
            streams: capability::streams(elements),
            generation: capability::generation(elements),
            // 9.4.2.44: bit 1 of RM Enabled Capabilities is "Neighbor Report".
            k: elements.bit(element::RM_ENABLED_CAPABILITIES, 1),
            // 9.4.2.26: bit 19 of Extended Capabilities is "BSS Transition".
            v: elements.bit(element::EXTENDED_CAPABILITIES, 19),
            r: elements.first(element::MOBILITY_DOMAIN).and_then(mobility_domain),
            s: elements.first(element::MESH_CONFIGURATION).is_some() || elements.first(element::MESH_ID).is_some(),
            security: security::security(elements, capability),
            country: elements.first(element::COUNTRY).and_then(country),
            load: elements.first(element::BSS_LOAD).and_then(load),
        }
    }
}

/// Domain (2), then bits of which the first is "Fast BSS Transition over DS".
fn mobility_domain(value: &[u8]) -> Option<MobilityDomain> {
    let &[low, high, bits, ..] = value else { return None };
    Some(MobilityDomain { id: u16::from_le_bytes([low, high]), over_cable: bits & 1 != 0 })
}

/// 9.4.2.8: two letters, and a third octet that says where rules differ by place.
fn country(value: &[u8]) -> Option<String> {
    let letters = value.get(..2)?;
    letters.iter().all(u8::is_ascii_alphanumeric).then(|| letters.iter().copied().map(char::from).collect())
}

/// 9.4.2.27: stations (2), utilisation (1), and what is left for calls (2).
fn load(value: &[u8]) -> Option<BssLoad> {
    let &[low, high, utilisation_255ths, _, _, ..] = value else { return None };
    Some(BssLoad { stations: u16::from_le_bytes([low, high]), utilisation_255ths })
}
