//! What devices told beside the latency: interfaces, radios, connections, roams.

use burn_model::record::{AccessPoint, RoamRecord, RoamSeen};
use burn_model::run::{RoamEffect, RunRecord, SeenRange, TransportSummary, WifiChannel, WifiSummary};
use serde::Serialize;

use crate::json::{mbps, millis, round};
use crate::numbers::float;
use crate::words::band;

/// Telemetry of one client's device over the whole run.
#[derive(Serialize)]
pub(super) struct Telemetry {
    client: String,
    interface: Option<Interface>,
    connections: Option<Connections>,
    wifi: Option<Wifi>,
}

#[derive(Serialize)]
struct Interface {
    names: Vec<String>,
    received_bytes: u64,
    sent_bytes: u64,
    received_packets: u64,
    sent_packets: u64,
    receive_errors: u64,
    send_errors: u64,
    receive_drops: u64,
    send_drops: u64,
}

#[derive(Serialize)]
struct Connections {
    segments: Option<u64>,
    retransmits: Option<u64>,
    retransmit_share: Option<f64>,
    rtt_ms: Option<[Option<f64>; 2]>,
    min_rtt_ms: Option<f64>,
}

#[derive(Serialize)]
struct Wifi {
    ssids: Vec<String>,
    channels: Vec<Channel>,
    signal_dbm: Option<[i32; 2]>,
    rx_mbps: Option<[Option<f64>; 2]>,
    tx_mbps: Option<[Option<f64>; 2]>,
    retries: Option<u64>,
    failed: Option<u64>,
    beacon_loss: Option<u64>,
}

#[derive(Serialize)]
struct Channel {
    band: Option<&'static str>,
    channel: Option<u32>,
    frequency_mhz: u32,
    width_mhz: Option<u32>,
}

/// A change of an access point.
#[derive(Serialize)]
pub(super) struct Roam {
    client: String,
    at_s: Option<f64>,
    seen: &'static str,
    from: Option<Point>,
    to: Option<Point>,
    operations: Vec<Operations>,
}

#[derive(Serialize)]
struct Point {
    bssid: String,
    band: Option<&'static str>,
    frequency_mhz: Option<u32>,
}

#[derive(Serialize)]
struct Operations {
    client: String,
    name: String,
    scheduled: u64,
    unsuccessful: u64,
    late: Option<u64>,
    bound_ms: Option<f64>,
}

pub(super) fn telemetry(run: &RunRecord) -> Vec<Telemetry> {
    let clients = run.plan().map_or(&[][..], |plan| plan.clients.as_slice());
    let told = clients.iter().enumerate().map(|(i, client)| {
        let summary = run.telemetry_summary(i);
        let interface = summary.and_then(|summary| Some((summary, summary.counted.as_ref()?)));
        Telemetry {
            client: client.name.clone(),
            interface: interface.map(|(summary, counted)| Interface {
                names: summary.interfaces.clone(),
                received_bytes: counted.rx_bytes,
                sent_bytes: counted.tx_bytes,
                received_packets: counted.rx_packets,
                sent_packets: counted.tx_packets,
                receive_errors: counted.rx_errors,
                send_errors: counted.tx_errors,
                receive_drops: counted.rx_dropped,
                send_drops: counted.tx_dropped,
            }),
            connections: run.transport(i).map(Connections::of),
            wifi: summary.and_then(|summary| summary.wifi.as_ref()).map(Wifi::of),
        }
    });
    told.filter(|told| told.interface.is_some() || told.connections.is_some() || told.wifi.is_some()).collect()
}

pub(super) fn roams(run: &RunRecord) -> Vec<Roam> {
    run.roams().map(|roam| Roam::of(run, roam)).collect()
}

impl Connections {
    fn of(summary: &TransportSummary) -> Self {
        let ms = |micros: u64| round(float(micros) / 1e3);
        Self {
            segments: summary.segments,
            retransmits: summary.retransmits,
            retransmit_share: summary.retransmit_share().and_then(round),
            rtt_ms: summary.rtt_us.map(|range| [ms(range.least), ms(range.greatest)]),
            min_rtt_ms: summary.min_rtt_us.and_then(ms),
        }
    }
}

impl Wifi {
    fn of(summary: &WifiSummary) -> Self {
        let rates = |range: SeenRange<u64>| [mbps(float(range.least)), mbps(float(range.greatest))];
        let channel = |channel: &WifiChannel| Channel {
            band: band(channel.frequency_mhz),
            channel: channel.channel,
            frequency_mhz: channel.frequency_mhz,
            width_mhz: channel.width_mhz,
        };
        Self {
            ssids: summary.ssids.clone(),
            channels: summary.channels.iter().map(channel).collect(),
            signal_dbm: summary.signal_dbm.map(|range| [range.least, range.greatest]),
            rx_mbps: summary.rx_bps.map(rates),
            tx_mbps: summary.tx_bps.map(rates),
            retries: summary.retries,
            failed: summary.failed,
            beacon_loss: summary.beacon_loss,
        }
    }
}

impl Roam {
    fn of(run: &RunRecord, roam: &RoamRecord) -> Self {
        let name = |client: Option<usize>| {
            let client = client.and_then(|client| run.plan()?.clients.get(client));
            client.map(|client| client.name.clone()).unwrap_or_default()
        };
        let application = |effect: &RoamEffect| {
            let client = run.plan().and_then(|plan| plan.clients.get(effect.client));
            let population = client.and_then(|client| client.populations.get(effect.population));
            population.map(|population| population.name.clone()).unwrap_or_default()
        };
        let point = |point: &AccessPoint| Point {
            bssid: point.bssid.clone(),
            band: point.frequency_mhz.and_then(band),
            frequency_mhz: point.frequency_mhz,
        };
        let operations = |effect: RoamEffect| Operations {
            client: name(Some(effect.client)),
            name: application(&effect),
            scheduled: effect.scheduled,
            unsuccessful: effect.unsuccessful,
            late: effect.late,
            bound_ms: effect.bound.map(millis).and_then(round),
        };
        Self {
            client: name(usize::try_from(roam.client).ok()),
            at_s: round(roam.at.since_start().as_secs_f64()),
            seen: match roam.seen {
                RoamSeen::Event => "event",
                RoamSeen::Changed => "changed",
            },
            from: roam.from.as_ref().map(point),
            to: roam.to.as_ref().map(point),
            operations: run.effects_of(roam).into_iter().map(operations).collect(),
        }
    }
}
