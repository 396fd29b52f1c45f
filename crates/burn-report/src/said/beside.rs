//! What devices told beside the latency: a line for each, and one for each roam.

use burn_model::record::{AccessPoint, InterfaceRecord, RoamRecord};
use burn_model::run::{RoamEffect, RunRecord, SeenRange, TransportSummary, WifiChannel, WifiSummary};
use burn_model::units::format_bound;

use crate::layout::glue;
use crate::numbers::{bytes, count, percent, rate};
use crate::words::{band, counted, list};

/// Roams that are told one by one; the document for programs has them all.
const ROAMS_SHOWN: usize = 20;

/// A line for each client whose device told of itself, with its name.
pub(crate) fn devices(run: &RunRecord) -> Vec<(&str, String)> {
    let clients = run.plan().map_or(&[][..], |plan| plan.clients.as_slice());
    let names = clients.iter().map(|client| client.name.as_str()).enumerate();
    names.filter_map(|(i, name)| Some((name, line(run, i)?))).collect()
}

/// A line for each roam; past the first ones, a last line says how many there were more.
pub(crate) fn roams(run: &RunRecord) -> Vec<String> {
    let roams: Vec<_> = run.roams().collect();
    let mut lines: Vec<String> = roams.iter().take(ROAMS_SHOWN).map(|roam| told(run, roam)).collect();
    if let Some(more) = roams.len().checked_sub(ROAMS_SHOWN).filter(|more| *more > 0) {
        lines.push(format!("and {} more", counted(u64::try_from(more).unwrap_or(0), "roam", "roams")));
    }
    lines
}

