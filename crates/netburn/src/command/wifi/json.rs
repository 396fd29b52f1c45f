//! A connection as JSON: what is not known is null. docs/WIFI.md describes it.

use netburn_wifi::beacon::Beacon;
use netburn_wifi::{Bitrate, Station};
use serde_json::{Value, json};

use super::Seen;

/// One document for all interfaces.
pub(super) fn document(seen: &[Seen]) -> String {
    let interfaces: Vec<Value> = seen
        .iter()
        .map(|seen| {
            json!({
                "name": seen.interface,
                "station": seen.station.as_ref().map(station),
                "beacon": seen.beacon.as_ref().map(beacon),
            })
        })
        .collect();
    let document = json!({ "format": 1, "error": null, "exit_code": 0, "interfaces": interfaces });
    format!("{document:#}")
}

fn station(station: &Station) -> Value {
    json!({
        "ssid": station.ssid.to_string(),
        "bssid": station.bssid.to_string(),
        "band": station.band.to_string(),
        "frequency_mhz": station.frequency_mhz,
        "channel": station.channel,
        "width_mhz": station.width_mhz,
        "signal_dbm": station.signal_dbm,
        "signal_average_dbm": station.signal_average_dbm,
        "rx": station.rx.as_ref().map(bitrate),
        "tx": station.tx.as_ref().map(bitrate),
        "tx_retries": station.tx_retries,
        "tx_failed": station.tx_failed,
        "beacon_loss": station.beacon_loss,
        "rx_bytes": station.rx_bytes,
        "tx_bytes": station.tx_bytes,
        "connected_s": station.connected.map(|time| time.as_secs()),
    })
}

fn bitrate(rate: &Bitrate) -> Value {
    json!({
        "bps": rate.bits_per_second,
        "kind": rate.kind.to_string(),
        "streams": rate.kind.streams(),
        "width_mhz": rate.width_mhz,
        "guard_interval_ns": rate.guard_interval.map(|guard| guard.subsec_nanos()),
    })
}

fn beacon(beacon: &Beacon) -> Value {
    json!({
        "ssid": beacon.ssid.as_ref().map(ToString::to_string),
        "channel": beacon.channel,
        "width_mhz": beacon.width_mhz,
        "streams": beacon.streams,
        "generation": beacon.generation.map(|generation| generation.words()),
        "k": beacon.k,
        "v": beacon.v,
        "r": beacon.r.map(|domain| {
            // As it is written in an access point's settings: its two octets in order.
            let [first, second] = domain.id.to_le_bytes();
            json!({ "mobility_domain": format!("{first:02x}{second:02x}"), "over_cable": domain.over_cable })
        }),
        "s": beacon.s,
        "security": beacon.security.as_ref().map(ToString::to_string),
        "country": beacon.country,
        "load": beacon.load.map(|load| {
            json!({ "stations": load.stations, "utilisation": f64::from(load.utilisation_255ths) / 255.0 })
        }),
    })
}
