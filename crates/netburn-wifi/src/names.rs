//! How a network and an access point are called.

use std::fmt;

/// The hardware address of a radio: of an access point's one, a BSSID.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MacAddress(pub [u8; 6]);

impl MacAddress {
    /// The address in a field of exactly six octets.
    #[must_use]
    pub fn from_octets(octets: &[u8]) -> Option<Self> {
        octets.try_into().ok().map(Self)
    }
}

impl fmt::Display for MacAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02x}:{b:02x}:{c:02x}:{d:02x}:{e:02x}:{g:02x}")
    }
}

/// The name of a network: up to 32 octets that whoever runs an access point chose (IEEE 802.11-2020, 9.4.2.2). Any
/// octets, so [`Display`](fmt::Display) shows what could harm a terminal or mislead a reader as an escape.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Ssid(Vec<u8>);

impl Ssid {
    /// The most octets of a name.
    pub const LONGEST: usize = 32;

    /// The name in these octets; `None` where there are more than a name may have.
    #[must_use]
    pub fn from_octets(octets: &[u8]) -> Option<Self> {
        (octets.len() <= Self::LONGEST).then(|| Self(octets.to_vec()))
    }

    /// The octets as they are on the air.
    #[must_use]
    pub fn octets(&self) -> &[u8] {
        &self.0
    }

    /// Whether it is empty or of zeros alone, as hidden networks put it into their beacons.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.0.iter().all(|octet| *octet == 0)
    }
}

impl fmt::Display for Ssid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for chunk in self.0.utf8_chunks() {
            for c in chunk.valid().chars() {
                if is_plain(c) {
                    write!(f, "{c}")?;
                } else {
                    write!(f, "{}", c.escape_unicode())?;
                }
            }
            for octet in chunk.invalid() {
                write!(f, "\\x{octet:02x}")?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Ssid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ssid({self})")
    }
}

/// Whether a character shows as itself, moves nothing on the line, and can be told from others. The backslash is not
/// plain: it begins our escapes.
fn is_plain(c: char) -> bool {
    let invisible = matches!(c,
        '\u{a0}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{1680}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{2000}'..='\u{200f}'   // spaces of other widths, zero-width characters, marks of direction
        | '\u{2028}'..='\u{202f}'   // line and paragraph separators, embedding and override of direction
        | '\u{205f}'..='\u{206f}'   // invisible operators, isolates of direction
        | '\u{2800}' | '\u{3000}' | '\u{3164}' | '\u{ffa0}'
        | '\u{fe00}'..='\u{fe0f}'   // variation selectors
        | '\u{feff}' | '\u{fff0}'..='\u{ffff}'
        | '\u{e0000}'..='\u{e0fff}' // tags
        | '\u{e000}'..='\u{f8ff}' | '\u{f0000}'..='\u{10ffff}'); // private use
    !(c.is_control() || c == '\\' || invisible)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(octets: &[u8]) -> String {
        Ssid::from_octets(octets).expect("short enough").to_string()
    }

    #[test]
    fn an_address_is_shown_as_six_pairs_of_digits() {
        assert_eq!(MacAddress([0x02, 0, 0, 0, 0x0a, 0xff]).to_string(), "02:00:00:00:0a:ff");
        assert_eq!(MacAddress::from_octets(&[1, 2, 3, 4, 5]), None);
        assert_eq!(MacAddress::from_octets(&[1, 2, 3, 4, 5, 6, 7]), None);
    }

    #[test]
    fn an_ordinary_name_in_any_script_is_shown_as_it_is() {
        assert_eq!(shown(b"Our home 5 GHz"), "Our home 5 GHz");
        assert_eq!(shown("Кафе 咖啡 ☕".as_bytes()), "Кафе 咖啡 ☕");
    }

    #[test]
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(shown(b"\x1b[2Jhi\n"), "\\u{1b}[2Jhi\\u{a}");
        // U+009B is the one-character form of ESC [.
        assert_eq!(shown("\u{9b}2J".as_bytes()), "\\u{9b}2J");
    }

    #[test]
    fn what_would_turn_or_hide_text_is_escaped() {
        assert_eq!(shown("a\u{202e}b\u{2066}c\u{200b}d".as_bytes()), "a\\u{202e}b\\u{2066}c\\u{200b}d");
        assert_eq!(shown("no\u{a0}break".as_bytes()), "no\\u{a0}break");
    }

    #[test]
    fn octets_that_are_no_utf8_are_shown_one_by_one_and_a_backslash_cannot_forge_them() {
        assert_eq!(shown(b"caf\xe9!"), "caf\\xe9!");
        assert_eq!(shown(br"caf\xe9!"), "caf\\u{5c}xe9!");
    }

    #[test]
    fn a_name_has_at_most_32_octets() {
        assert!(Ssid::from_octets(&[b'x'; 32]).is_some());
        assert_eq!(Ssid::from_octets(&[b'x'; 33]), None);
    }

    #[test]
    fn a_name_of_nothing_or_of_zeros_is_hidden() {
        assert!(Ssid::default().is_hidden());
        assert!(Ssid::from_octets(&[0; 8]).expect("short").is_hidden());
        assert!(!Ssid::from_octets(b"\0a").expect("short").is_hidden());
    }
}
