//! The seconds of a run as families with time stamps: counters that grow through the run, and gauges of each second.

use std::time::Duration;

use burn_model::record::{PlaybackRecord, WifiRecord};
use burn_model::run::{RunRecord, SecondSummary};

use super::exposition::{Exposition, Family, Kind, Stamp};
use super::labels::Labels;
use super::values::{counter, gauge};
use crate::by_second::Radio;
use crate::json::seconds;
use crate::numbers::float;

/// What a second adds to a counter; `None` where the application has no such thing.
type Grows = fn(&SecondSummary) -> Option<f64>;

/// A series of a counter: a label of its own where there is one, and what it counts.
type Series = (Option<(&'static str, &'static str)>, Grows);

/// Counters of an application.
const COUNTERS: [(Family, &[Series]); 6] = [
    (
        counter("netburn_received_bytes", Some("bytes"), "Payload that arrived."),
        &[(None, |second| Some(float(second.bytes)))],
    ),
    (
        counter("netburn_operations_scheduled", None, "Operations that were scheduled."),
        &[(None, |second| Some(float(second.scheduled)))],
    ),
    (
        counter(
            "netburn_operations_ended",
            None,
            "What became of the operations that were scheduled until then, whenever that was.",
        ),
        &[
            (Some(("outcome", "completed")), |second| Some(float(second.completed))),
            (Some(("outcome", "unsuccessful")), |second| Some(float(second.unsuccessful))),
        ],
    ),
    (
        counter("netburn_operations_lost", None, "Operations that came to nothing until then, by how."),
        &[
            (Some(("cause", "failed")), |second| Some(float(second.failed))),
            (Some(("cause", "timed_out")), |second| Some(float(second.timed_out))),
            (Some(("cause", "not_sent")), |second| Some(float(second.not_sent))),
        ],
    ),
    (
        counter("netburn_playback_seconds", Some("seconds"), "How long the player played, and stood still."),
        &[
            (Some(("state", "played")), |second| playback(second, |player| seconds(player.played))),
            (Some(("state", "stalled")), |second| playback(second, |player| seconds(player.stalled))),
        ],
    ),
    (
        counter("netburn_stalls", None, "Stalls of playback that began."),
        &[(None, |second| playback(second, |player| float(player.stalls)))],
    ),
];

/// What a radio said at the end of a second.
type Said = fn(&WifiRecord) -> Option<f64>;

const RADIO: [(Family, Said); 4] = [
    (gauge("netburn_wifi_signal_dbm", Some("dbm"), "Strength of the last frame received."), |radio| {
        radio.signal_dbm.map(f64::from)
    }),
    (
        gauge(
            "netburn_wifi_receive_bits_per_second",
            Some("bits_per_second"),
            "The rate of the radio for the last frame received.",
        ),
        |radio| radio.rx_bps.map(float),
    ),
    (
        gauge(
            "netburn_wifi_transmit_bits_per_second",
            Some("bits_per_second"),
            "The rate of the radio for the last frame sent.",
        ),
        |radio| radio.tx_bps.map(float),
    ),
    (gauge("netburn_wifi_retries", None, "Frames that were sent again within the second."), |radio| {
        radio.retries.map(float)
    }),
];

/// An application's place in the plan, with its labels.
struct Place {
    client: usize,
    population: usize,
    labels: Labels,
}

impl Place {
    fn seconds<'a>(&self, run: &'a RunRecord) -> impl Iterator<Item = SecondSummary> + use<'a> {
        run.seconds(self.client, self.population)
    }
}

pub(super) fn write(text: &mut Exposition, run: &RunRecord, start: Stamp) {
    let places = places(run);
    for (family, series) in COUNTERS {
        let mut samples = text.family(family);
        for place in &places {
            for (label, grows) in series {
                let labels = place.labels.and(label.as_slice());
                let mut sum = 0.0;
                for second in place.seconds(run) {
                    if let Some(more) = grows(&second) {
                        sum += more;
                        samples.add(&labels, sum, Some(end_of(&second, start)));
                    }
                }
            }
        }
    }
    over(text, run, &places, start);
    times(text, run, &places, start);
    buffer(text, run, &places, start);
    radio(text, run, start);
}

/// What is known of a second is known at its end.
fn end_of(second: &SecondSummary, start: Stamp) -> Stamp {
    start.at_second(second.second.saturating_add(1))
}

fn places(run: &RunRecord) -> Vec<Place> {
    let mut labels = Labels::of_plan(run).into_iter();
    let clients = run.plan().map_or(&[][..], |plan| plan.clients.as_slice());
    let numbers = clients
        .iter()
        .enumerate()
        .flat_map(|(client, planned)| (0..planned.populations.len()).map(move |population| (client, population)));
    numbers.filter_map(|(client, population)| Some(Place { client, population, labels: labels.next()? })).collect()
}

fn over(text: &mut Exposition, run: &RunRecord, places: &[Place], start: Stamp) {
    let mut samples = text.family(counter(
        "netburn_operations_over_bound",
        None,
        "Of the operations that were scheduled until then and completed, those that took longer than a goal's bound.",
    ));
    for place in places {
        for (number, bound) in run.response_time_bounds(place.client, place.population).iter().enumerate() {
            let bound = seconds(*bound).to_string();
            let labels = place.labels.and(&[("bound_seconds", &bound)]);
            let mut sum = 0_u64;
            for second in place.seconds(run) {
                sum = sum.saturating_add(second.over.get(number).copied().unwrap_or(0));
                samples.add(&labels, float(sum), Some(end_of(&second, start)));
            }
        }
    }
}

fn times(text: &mut Exposition, run: &RunRecord, places: &[Place], start: Stamp) {
    let mut samples = text.family(Family {
        name: "netburn_response_time_seconds",
        kind: Kind::Summary,
        unit: Some("seconds"),
        help: "Response times of the operations that were scheduled in the last second.",
    });
    for place in places {
        for second in place.seconds(run) {
            let at = Some(end_of(&second, start));
            let times = second.times;
            for (quantile, value) in [("0.5", times.p50), ("0.95", times.p95), ("1", times.max)] {
                if let Some(value) = value {
                    samples.add(&place.labels.and(&[("quantile", quantile)]), seconds(value), at);
                }
            }
        }
    }
}

fn buffer(text: &mut Exposition, run: &RunRecord, places: &[Place], start: Stamp) {
    let help = "The lowest level of the player's buffer in the last second.";
    let mut samples = text.family(gauge("netburn_buffer_seconds", Some("seconds"), help));
    for place in places {
        for second in place.seconds(run) {
            let level = second.playback.as_ref().and_then(|player| player.lowest_buffer_ns);
            if let Some(level) = level {
                let value = seconds(Duration::from_nanos(level));
                samples.add(&place.labels.all(), value, Some(end_of(&second, start)));
            }
        }
    }
}

fn radio(text: &mut Exposition, run: &RunRecord, start: Stamp) {
    let clients = Labels::of_clients(run);
    let radios: Vec<Radio<'_>> = (0..clients.len()).map(|client| Radio::of(run, client)).collect();
    for (family, said) in RADIO {
        let mut samples = text.family(family);
        for (labels, radio) in clients.iter().zip(&radios) {
            let labels = labels.of_client();
            for (second, told) in radio.all() {
                if let Some(value) = said(told) {
                    samples.add(&labels, value, Some(start.at_second(second.saturating_add(1))));
                }
            }
        }
    }
}

fn playback(second: &SecondSummary, figure: impl Fn(&PlaybackRecord) -> f64) -> Option<f64> {
    second.playback.as_ref().map(figure)
}
