//! What `netburn wifi` says of the access point that the station is at, held against how that one was set up.

use serde_json::{Value, json};

use super::judge::{AccessPoint, Finding, SSID};

/// What was set up in guest/ap-*.conf beside what [`AccessPoint`] says.
fn set_up(at: &AccessPoint) -> (Value, Value, Value, Value) {
    let roams_well = at.frequency_mhz < 5000;
    let (band, generation) =
        if roams_well { ("2.4 GHz", "Wi-Fi 4 (802.11n)") } else { ("5 GHz", "Wi-Fi 5 (802.11ac)") };
    (json!(band), json!(generation), json!(roams_well), json!("DE"))
}

/// Checks the JSON document and the text of `netburn wifi`, run `when` the station was at `at`.
pub(crate) fn judge(document: &str, text: &str, at: &AccessPoint, when: &str) -> Finding {
    let document: Value = serde_json::from_str(document).unwrap_or_default();
    let interface = &document["interfaces"][0];
    let (station, beacon) = (&interface["station"], &interface["beacon"]);
    let (band, generation, roams_well, country) = set_up(at);
    let connection = station["ssid"] == SSID
        && station["bssid"] == at.bssid
        && station["band"] == band
        && station["frequency_mhz"] == at.frequency_mhz
        && station["channel"] == at.channel
        && station["width_mhz"] == at.width_mhz;
    let advertised = beacon["k"] == roams_well
        && beacon["v"] == roams_well
        && json!(beacon["r"]["mobility_domain"] == "b0b1") == roams_well
        && beacon["r"].is_object() == roams_well
        && beacon["s"] == false
        && beacon["generation"] == generation
        && beacon["country"] == country;
    let named = [SSID, at.bssid, band.as_str().unwrap_or_default()];
    let switched = |standard: &str| {
        let line = text.lines().find_map(|line| line.trim().strip_prefix(standard));
        line.is_some_and(|rest| rest.trim().starts_with(if roams_well == true { "on:" } else { "off:" }))
    };
    let words =
        named.iter().all(|word| text.contains(word)) && ["802.11k", "802.11v", "802.11r"].into_iter().all(switched);
    Finding {
        holds: connection && advertised && words,
        what: format!(
            "netburn wifi: {when}: '{}' at {} on {}, channel {}, {} MHz; {}; 802.11k {}, v {}, r {}, s {}; country {}",
            station["ssid"].as_str().unwrap_or_default(),
            station["bssid"].as_str().unwrap_or_default(),
            station["band"].as_str().unwrap_or_default(),
            station["channel"],
            station["width_mhz"],
            beacon["generation"].as_str().unwrap_or_default(),
            beacon["k"],
            beacon["v"],
            beacon["r"].is_object(),
            beacon["s"],
            beacon["country"],
        ),
    }
}
