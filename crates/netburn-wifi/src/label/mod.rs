//! What the class on a router's box can mean: AC1900, AX3000, BE9300.
//!
//! A label is a generation and a number: the sum of the best rates of all the radios in the box, generously rounded. Makers
//! choose it; no standard defines it, and the same number may stand for different boxes. What is said here is the most usual
//! one.

mod classes;

use std::str::FromStr;

use crate::Band;
use crate::beacon::Generation;
use crate::phy::{Modulation, best_rate_bps};
use classes::{CLASSES, Class};

/// A label as it is printed on a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    /// The letters: which generation of Wi-Fi.
    pub generation: Generation,
    /// Whether the letters promise 6 GHz too (AXE). Labels of Wi-Fi 7 (BE) do not say.
    pub six_ghz: bool,
    /// The number: the sum of all radios' best rates, rounded, in Mbps.
    pub total_mbps: u32,
}

/// A text is no label of this kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("this is no label like N600, AC1900, AX3000, AXE5400 or BE9300")]
pub struct NoLabel;

impl FromStr for Label {
    type Err = NoLabel;

    /// Reads "AC1900", "ac 1900" or "AC-1900".
    fn from_str(text: &str) -> Result<Self, NoLabel> {
        let text = text.trim();
        let digits = text.find(|c: char| c.is_ascii_digit()).ok_or(NoLabel)?;
        let (letters, number) = text.split_at_checked(digits).ok_or(NoLabel)?;
        let letters = letters.trim_end_matches([' ', '-', '_']).to_ascii_uppercase();
        let (generation, six_ghz) = match letters.as_str() {
            "N" => (Generation::Wifi4, false),
            "AC" => (Generation::Wifi5, false),
            "AX" => (Generation::Wifi6, false),
            "AXE" => (Generation::Wifi6, true),
            "BE" => (Generation::Wifi7, false),
            _ => return Err(NoLabel),
        };
        // A number below a hundred is a name (Wi-Fi's "N95"), one of six digits is a model's.
        let plausible = (100..100_000).contains(&number.parse::<u32>().unwrap_or(0));
        let total_mbps = number.parse().ok().filter(|_| plausible && number.bytes().all(|c| c.is_ascii_digit()));
        Ok(Self { generation, six_ghz, total_mbps: total_mbps.ok_or(NoLabel)? })
    }
}

impl std::fmt::Display for Label {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", letters(self.generation, self.six_ghz), self.total_mbps)
    }
}

const fn letters(generation: Generation, six_ghz: bool) -> &'static str {
    match (generation, six_ghz) {
        (Generation::Wifi4, _) => "N",
        (Generation::Wifi5, _) => "AC",
        (Generation::Wifi6, false) => "AX",
        (Generation::Wifi6, true) => "AXE",
        (Generation::Wifi7, _) => "BE",
    }
}

/// One radio of a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassRadio {
    /// Where it sends.
    pub band: Band,
    /// The generation whose arithmetic its rate follows.
    pub generation: Generation,
    /// Its widest channel.
    pub width_mhz: u32,
    /// Spatial streams.
    pub streams: u8,
    /// The finest modulation that is counted for it.
    pub modulation: Modulation,
}

impl ClassRadio {
    /// The rate that the label counts, in bit/s.
    #[must_use]
    pub fn rate_bps(&self) -> u64 {
        self.rate_with(self.streams)
    }

    /// What a client with at most two streams, as nearly all phones and laptops, can at best get from it, in bit/s. Makers'
    /// own modulations are not counted: clients rarely have them.
    #[must_use]
    pub fn two_stream_rate_bps(&self) -> u64 {
        let modulation = match (self.generation, self.band) {
            // 256-QAM is of Wi-Fi 5, which is not for 2.4 GHz.
            (Generation::Wifi5, Band::Ghz2) => Modulation::Qam64,
            (generation, _) => Modulation::finest_of(generation),
        };
        Self { modulation, ..*self }.rate_with(self.streams.min(2))
    }

    fn rate_with(&self, streams: u8) -> u64 {
        best_rate_bps(self.generation, self.width_mhz, streams, self.modulation).unwrap_or(0)
    }
}

