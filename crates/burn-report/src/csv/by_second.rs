//! The seconds of a run as a table: one row for each application and second.

use burn_model::record::{PlaybackRecord, WifiRecord};
use burn_model::run::{RunRecord, SecondSummary};
use std::time::Duration;

use super::{number, text};
use crate::by_second::Radio;
use crate::json::{millis, seconds};
use crate::numbers::float;

/// The columns, in order. Units stand in the names: `_ms` milliseconds, `_s` seconds, `_mbps` 10^6 bit/s. docs/EXPORTS.md has
/// a line for each.
pub const SECOND_COLUMNS: [&str; 29] = [
    "run",
    "client",
    "application",
    "second",
    "scheduled",
    "completed",
    "unsuccessful",
    "failed",
    "timed_out",
    "not_sent",
    "goodput_mbps",
    "response_time_p50_ms",
    "response_time_p95_ms",
    "response_time_max_ms",
    "service_time_p50_ms",
    "tightest_bound_ms",
    "over_tightest_bound",
    "loosest_bound_ms",
    "over_loosest_bound",
    "played_s",
    "stalled_s",
    "stalls",
    "lowest_buffer_s",
    "signal_dbm",
    "receive_rate_mbps",
    "send_rate_mbps",
    "retries",
    "frequency_mhz",
    "bssid",
];

/// The run as CSV, second by second: a header row of [`SECOND_COLUMNS`], then a row for each application and second of which
/// something is known, application by application. Lines end in CR LF.
#[must_use]
pub fn render_seconds(run: &RunRecord) -> String {
    let mut csv = SECOND_COLUMNS.join(",");
    csv.push_str("\r\n");
    let Some(header) = run.header() else { return csv };
    for (client, planned) in header.plan.clients.iter().enumerate() {
        let radio = Radio::of(run, client);
        for (population, application) in planned.populations.iter().enumerate() {
            let names = [&header.run, &planned.name, &application.name].map(|name| text(name)).join(",");
            let bounds = run.response_time_bounds(client, population);
            for second in run.seconds(client, population) {
                let radio = radio.at(second.second);
                let fields = of_second(&second, bounds).into_iter().chain(of_radio(radio));
                csv.push_str(&names);
                for field in fields {
                    csv.push(',');
                    csv.push_str(&field);
                }
                csv.push_str("\r\n");
            }
        }
    }
    csv
}

fn of_second(second: &SecondSummary, bounds: &[Duration]) -> Vec<String> {
    let time = |time: Option<Duration>| number(time.map(millis));
    let count = |count: Option<&u64>| count.map(u64::to_string).unwrap_or_default();
    let played = second.playback.as_ref();
    let of_player = |figure: fn(&PlaybackRecord) -> Duration| number(played.map(figure).map(seconds));
    vec![
        second.second.to_string(),
        second.scheduled.to_string(),
        second.completed.to_string(),
        second.unsuccessful.to_string(),
        second.failed.to_string(),
        second.timed_out.to_string(),
        second.not_sent.to_string(),
        // Bits of one second are bits per second.
        number(Some(float(second.bytes) * 8.0 / 1e6)),
        time(second.times.p50),
        time(second.times.p95),
        time(second.times.max),
        time(second.times.service_p50),
        time(bounds.first().copied()),
        count(second.over.first()),
        time(bounds.last().copied()),
        count(second.over.last()),
        of_player(|player| player.played),
        of_player(|player| player.stalled),
        count(played.map(|player| &player.stalls)),
        number(played.and_then(|player| player.lowest_buffer_ns).map(|ns| seconds(Duration::from_nanos(ns)))),
    ]
}

fn of_radio(radio: Option<&WifiRecord>) -> [String; 6] {
    let rate = |rate: Option<u64>| number(rate.map(|bps| float(bps) / 1e6));
    [
        radio.and_then(|radio| radio.signal_dbm).map(|dbm| dbm.to_string()).unwrap_or_default(),
        rate(radio.and_then(|radio| radio.rx_bps)),
        rate(radio.and_then(|radio| radio.tx_bps)),
        radio.and_then(|radio| radio.retries).map(|n| n.to_string()).unwrap_or_default(),
        radio.map(|radio| radio.frequency_mhz.to_string()).unwrap_or_default(),
        radio.map(|radio| text(&radio.bssid)).unwrap_or_default(),
    ]
}
