//! A client's radio, and what all clients received, on the time line.

use burn_model::record::{TelemetryRecord, WifiRecord};

use super::axis::{around, from_zero};
use super::time_line::{TimeLine, middle, points};
use super::{
    Axis, Curve, Figure, Kind, Mark, Stretch, StretchKind, Style, Subject, Tone, Unit, brief, float, name, title,
};
use crate::words::band;

/// A signal's axis is at least so wide, in dB: less is noise.
const LEAST_DB: f64 = 20.0;
/// Clients that are drawn by themselves: as many as there are tones.
const MOST_CLIENTS: usize = 7;

/// What a client's radio told; nothing where it told nothing.
pub(super) fn radio(line: &TimeLine<'_>, client: usize, client_name: &str) -> Vec<Figure> {
    let told: Vec<(u64, &WifiRecord)> = line.run.telemetry(client).filter_map(with_radio).collect();
    if told.is_empty() {
        return Vec::new();
    }
    // Of a long run only every second, fourth … second is kept.
    let step =
        told.windows(2).filter_map(|pair| Some(pair.last()?.0.saturating_sub(pair.first()?.0))).min().unwrap_or(1);
    let curve = |name: &str, style, tone, of: &dyn Fn(&WifiRecord) -> Option<f64>| {
        line.curve(name, style, tone, points(told.iter().map(|(second, wifi)| (*second, of(wifi))), step, middle))
    };
    let figure = |kind: Kind, what: &str, caption: &str, y: Axis, curves: Vec<Curve>| Figure {
        name: name(kind, &[client_name]),
        subject: Subject::Client(client),
        kind,
        title: title(what, &[client_name]),
        caption: [Some(caption.to_owned()), Some(networks(&told)), sparse(step), line.left_out(told.len())]
            .into_iter()
            .flatten()
            .collect::<Vec<_>>()
            .join(" "),
        x: line.axis(),
        y,
        curves,
        bands: Vec::new(),
        levels: Vec::new(),
        marks: line.happened_to(client),
        stretches: line.not_judged().into_iter().chain(channels(&told, step)).collect(),
    };
    let mut figures = Vec::new();
    let signal = [
        curve("last frame", Style::Line, Tone::Main, &|wifi| wifi.signal_dbm.map(f64::from)),
        curve("driver's average", Style::Dashed, Tone::Second, &|wifi| wifi.signal_average_dbm.map(f64::from)),
    ];
    let signal: Vec<Curve> = signal.into_iter().filter(has_values).collect();
    if !signal.is_empty() {
        let y = around("signal", Unit::Dbm, values(&signal), LEAST_DB);
        let caption = "Strength at which the device hears its access point; nearer to zero is stronger.";
        figures.push(figure(Kind::Signal, "Wi-Fi signal", caption, y, signal));
    }
    let rates = [
        curve("receiving", Style::Line, Tone::Main, &|wifi| wifi.rx_bps.map(|bps| float(bps) / 1e6)),
        curve("sending", Style::Dashed, Tone::Second, &|wifi| wifi.tx_bps.map(|bps| float(bps) / 1e6)),
    ];
    let rates: Vec<Curve> = rates.into_iter().filter(has_values).collect();
    if !rates.is_empty() {
        let y = from_zero("bit rate", Unit::Mbps, values(&rates));
        let caption = "The rate of the last frame of each second, as the radio put it on the air: more than what is left for payload.";
        figures.push(figure(Kind::BitRate, "Wi-Fi bit rate", caption, y, rates));
    }
    figures
}

/// What is drawn of a radio where not every second is known: values between may have been higher or lower.
fn sparse(step: u64) -> Option<String> {
    (step > 1).then(|| format!("Known is one second in {step}: what lay between may have been higher or lower."))
}

