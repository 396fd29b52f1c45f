//! How a network is locked: the RSN element (9.4.2.24), or what was before it.

use std::fmt;

use super::element::{self, Elements};

/// How a network is locked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Security {
    /// Not at all.
    Open,
    /// By WEP, broken since 2001.
    Wep,
    /// By the first WPA alone, superseded in 2004.
    Wpa1,
    /// By an RSN (WPA2 or WPA3), with these ways to agree on keys.
    Rsn(Vec<KeyManagement>),
}

/// A way to agree on keys (table 9-151).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyManagement {
    /// A password that all share, as in WPA2-Personal. `fast`: with 802.11r.
    Psk {
        /// With fast transitions (802.11r).
        fast: bool,
    },
    /// A password, without giving eavesdroppers anything to guess at, as in WPA3-Personal.
    Sae {
        /// With fast transitions (802.11r).
        fast: bool,
    },
    /// Each person's own account, as in WPA2- and WPA3-Enterprise.
    Enterprise {
        /// With fast transitions (802.11r).
        fast: bool,
    },
    /// No password but encrypted all the same ("Enhanced Open").
    Owe,
    /// Another one, by its number.
    Other {
        /// Who numbered it.
        vendor: [u8; 3],
        /// The number.
        number: u8,
    },
}

impl KeyManagement {
    const fn of(selector: [u8; 4]) -> Self {
        match selector {
            [0x00, 0x0f, 0xac, 2 | 6 | 20] => Self::Psk { fast: false },
            [0x00, 0x0f, 0xac, 4 | 19] => Self::Psk { fast: true },
            [0x00, 0x0f, 0xac, 8 | 24] => Self::Sae { fast: false },
            [0x00, 0x0f, 0xac, 9 | 25] => Self::Sae { fast: true },
            [0x00, 0x0f, 0xac, 1 | 5 | 11 | 12 | 23] => Self::Enterprise { fast: false },
            [0x00, 0x0f, 0xac, 3 | 13 | 22] => Self::Enterprise { fast: true },
            [0x00, 0x0f, 0xac, 18] => Self::Owe,
            [a, b, c, number] => Self::Other { vendor: [a, b, c], number },
        }
    }

    /// The same without fast transitions, where it is with them.
    const fn plain(self) -> Option<Self> {
        match self {
            Self::Psk { fast: true } => Some(Self::Psk { fast: false }),
            Self::Sae { fast: true } => Some(Self::Sae { fast: false }),
            Self::Enterprise { fast: true } => Some(Self::Enterprise { fast: false }),
            _ => None,
        }
    }
}

impl fmt::Display for KeyManagement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, fast) = match self {
            Self::Psk { fast } => ("WPA2-Personal (a shared password)", *fast),
            Self::Sae { fast } => ("WPA3-Personal (SAE)", *fast),
            Self::Enterprise { fast } => ("Enterprise (802.1X)", *fast),
            Self::Owe => ("Enhanced Open (OWE)", false),
            Self::Other { vendor: [a, b, c], number } => {
                return write!(f, "key management {a:02x}-{b:02x}-{c:02x}:{number}");
            }
        };
        write!(f, "{name}{}", if fast { " with 802.11r" } else { "" })
    }
}

/// As in "WPA2-Personal (a shared password) or WPA3-Personal (SAE)".
impl fmt::Display for Security {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open => f.write_str("open: not encrypted"),
            Self::Wep => f.write_str("WEP, which was broken long ago"),
            Self::Wpa1 => f.write_str("WPA of 2003, long superseded"),
            Self::Rsn(ways) if ways.is_empty() => f.write_str("encrypted"),
            Self::Rsn(ways) => {
                // With fast transitions beside the same without: named once.
                let told = ways.iter().filter(|way| !way.plain().is_some_and(|plain| ways.contains(&plain)));
                for (place, way) in told.enumerate() {
                    write!(f, "{}{way}", if place == 0 { "" } else { " or " })?;
                }
                Ok(())
            }
        }
    }
}

pub(super) fn security(mut elements: Elements<'_>, capability: Option<u16>) -> Option<Security> {
    if let Some(rsn) = elements.first(element::RSN) {
        return Some(Security::Rsn(ways(rsn).unwrap_or_default()));
    }
    // WPA's own element, from before there was an RSN: Microsoft's, type 1.
    if elements.any(|(number, value)| number == element::VENDOR_SPECIFIC && value.starts_with(&[0x00, 0x50, 0xf2, 1])) {
        return Some(Security::Wpa1);
    }
    // 9.4.1.4: bit 4 is "Privacy". Set without an RSN, it is WEP.
    capability.map(|bits| if bits & 0x10 == 0 { Security::Open } else { Security::Wep })
}

/// Version (2), group cipher (4), count and list of pairwise ciphers, count and list of key managements. Everything after
/// the version may be left out, from the end.
fn ways(rsn: &[u8]) -> Option<Vec<KeyManagement>> {
    let (_, rest) = rsn.split_at_checked(2 + 4)?;
    let (_pairwise, rest) = selectors(rest)?;
    let (found, _) = selectors(rest)?;
    let mut ways: Vec<KeyManagement> = Vec::new();
    for selector in found.chunks_exact(4) {
        let way = KeyManagement::of(selector.try_into().ok()?);
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    Some(ways)
}

/// A count (2) and that many selectors of four octets, and what comes after them.
fn selectors(octets: &[u8]) -> Option<(&[u8], &[u8])> {
    let (count, rest) = octets.split_first_chunk::<2>()?;
    rest.split_at_checked(usize::from(u16::from_le_bytes(*count)) * 4)
}