/// The radios that a box with this label most likely has; empty where the label is none of those that are known.
#[must_use]
pub fn radios(label: Label) -> &'static [ClassRadio] {
    classes(label).find(|class| class.total_mbps == label.total_mbps).map_or(&[], |class| class.radios)
}

/// The known labels of the same letters next below and next above.
#[must_use]
pub fn neighbours(label: Label) -> (Option<Label>, Option<Label>) {
    let at = |class: &Class| Label { total_mbps: class.total_mbps, ..label };
    let below = classes(label).filter(|class| class.total_mbps < label.total_mbps).max_by_key(|class| class.total_mbps);
    let above = classes(label).filter(|class| class.total_mbps > label.total_mbps).min_by_key(|class| class.total_mbps);
    (below.map(at), above.map(at))
}

fn classes(label: Label) -> impl Iterator<Item = &'static Class> {
    CLASSES.iter().filter(move |class| class.generation == label.generation && class.six_ghz == label.six_ghz)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(text: &str) -> Label {
        text.parse().expect("a label")
    }

    #[test]
    fn labels_are_read_as_people_write_them() {
        for text in ["AC1900", "ac1900", " AC 1900 ", "AC-1900"] {
            assert_eq!(label(text).to_string(), "AC1900", "{text}");
        }
        assert_eq!(label("axe5400").to_string(), "AXE5400");
        for text in ["", "1900", "AC", "AC19", "AC1900v2", "XY1900", "AC+1900", "AC999999", "AC99999999999", "☕1900"]
        {
            assert_eq!(text.parse::<Label>(), Err(NoLabel), "{text}");
        }
    }

    #[test]
    fn every_known_label_is_about_the_sum_of_its_radios() {
        for class in &CLASSES {
            let sum: u64 = class.radios.iter().map(|radio| radio.rate_bps() / 1_000_000).sum();
            // Makers round, up more often than down: AC1350 is 450 + 866 = 1316, AC2300 is 600 + 1625 = 2225.
            let off = sum.abs_diff(u64::from(class.total_mbps));
            assert!(off * 100 <= 5 * sum, "{}{}: {sum}", letters(class.generation, class.six_ghz), class.total_mbps);
        }
    }

    #[test]
    fn what_the_usual_labels_mean_is_told() {
        let streams = |text| radios(label(text)).iter().map(|radio| radio.streams).collect::<Vec<_>>();
        assert_eq!(streams("AC1200"), [2, 2]);
        assert_eq!(streams("AC1750"), [3, 3]);
        assert_eq!(streams("AC1900"), [3, 3]);
        assert_eq!(streams("AC2600"), [4, 4]);
        assert_eq!(streams("AC3200").len(), 3);
        assert_eq!(streams("AC5300").len(), 3);
        assert!(radios(label("AC1234")).is_empty());
    }

    #[test]
    fn a_client_of_two_streams_gets_the_same_from_three_boxes() {
        // 234 × 8 × 5/6 × 2 bits in 3.6 µs, whether the box has two, three or four streams, or 1024-QAM.
        for text in ["AC1200", "AC1900", "AC2300", "AC2600"] {
            let best = radios(label(text)).iter().map(ClassRadio::two_stream_rate_bps).max();
            assert_eq!(best, Some(866_666_666), "{text}");
        }
        // On 2.4 GHz 108 × 6 × 5/6 × 2 bits in 3.6 µs: the standard has no 256-QAM there.
        assert_eq!(radios(label("AC1900")).first().map(ClassRadio::two_stream_rate_bps), Some(300_000_000));
    }

    #[test]
    fn an_unknown_label_has_known_neighbours() {
        let names = |text| {
            let (below, above) = neighbours(label(text));
            [below, above].map(|label| label.map(|label| label.to_string()))
        };
        assert_eq!(names("AX3600"), [Some("AX3000".into()), Some("AX5400".into())]);
        assert_eq!(names("BE99999"), [Some("BE19000".into()), None]);
        assert_eq!(names("N100"), [None, Some("N150".into())]);
    }
}