/// What each client received by second; `None` where nobody received anything.
pub(super) fn shares(line: &TimeLine<'_>) -> Option<Figure> {
    let plan = line.run.plan()?;
    let mut clients: Vec<(usize, u64)> = (0..plan.clients.len())
        .map(|client| (client, line.run.client_payload(client).values().fold(0, |sum: u64, n| sum.saturating_add(*n))))
        .collect();
    clients.iter().any(|(_, bytes)| *bytes > 0).then_some(())?;
    let all = clients.len();
    if all > MOST_CLIENTS {
        clients.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    }
    let others = clients.split_off(MOST_CLIENTS.min(all));
    // By name in the plan's order, whatever they received.
    clients.sort_unstable();
    let seconds_of = |client: usize| line.run.client_payload(client);
    let seconds = clients.iter().map(|(client, _)| seconds_of(*client).len()).max().unwrap_or(0);
    let mut curves: Vec<Curve> = Vec::new();
    let mut drawn = |name: &str, payload: std::collections::BTreeMap<u64, u64>| {
        let style = if curves.len().is_multiple_of(2) { Style::Line } else { Style::Dashed };
        let tone = tone(curves.len());
        let mbps = payload.into_iter().map(|(second, bytes)| (second, Some(float(bytes) * 8.0 / 1e6)));
        curves.push(line.curve(name, style, tone, points(mbps, 1, middle)));
    };
    for (client, _) in &clients {
        drawn(plan.clients.get(*client).map_or("", |client| client.name.as_str()), seconds_of(*client));
    }
    let mut caption = "Payload that each client received by second, by all its applications.".to_owned();
    if !others.is_empty() {
        let mut sum = std::collections::BTreeMap::new();
        for (second, bytes) in others.iter().flat_map(|(client, _)| seconds_of(*client)) {
            let count: &mut u64 = sum.entry(second).or_default();
            *count = count.saturating_add(bytes);
        }
        drawn(&format!("{} others", others.len()), sum);
        caption.push_str(&format!(
            " Of {all} clients those {MOST_CLIENTS} that received most are drawn, and the others together."
        ));
    }
    if let Some(left_out) = line.left_out(seconds) {
        caption = format!("{caption} {left_out}");
    }
    Some(Figure {
        name: Kind::Shares.word().to_owned(),
        subject: Subject::Run,
        kind: Kind::Shares,
        title: "What each client received".to_owned(),
        caption,
        x: line.axis(),
        y: from_zero("payload", Unit::Mbps, values(&curves)),
        curves,
        bands: Vec::new(),
        levels: Vec::new(),
        marks: everybodys(line, plan.clients.iter().map(|client| client.name.as_str())),
        stretches: line.not_judged(),
    })
}

/// What happened to anybody, with the name of whom.
fn everybodys<'a>(line: &TimeLine<'_>, names: impl Iterator<Item = &'a str>) -> Vec<Mark> {
    let of_client = |(client, name): (usize, &str)| {
        let name = name.to_owned();
        line.happened_to(client).into_iter().map(move |mark| Mark { text: format!("{name}: {}", mark.text), ..mark })
    };
    let mut marks: Vec<Mark> = names.enumerate().flat_map(of_client).collect();
    marks.sort_by(|one, other| one.at.total_cmp(&other.at));
    marks.truncate(super::time_line::MOST_MARKS);
    marks
}

/// How long the radio was on each channel, where that is not too much to be told apart.
fn channels(told: &[(u64, &WifiRecord)], step: u64) -> Vec<Stretch> {
    let until = |second: u64| second.saturating_add(step.max(1));
    let stays = told.chunk_by(|(second, one), (next, other)| {
        *next <= until(*second) && (one.frequency_mhz, one.channel) == (other.frequency_mhz, other.channel)
    });
    let stretch = |stay: &[(u64, &WifiRecord)]| {
        let ((first, wifi), (last, _)) = (stay.first()?, stay.last()?);
        let (from, to) = (float(*first), float(until(*last)));
        Some(Stretch { text: channel(wifi), from, to, kind: StretchKind::Radio })
    };
    let stretches: Vec<Stretch> = stays.filter_map(stretch).collect();
    if stretches.len() > super::time_line::MOST_MARKS { Vec::new() } else { stretches }
}

/// `5 GHz, channel 36`.
fn channel(wifi: &WifiRecord) -> String {
    let band = band(wifi.frequency_mhz).map_or_else(|| format!("{} MHz", wifi.frequency_mhz), str::to_owned);
    let channel = wifi.channel.map(|channel| format!(", channel {channel}")).unwrap_or_default();
    format!("{band}{channel}")
}

/// The networks, bands and channels that the radio told of, in the order in which they came.
fn networks(told: &[(u64, &WifiRecord)]) -> String {
    let mut seen: Vec<String> = Vec::new();
    for (_, wifi) in told {
        let text = format!("{}: {}", brief(&wifi.ssid), channel(wifi));
        if seen.len() < 8 && !seen.contains(&text) {
            seen.push(text);
        }
    }
    format!("{}.", seen.join("; then "))
}

fn with_radio(record: &TelemetryRecord) -> Option<(u64, &WifiRecord)> {
    Some((record.second, record.wifi.as_ref()?))
}

fn has_values(curve: &Curve) -> bool {
    curve.y.iter().any(Option::is_some)
}

fn values(curves: &[Curve]) -> Vec<f64> {
    curves.iter().flat_map(|curve| curve.y.iter().flatten().copied()).collect()
}

/// The tone of the curve of this number.
fn tone(number: usize) -> Tone {
    match number {
        0 => Tone::Main,
        1 => Tone::Second,
        more => Tone::Other(more - 2),
    }
}