/// All that is known of a client's device.
fn line(run: &RunRecord, client: usize) -> Option<String> {
    let summary = run.telemetry_summary(client);
    let device = summary.and_then(|summary| Some(interface(&summary.interfaces, summary.counted.as_ref()?)));
    let wifi = summary.and_then(|summary| summary.wifi.as_ref()).map(wifi);
    let transport = run.transport(client).and_then(transport);
    let parts: Vec<String> = [device, transport, wifi].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Drops and errors stand there only where there were some.
fn interface(names: &[String], counted: &InterfaceRecord) -> String {
    let mut said =
        format!("{} received {}, sent {}", list(names), glue(&bytes(counted.rx_bytes)), glue(&bytes(counted.tx_bytes)));
    for (n, what) in [
        (counted.rx_dropped, "dropped on receipt"),
        (counted.tx_dropped, "dropped before they were sent"),
        (counted.rx_errors, "received broken"),
        (counted.tx_errors, "that could not be sent"),
    ] {
        if n > 0 {
            said.push_str(&format!(", {} {what}", glue(&crate::words::counted(n, "packet", "packets"))));
        }
    }
    said
}

fn transport(summary: &TransportSummary) -> Option<String> {
    let again = summary
        .retransmit_share()
        .map(|share| format!("the server sent {} of its segments again", glue(&percent(share))));
    // The smoothed one alone would mislead: where small replies come seldom, it holds the peer's delayed acknowledgements.
    let least =
        summary.min_rtt_us.map(|least| format!("{} at the least", glue(&format!("{} ms", milliseconds(least)))));
    let smoothed = summary.rtt_us.map(|SeenRange { least, greatest }| {
        format!("{} smoothed", range(&milliseconds(least), &milliseconds(greatest), "ms"))
    });
    let figures: Vec<String> = [least, smoothed].into_iter().flatten().collect();
    let round_trip = (!figures.is_empty()).then(|| format!("TCP round trip {}", figures.join(", ")));
    let parts: Vec<String> = [again, round_trip].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn wifi(summary: &WifiSummary) -> String {
    let mut said = vec![format!("Wi-Fi {} on {}", list(&summary.ssids), {
        list(&summary.channels.iter().map(channel).collect::<Vec<_>>())
    })];
    if let Some(SeenRange { least, greatest }) = summary.signal_dbm {
        said.push(format!("signal {}", range(&least.to_string(), &greatest.to_string(), "dBm")));
    }
    for (way, rates) in [("receives at", summary.rx_bps), ("sends at", summary.tx_bps)] {
        if let Some(SeenRange { least, greatest }) = rates {
            let [least, greatest] = [least, greatest].map(shown_rate);
            let shown = if least == greatest { glue(&least) } else { glue(&format!("{least} to {greatest}")) };
            said.push(format!("{way} {shown}"));
        }
    }
    for (n, what) in [(summary.retries, "frames sent again"), (summary.failed, "frames given up")] {
        if let Some(n) = n {
            said.push(glue(&format!("{} {what}", count(n))));
        }
    }
    if let Some(lost @ 1..) = summary.beacon_loss {
        said.push(format!("beacons were missed {}", counted(lost, "time", "times")));
    }
    said.join(", ")
}

fn channel(channel: &WifiChannel) -> String {
    let place = band(channel.frequency_mhz).map_or_else(|| format!("{} MHz", channel.frequency_mhz), str::to_owned);
    let number = channel.channel.map(|number| format!(" channel {number}")).unwrap_or_default();
    let width = channel.width_mhz.map(|width| format!(", {width} MHz wide")).unwrap_or_default();
    glue(&format!("{place}{number}")) + &glue(&width)
}

/// A roam with what became of the operations meanwhile.
fn told(run: &RunRecord, roam: &RoamRecord) -> String {
    let client = usize::try_from(roam.client).ok().and_then(|client| run.plan()?.clients.get(client));
    let name = client.map_or("?", |client| client.name.as_str());
    let moved = match (&roam.from, &roam.to) {
        (Some(from), Some(to)) if from == to => format!("lost {} and came back to it", point(from)),
        (Some(from), Some(to)) => format!("roamed from {} to {}", point(from), point(to)),
        (Some(from), None) => format!("lost {}", point(from)),
        (None, Some(to)) => format!("came to {}", point(to)),
        (None, None) => "roamed".to_owned(),
    };
    let effects: Vec<String> = run.effects_of(roam).iter().filter_map(|effect| suffered(run, effect)).collect();
    let effects = if effects.is_empty() { String::new() } else { format!("; {}", effects.join("; ")) };
    format!("{name} {moved} at {}{effects}", glue(&format!("{:.1} s", roam.at.since_start().as_secs_f64())))
}

fn point(point: &AccessPoint) -> String {
    let place = point.frequency_mhz.and_then(band).map(|band| format!(" ({band})")).unwrap_or_default();
    glue(&format!("{}{place}", point.bssid))
}

/// What became of an application's operations in the second of a roam and the one after it.
fn suffered(run: &RunRecord, effect: &RoamEffect) -> Option<String> {
    let client = run.plan()?.clients.get(effect.client)?;
    let population = client.populations.get(effect.population)?;
    if effect.scheduled == 0 {
        return None;
    }
    let late = effect
        .late
        .zip(effect.bound)
        .map(|(late, bound)| format!("{} later than {}", count(late), glue(&format_bound(bound))));
    let lost = (effect.unsuccessful > 0).then(|| format!("{} unsuccessful", count(effect.unsuccessful)));
    let said: Vec<String> = [late, lost].into_iter().flatten().collect();
    let said = if said.is_empty() { "none unsuccessful".to_owned() } else { said.join(" and ") };
    Some(format!(
        "of {} of {} within two seconds {said}",
        counted(effect.scheduled, "operation", "operations"),
        population.name
    ))
}

fn range(least: &str, greatest: &str, unit: &str) -> String {
    if least == greatest { glue(&format!("{least} {unit}")) } else { glue(&format!("{least} to {greatest} {unit}")) }
}

#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
fn milliseconds(micros: u64) -> String {
    crate::numbers::digits(micros as f64 / 1e3, 3)
}

#[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
fn shown_rate(bps: u64) -> String {
    rate(bps as f64)
}
