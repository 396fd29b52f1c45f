//! Where a device is, as a scenario says it.

use super::Via;
use super::diagnostic::{Problems, quoted};
use super::file::{ClientEntry, PlacedRadio};
use crate::fleet::ssh::Destination;

/// Where a device is; `None` where that is wrong, which was reported.
pub(super) fn via(client: &ClientEntry, radios: &[PlacedRadio], problems: &mut Problems) -> Option<Via> {
    let text = client.via.as_deref()?;
    let at = || client.via_at.clone();
    match text.split_once(':') {
        None if text == "local" => return Some(Via::Local),
        None if text == "join" => return Some(Via::Join),
        None if text == "ssh" => {
            let hint = "write \"ssh:HOST\" or \"ssh:USER@HOST\"";
            problems.report_with(at(), "via: 'ssh' does not say which device", hint);
        }
        None if text == "lab" => {
            let named = radios.first().map_or("RADIO", |radio| radio.name.as_str());
            let hint = format!("write \"lab:{named}\"");
            problems.report_with(at(), "via: 'lab' does not say which radio", hint);
        }
        Some(("lab", name)) => return lab(name, client, radios, problems),
        Some(("ssh", destination)) => match Destination::parse(destination) {
            Ok(destination) => return Some(Via::Ssh(destination)),
            Err(error) => problems.report(at(), format!("via: {}: {error}", quoted(text))),
        },
        Some((word @ ("local" | "join"), _)) => {
            problems.report_with(at(), format!("via: nothing comes after '{word}'"), format!("write \"{word}\""));
        }
        _ => unknown(text, client, radios, problems),
    }
    None
}

fn lab(name: &str, client: &ClientEntry, radios: &[PlacedRadio], problems: &mut Problems) -> Option<Via> {
    let radio = radios.iter().position(|radio| radio.name == name);
    let at = || client.via_at.clone();
    if radio.is_none() && radios.is_empty() {
        problems.report_with(
            at(),
            format!("via: unknown radio {}", quoted(name)),
            "add a [[radio]] with that name, a rate and a queue",
        );
    } else if radio.is_none() {
        problems.report_unknown(at(), "via: unknown radio", name, radios.iter().map(|radio| radio.name.as_str()));
    }
    radio.map(|radio| Via::Lab { radio })
}

/// What is no place at all: a radio without its `lab:`, a login without its `ssh:`, or a slip of the pen.
fn unknown(text: &str, client: &ClientEntry, radios: &[PlacedRadio], problems: &mut Problems) {
    let at = client.via_at.clone();
    if radios.iter().any(|radio| radio.name == text) {
        problems.report_with(at, format!("via: {} is a radio", quoted(text)), format!("did you mean 'lab:{text}'?"));
        return;
    }
    let login = text.strip_prefix("ssh").unwrap_or(text).trim_start();
    if text.contains('@') && Destination::parse(login).is_ok() {
        let hint = format!("did you mean 'ssh:{login}'?");
        problems.report_with(at, format!("via: unknown place {}", quoted(text)), hint);
        return;
    }
    let places: Vec<String> = radios.iter().map(|radio| format!("lab:{}", radio.name)).collect();
    let known = ["local", "join", "ssh:HOST"].into_iter().chain(places.iter().map(String::as_str));
    problems.report_unknown(at, "via: unknown place", text, known);
}
