//! A check as a table for a terminal of 80 columns, and what there is to say below it.

use std::fmt::Write as _;
use std::time::Duration;

use burn_report::layout::{clip, width, wrap};

use super::diagnosis::{Certainty, Diagnosis};
use super::report::{DeviceReport, FleetReport};

const COLUMNS: usize = 80;
/// Widest cells of each column; with two blanks between them they make 80 columns.
const WIDEST: [usize; 8] = [13, 7, 7, 8, 13, 5, 7, 6];
const HEADS: [&str; 8] = ["DEVICE", "LOGIN", "SOCKET", "CLOCK", "WAY", "FREE", "POWER", "SERVER"];

/// The whole, ready to print.
#[must_use]
pub fn render(report: &FleetReport) -> String {
    let rows: Vec<[String; 8]> = report.devices.iter().map(row).collect();
    let fits = |column: usize| {
        let cells = rows.iter().map(|row| width(&row[column])).chain([width(HEADS[column])]);
        cells.max().unwrap_or_default().min(WIDEST[column].max(width(HEADS[column])))
    };
    let widths: Vec<usize> = (0..HEADS.len()).map(fits).collect();
    let mut text = String::new();
    for row in std::iter::once(&HEADS.map(str::to_owned)).chain(&rows) {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, columns)| padded(cell, *columns)).collect();
        let _ = writeln!(text, "{}", cells.join("  ").trim_end());
    }
    for device in &report.devices {
        for line in remarks(device, report.slow) {
            paragraph(&mut text, &format!("{}: {line}", device.name), "");
        }
        if let Some(diagnosis) = &device.slow_login {
            diagnosed(&mut text, diagnosis);
        }
    }
    text.push('\n');
    let checked = report.devices.iter().filter(|device| !device.joins).count();
    let wrong = report.devices.iter().filter(|device| !device.problems.is_empty()).count();
    let verdict = match (wrong, checked) {
        (0, 0) => "Nothing could be checked: every device joins by itself at run time.".to_owned(),
        (0, 1) => "The device that could be checked is fit to run.".to_owned(),
        (0, _) => format!("All {checked} devices that could be checked are fit to run."),
        (1, _) => format!("1 of {checked} devices would spoil a run."),
        _ => format!("{wrong} of {checked} devices would spoil a run."),
    };
    let _ = writeln!(text, "{verdict}");
    if checked > 0 {
        paragraph(
            &mut text,
            "CLOCK is how surely a device's running clock is known beside ours. Wall clocks do not matter: nothing in a run \
             reads them.",
            "",
        );
    }
    text
}

fn row(device: &DeviceReport) -> [String; 8] {
    let time = |time: Option<Duration>| time.map_or_else(|| "-".to_owned(), short);
    let clock = device.clock.map_or_else(|| "-".to_owned(), |clock| format!("±{}", short(clock.uncertainty)));
    let way = match (device.fact("interface"), device.fact("medium")) {
        (Some(interface), Some(medium)) => format!("{interface} {medium}"),
        (Some(interface), None) => interface.to_owned(),
        _ if device.joins => "joins".to_owned(),
        _ => "-".to_owned(),
    };
    let power = device.fact("power").and_then(|power| power.split([',', ' ']).next()).unwrap_or("-");
    let server = match device.reaches_server {
        Some(true) => "yes",
        Some(false) => "NO",
        None => "-",
    };
    let free = device.fact("cpu_free").unwrap_or("-");
    [
        device.name.clone(),
        time(device.login),
        time(device.command),
        clock,
        way,
        free.to_owned(),
        power.to_owned(),
        server.to_owned(),
    ]
}

/// What there is to say of a device, a sentence each; what would spoil a run first.
fn remarks(device: &DeviceReport, slow: Duration) -> Vec<String> {
    let mut remarks: Vec<String> = device.problems.iter().map(|problem| format!("WRONG: {problem}")).collect();
    if device.joins {
        remarks.push("joins by itself at run time; nothing is known of it before".to_owned());
    }
    if let Some((bytes, took)) = device.pushed {
        let (whole, tenths) = (bytes / 1_000_000, bytes % 1_000_000 / 100_000);
        remarks.push(format!("netburn was copied there ({whole}.{tenths} MB in {})", short(took)));
    }
    if device.fact("route") == Some("through a router") {
        remarks.push("its way to the server leads through a router".to_owned());
    }
    if let Some(login) = device.login.filter(|login| *login > slow) {
        remarks.push(format!("its login is slow ({}); a run pays it once, by its control socket", short(login)));
    }
    if let Some(command) = device.command.filter(|command| *command > slow) {
        remarks.push(format!("each command there is slow ({}), also through the control socket", short(command)));
    }
    remarks.extend(device.advice());
    remarks
}

fn diagnosed(text: &mut String, diagnosis: &Diagnosis) {
    if diagnosis.causes.is_empty() {
        paragraph(text, "Another login was looked at, and no step of it stands out.", "  ");
    }
    for cause in &diagnosis.causes {
        let certainty = match cause.certainty {
            Certainty::Certain => "Certainly",
            Certainty::Likely => "Most likely",
        };
        paragraph(
            text,
            &format!(
                "{} of {}: {}. {certainty}: {}.",
                short(cause.took),
                short(diagnosis.took),
                cause.seen,
                cause.because
            ),
            "  ",
        );
        for evidence in &cause.evidence {
            paragraph(text, &format!("seen: {evidence}"), "    ");
        }
        paragraph(text, &format!("silent after: {}", cause.between.0), "    ");
        paragraph(text, &format!("change: {}", cause.change.line), "    ");
        paragraph(text, &format!("in: {}", cause.change.place), "    ");
    }
}

fn paragraph(text: &mut String, words: &str, indent: &str) {
    for line in wrap(words, COLUMNS - indent.len()) {
        let _ = writeln!(text, "{indent}{line}");
    }
}

fn padded(cell: &str, columns: usize) -> String {
    let cell = clip(cell, columns);
    let blanks = columns.saturating_sub(width(&cell));
    format!("{cell}{}", " ".repeat(blanks))
}

/// A duration in at most seven letters: `0.21 ms`, `660 ms`, `2.34 s`.
pub(super) fn short(time: Duration) -> String {
    let us = time.as_micros();
    match us {
        0..10_000 => format!("{}.{:02} ms", us / 1000, us % 1000 / 10),
        10_000..1_000_000 => format!("{} ms", us / 1000),
        _ => format!("{}.{:02} s", us / 1_000_000, us % 1_000_000 / 10_000),
    }
}
