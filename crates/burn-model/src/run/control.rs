//! How much of the network the control messages took while the load ran.

use super::{RunRecord, index};
use crate::numbers::float;
use crate::record::ControlRecord;

/// What control messages took of the slowest link.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlTraffic {
    /// Bytes of messages in both directions, of all devices.
    pub bytes: u64,
    /// The same for each second of the load.
    pub bytes_per_second: f64,
    /// The link of which they took the largest share, where the rate of any is known.
    pub link: Option<ControlledLink>,
}

/// A link that carries control messages beside the load.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlledLink {
    /// Whose it is, in words.
    pub name: String,
    /// What it carries, in bits per second.
    pub rate_bps: u64,
    /// What control messages took of that, 0 to 1 where nothing is wrong.
    pub share: f64,
}

impl RunRecord {
    /// What controller and agents said to each other while the load ran; `None` where nobody counted it.
    ///
    /// Links whose rate is known: the radios of a lab, which all devices behind them share; the slowest bit rate that a
    /// device's Wi-Fi was at; the speed that a wired interface tells. The share is bits of messages over bits that the link
    /// could carry in that time, of the link where it is largest.
    #[must_use]
    pub fn control(&self) -> Option<ControlTraffic> {
        let records: Vec<&ControlRecord> = self.control_traffic().collect();
        if records.is_empty() {
            return None;
        }
        let links = self.radios_with(&records).chain(records.iter().filter_map(|record| self.own_link(record)));
        Some(ControlTraffic {
            bytes: records.iter().fold(0, |sum, record| sum.saturating_add(bytes(record))),
            bytes_per_second: records.iter().map(|record| rate(record)).sum(),
            link: links.max_by(|a, b| a.share.total_cmp(&b.share)),
        })
    }

    /// The lab's radios, each with the messages of all devices behind it.
    fn radios_with(&self, records: &[&ControlRecord]) -> impl Iterator<Item = ControlledLink> {
        self.links.iter().map(|link| {
            let behind = records.iter().filter(|record| link.clients.contains(&record.client));
            controlled(link.name.clone(), link.rate_bps, behind.map(|record| rate(record)).sum())
        })
    }

    /// The link that a device has for itself, as far as it told of one.
    fn own_link(&self, record: &ControlRecord) -> Option<ControlledLink> {
        let name = &self.plan()?.clients.get(index(record.client))?.name;
        let wifi = self.telemetry(index(record.client)).filter_map(|second| second.wifi.as_ref());
        let slowest = wifi.flat_map(|wifi| [wifi.rx_bps, wifi.tx_bps]).flatten().filter(|bps| *bps > 0).min();
        let (what, rate_bps) = match slowest {
            Some(bps) => ("Wi-Fi", bps),
            None => ("interface", self.interface_speed(record.client)?),
        };
        Some(controlled(format!("{name}'s {what}"), rate_bps, rate(record)))
    }

    /// What a device's wired interface tells of its speed, in bits per second.
    fn interface_speed(&self, client: u32) -> Option<u64> {
        let device = self.devices().iter().find(|device| device.clients.contains(&client));
        let name = device.map_or(&self.plan()?.clients.get(index(client))?.name, |device| &device.name);
        let speed: u64 = self.environments.get(&format!("client {name}"))?.get("speed_mbps")?.parse().ok()?;
        speed.checked_mul(1_000_000).filter(|bps| *bps > 0)
    }
}

fn bytes(record: &ControlRecord) -> u64 {
    record.to_agent_bytes.saturating_add(record.from_agent_bytes)
}

/// Bytes a second; nothing where no time passed.
fn rate(record: &ControlRecord) -> f64 {
    let seconds = record.span.as_secs_f64();
    if seconds > 0.0 { float(bytes(record)) / seconds } else { 0.0 }
}

fn controlled(name: String, rate_bps: u64, bytes_per_second: f64) -> ControlledLink {
    ControlledLink { name, rate_bps, share: bytes_per_second * 8.0 / float(rate_bps.max(1)) }
}
