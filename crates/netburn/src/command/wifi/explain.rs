//! `netburn wifi explain LABEL`: what the class on a box most likely means, and why it says little.

use netburn_wifi::label::{ClassRadio, Label, neighbours, radios};

use super::layout::{paragraph, point};

/// Pure: the whole answer.
pub(super) fn explain(text: &str) -> String {
    let answer = match text.parse::<Label>() {
        Err(_) => {
            vec![paragraph(&format!("{:?} is not a label that can be taken apart.", text)), HOW_LABELS_ARE_MADE.into()]
        }
        Ok(label) => match radios(label) {
            [] => vec![unknown(label), HOW_LABELS_ARE_MADE.into()],
            radios => vec![
                format!("{label}: {}, most likely {}\n\n{}", label.generation.words(), count(radios), table(radios)),
                format!("Why it says little\n{}", WHY_LITTLE.map(point).join("\n")),
                format!("What a device with two streams can reach\n{}", two_streams(radios)),
            ],
        },
    };
    answer.join("\n\n")
}

const HOW_LABELS_ARE_MADE: &str = "\
How labels are made: letters for the generation (N is Wi-Fi 4, AC is 5, AX is 6,
AXE is 6 with the 6 GHz band, BE is 7), then the best rates of all radios in the
box, added and rounded generously. AC1900 is 600 Mbps on 2.4 GHz and 1300 Mbps
on 5 GHz. Makers choose it; no standard defines it. To learn what a box has,
look in its data sheet for the streams of each radio, as in 2×2:2.";

const WHY_LITTLE: [&str; 4] = [
    "It adds radios that no device uses together: a device is on one at a time (with Wi-Fi 7, some are on two).",
    "It counts all streams of the box. Most phones and laptops have two.",
    "It is the rate of bits on the air, from close by, on the widest channel, with the finest modulation. Applications \
     get about half of it.",
    "It says nothing of range, of antennas, of how well many devices share the air, nor of roaming. Those make a good \
     evening, or a bad one.",
];

fn unknown(label: Label) -> String {
    let near = match neighbours(label) {
        (Some(below), Some(above)) => format!(" The nearest that we know are {below} and {above}."),
        (Some(one), None) | (None, Some(one)) => format!(" The nearest that we know is {one}."),
        (None, None) => String::new(),
    };
    paragraph(&format!(
        "{label}: {}. Its number is no usual one, so which radios add up to {} Mbps is not known.{near}",
        label.generation.words(),
        label.total_mbps
    ))
}

fn count(radios: &[ClassRadio]) -> &'static str {
    match radios.len() {
        1 => "one radio",
        2 => "two radios",
        3 => "three radios",
        _ => "several radios",
    }
}

fn table(radios: &[ClassRadio]) -> String {
    let mut lines: Vec<String> = radios
        .iter()
        .map(|radio| {
            let streams = radio.streams;
            let shape = format!("{streams}×{streams}:{streams}");
            let band = radio.band.to_string();
            format!("  {band:<8} {shape:<6} up to {:>3} MHz wide {:>8} Mbps", radio.width_mhz, mbps(radio.rate_bps()))
        })
        .collect();
    let sum: u64 = radios.iter().map(ClassRadio::rate_bps).sum();
    lines.push(format!("  {:<34}{:>9} Mbps, which the label rounds", "together", mbps(sum)));
    lines.join("\n")
}

fn two_streams(radios: &[ClassRadio]) -> String {
    let mut lines: Vec<String> = Vec::new();
    for radio in radios {
        let rate = radio.two_stream_rate_bps();
        let line = format!(
            "  {:<8} {:>8} Mbps on the air, about {:>5} Mbps for applications",
            radio.band.to_string(),
            mbps(rate),
            whole_mbps(rate / 2)
        );
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.push("On one radio at a time, close by, with nobody else on the channel.".to_owned());
    lines.join("\n")
}

/// With one digit: 866.7.
fn mbps(bps: u64) -> String {
    let tenths = (bps + 50_000) / 100_000;
    format!("{}.{}", tenths / 10, tenths % 10)
}

fn whole_mbps(bps: u64) -> u64 {
    // Two digits are all that "about" can bear.
    let mbps = bps / 1_000_000;
    let grain = if mbps >= 1_000 { 100 } else { 10 };
    (mbps + grain / 2) / grain * grain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usual_label_is_taken_apart_into_radios() {
        let text = explain("ac1900");
        // 108 × 8 × 5/6 × 3 bits in 3.6 µs = 600 Mbps; 234 × 8 × 5/6 × 3 bits in 3.6 µs = 1300 Mbps.
        for part in
            ["AC1900: Wi-Fi 5 (802.11ac), most likely two radios", "3×3:3", "600.0 Mbps", "1300.0 Mbps", "1900.0"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
        // Two streams: 866.7 Mbps on the air; half of it is 433, told as 430.
        assert!(text.contains("866.7 Mbps on the air, about   430 Mbps"), "{text}");
    }

    #[test]
    fn an_unusual_label_is_told_apart_from_no_label_at_all() {
        let unusual = explain("AX3600");
        assert!(unusual.contains("AX3000 and AX5400") && unusual.contains("How labels are made"), "{unusual}");
        let none = explain("banana\u{1b}[2J");
        assert!(none.contains("not a label") && none.contains("How labels are made"), "{none}");
        assert!(!none.contains('\u{1b}'), "what was typed is escaped: {none}");
    }

    #[test]
    fn every_answer_fits_80_columns() {
        for label in ["N300", "AC1350", "AC5300", "AX11000", "AXE7800", "BE19000", "BE12345", "?"] {
            let text = explain(label);
            for line in text.lines() {
                assert!(line.chars().count() <= 80, "{label}: {line}");
            }
        }
    }
}
