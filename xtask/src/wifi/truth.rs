//! What `iw` saw of a call's change of access point: the truth that does not come from netburn.

use anyhow::{Context, Result};

/// What a station was connected to, by `iw dev NAME link`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) bssid: String,
    pub(crate) ssid: String,
    pub(crate) frequency_mhz: u64,
}

impl Link {
    /// Reads what `iw dev NAME link` prints. The frequency may have a fraction (newer `iw`); it is dropped.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let value = |name: &str| text.lines().find_map(|line| line.trim().strip_prefix(name));
        let bssid = value("Connected to ").and_then(|rest| rest.split(' ').next());
        let frequency = value("freq: ").and_then(|text| text.split('.').next()?.parse().ok());
        Ok(Self {
            bssid: bssid.with_context(|| format!("iw says of no connection: {text}"))?.to_owned(),
            ssid: value("SSID: ").context("iw names no network")?.to_owned(),
            frequency_mhz: frequency.context("iw names no frequency")?,
        })
    }
}

/// The connections that began and ended, by `iw event -t`, in their order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// To the access point of this address.
    Connected(String),
    /// From whichever there was.
    Disconnected,
    /// The driver changed the access point by itself (`NL80211_CMD_ROAM`).
    Roamed(String),
}

/// What of these lines is about connections.
pub(crate) fn events(text: &str) -> Vec<Event> {
    text.lines().filter_map(event).collect()
}

/// One line: `1795239991.369873: wlan2 (phy #2): connected to 02:00:00:00:01:00`.
fn event(line: &str) -> Option<Event> {
    let (_, what) = line.split_once("): ")?;
    let address = |rest: &str| rest.split(' ').next().map(str::to_owned);
    if let Some(rest) = what.strip_prefix("connected to ") {
        return Some(Event::Connected(address(rest)?));
    }
    if let Some(rest) = what.strip_prefix("roamed to ") {
        return Some(Event::Roamed(address(rest)?));
    }
    what.starts_with("disconnected").then_some(Event::Disconnected)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_is_read_as_iw_prints_it() {
        // iw 5.19 on Debian 12; and 6.9, which prints a fraction.
        let text =
            "Connected to 02:00:00:00:01:00 (on wlan2)\n\tSSID: Netburn Lab\n\tfreq: 5180\n\tRX: 1 bytes (1 packets)\n";
        let link = Link { bssid: "02:00:00:00:01:00".into(), ssid: "Netburn Lab".into(), frequency_mhz: 5180 };
        assert_eq!(Link::parse(text).unwrap(), link);
        assert_eq!(Link::parse(&text.replace("5180", "5180.0")).unwrap(), link);
        assert!(Link::parse("Not connected.\n").is_err());
    }

    #[test]
    fn of_all_events_those_of_connections_are_kept() {
        // As iw 5.19 printed them while wpa_supplicant roamed.
        let text = "\
1795239991.270048: wlan2: del station 02:00:00:00:00:00
1795239991.270952: wlan2 (phy #2): deauth 02:00:00:00:02:00 -> 02:00:00:00:00:00 reason 1: Unspecified
1795239991.271395: wlan2 (phy #2): disconnected (local request) reason: 1: Unspecified
1795239991.344000: wlan2 (phy #2): auth 02:00:00:00:01:00 -> 02:00:00:00:02:00 status: 0: Successful
1795239991.369873: wlan2 (phy #2): connected to 02:00:00:00:01:00
1795239991.435082: wlan2 (phy #2): ctrl. port TX status (cookie 3): acked
";
        assert_eq!(events(text), [Event::Disconnected, Event::Connected("02:00:00:00:01:00".into())]);
    }
}
