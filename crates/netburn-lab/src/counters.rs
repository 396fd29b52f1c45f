//! What the kernel counted at a radio's queue: the ground truth that our own counts are held against.

use serde::Deserialize;

use crate::LabError;

/// A radio's downlink since the lab was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RadioCounters {
    /// The radio's name, as in its spec.
    pub name: String,
    /// Bytes sent, headers from Ethernet upwards counted.
    pub bytes: u64,
    /// Packets sent.
    pub packets: u64,
    /// Packets that found the queue full.
    pub drops: u64,
    /// Times that the queue had to wait for the radio.
    pub overlimits: u64,
    /// Bytes in the queue now.
    pub backlog_bytes: u64,
    /// Packets in the queue now.
    pub backlog_packets: u64,
}

/// A queue as `tc -s -j qdisc show` tells it; what is not named here is passed over.
#[derive(Debug, Deserialize)]
struct Qdisc {
    kind: String,
    dev: String,
    #[serde(default)]
    bytes: u64,
    #[serde(default)]
    packets: u64,
    #[serde(default)]
    drops: u64,
    #[serde(default)]
    overlimits: u64,
    #[serde(default)]
    backlog: u64,
    #[serde(default)]
    qlen: u64,
}

/// Reads the counters of the shapers of `radios` (name, interface) from what `tc` printed.
pub(crate) fn parse<'a>(
    json: &[u8],
    radios: impl IntoIterator<Item = (&'a str, String)>,
) -> Result<Vec<RadioCounters>, LabError> {
    let qdiscs: Vec<Qdisc> = serde_json::from_slice(json).map_err(|error| LabError::Counters(error.to_string()))?;
    let of_radio = |(name, interface): (&str, String)| {
        let shaper = qdiscs.iter().find(|qdisc| qdisc.dev == interface && qdisc.kind == "tbf");
        let shaper = shaper.ok_or_else(|| LabError::Counters(format!("radio '{name}' has lost its shaper")))?;
        Ok(RadioCounters {
            name: name.to_owned(),
            bytes: shaper.bytes,
            packets: shaper.packets,
            drops: shaper.drops,
            overlimits: shaper.overlimits,
            backlog_bytes: shaper.backlog,
            backlog_packets: shaper.qlen,
        })
    };
    radios.into_iter().map(of_radio).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    // Two queues as iproute2 6.1 prints them, with made-up numbers.
    const PRINTED: &[u8] = br#"[{"kind":"noqueue","handle":"0:","dev":"lo","root":true,"options":{},"bytes":9},
        {"kind":"tbf","handle":"8001:","dev":"radio0","root":true,"refcnt":3,
         "options":{"rate":19500000,"burst":77980,"lat":296001},
         "bytes":15140,"packets":10,"drops":3,"overlimits":7,"requeues":0,"backlog":3028,"qlen":2}]"#;

    #[test]
    fn a_radio_is_read_from_the_shaper_on_its_own_interface() {
        let read = parse(PRINTED, [("5 GHz", "radio0".to_owned())]).unwrap();
        let expected = RadioCounters {
            name: "5 GHz".into(),
            bytes: 15_140,
            packets: 10,
            drops: 3,
            overlimits: 7,
            backlog_bytes: 3028,
            backlog_packets: 2,
        };
        assert_eq!(read, [expected]);
    }

    #[test]
    fn a_radio_without_a_shaper_is_an_error_and_not_zero() {
        assert!(matches!(parse(PRINTED, [("5 GHz", "lo".to_owned())]), Err(LabError::Counters(_))));
        assert!(matches!(parse(b"nonsense", [("5 GHz", "radio0".to_owned())]), Err(LabError::Counters(_))));
    }
}
