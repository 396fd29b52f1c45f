//! The catalogue of metrics: what each figure of a report is called, counted in, and means.
//!
//! docs/METHOD.md has an entry for each, with its stamps, formula, source and limits; a test holds the two together.
//! A metric's *meaning* never changes under the same name without an entry in the changelog that says so.

/// What a metric is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// A duration.
    Time,
    /// A share of one.
    Share,
    /// Bits per second.
    BitRate,
    /// A number of things.
    Count,
    /// 0 to 100.
    Score,
}

/// Which direction is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Less is better.
    Lower,
    /// More is better.
    Higher,
    /// Neither is: it explains other figures.
    Neither,
}

/// One metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Its name in scenario files, reports and docs/METHOD.md.
    pub name: &'static str,
    /// What it is counted in.
    pub unit: Unit,
    /// Which direction is better.
    pub better: Better,
    /// What it is, in one sentence.
    pub definition: &'static str,
}

const fn metric(name: &'static str, unit: Unit, better: Better, definition: &'static str) -> Metric {
    Metric { name, unit, better, definition }
}

/// Every metric, in the order of docs/METHOD.md.
pub const CATALOGUE: &[Metric] = &[
    metric(
        "response_time",
        Unit::Time,
        Better::Lower,
        "From the moment an operation was scheduled to the arrival of its last byte: what the person feels.",
    ),
    metric(
        "service_time",
        Unit::Time,
        Better::Lower,
        "From the moment an operation was sent to the arrival of its last byte.",
    ),
    metric(
        "slot_wait",
        Unit::Time,
        Better::Lower,
        "From the moment an operation was scheduled to the moment that earlier ones left it a slot.",
    ),
    metric(
        "driver_lateness",
        Unit::Time,
        Better::Lower,
        "From the moment an operation was ready to go to the moment it was sent: the tester's own delay.",
    ),
    metric(
        "receive_lateness",
        Unit::Time,
        Better::Lower,
        "From the arrival of the last byte at the client's host to the moment the tester saw it: the tester's own delay.",
    ),
    metric(
        "server_time",
        Unit::Time,
        Better::Lower,
        "From the arrival of a request at the server to the hand-over of its reply to the kernel, as the server reports it.",
    ),
    metric(
        "failed_share",
        Unit::Share,
        Better::Lower,
        "The share of operations that failed, timed out or were never sent.",
    ),
    metric("goodput", Unit::BitRate, Better::Higher, "Payload that arrived, over the judged time."),
    metric(
        "goodput_share",
        Unit::Share,
        Better::Neither,
        "An application's payload over the payload of all applications.",
    ),
    metric(
        "fair_share",
        Unit::Share,
        Better::Higher,
        "What an application received together with the others, over what it received while its client was alone.",
    ),
    metric(
        "window_goodput",
        Unit::BitRate,
        Better::Higher,
        "The least payload that arrived in any window of a given length, over that length.",
    ),
    metric(
        "stall_ratio",
        Unit::Share,
        Better::Lower,
        "Time that playback stood still, over the time that it played or stood still.",
    ),
    metric("stalls", Unit::Count, Better::Lower, "How often playback stopped for want of data."),
    metric(
        "startup_time",
        Unit::Time,
        Better::Lower,
        "From the schedule of a stream's first operation to the start of playback.",
    ),
    metric("lowest_buffer", Unit::Time, Better::Higher, "The least media time that was ready to be played."),
    metric(
        "score",
        Unit::Score,
        Better::Higher,
        "0 to 100: where the worst of an application's figures stands between its good and its bad bound.",
    ),
    metric(
        "effective_n",
        Unit::Count,
        Better::Neither,
        "How many independent samples the correlated ones of a run are worth.",
    ),
    metric("start_lateness", Unit::Time, Better::Lower, "How late a client's load began, by its own clock."),
    metric(
        "clock_uncertainty",
        Unit::Time,
        Better::Lower,
        "How far off the comparison of a client's clock with the controller's may be.",
    ),
    metric("start_skew", Unit::Time, Better::Lower, "How far apart the clients' loads began, all on one clock."),
    metric(
        "control_traffic",
        Unit::BitRate,
        Better::Lower,
        "What controller and agents said to each other while the load ran: traffic that shares the network with it.",
    ),
    metric(
        "driver_cpu",
        Unit::Share,
        Better::Neither,
        "Processor time of the client's measuring thread, as a share of one core.",
    ),
    metric(
        "server_cpu",
        Unit::Share,
        Better::Neither,
        "Processor time of the server's busiest thread, as a share of one core.",
    ),
    metric(
        "server_pause",
        Unit::Time,
        Better::Lower,
        "The longest time that a ready thread of the server had to wait, or the server stood still.",
    ),
    metric(
        "receiver_limited",
        Unit::Share,
        Better::Neither,
        "The share of the time that the server's connections had data to send in which the client's window was the limit.",
    ),
    metric(
        "sender_limited",
        Unit::Share,
        Better::Neither,
        "The share of the time that the server's connections had data to send in which its own buffer was the limit.",
    ),
    metric(
        "link_payload_share",
        Unit::Share,
        Better::Neither,
        "Payload that the clients behind a shaped link received, over the bytes that the link's kernel counted.",
    ),
];

/// The metric of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Metric> {
    CATALOGUE.iter().find(|metric| metric.name == name)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::goal::Bound;
    use crate::units::BitRate;

    const METHOD: &str = include_str!("../../../docs/METHOD.md");

    #[test]
    fn every_metric_has_its_entry_in_the_method_with_the_same_sentence() {
        for metric in CATALOGUE {
            let heading = format!("\n### `{}`\n", metric.name);
            let entry = METHOD.split_once(&heading).map(|(_, after)| after);
            let entry = entry.unwrap_or_else(|| panic!("docs/METHOD.md has no heading for {}", metric.name));
            let entry = entry.split_once("\n### ").map_or(entry, |(entry, _)| entry);
            let entry = entry.split_whitespace().collect::<Vec<_>>().join(" ");
            assert!(entry.contains(metric.definition), "docs/METHOD.md defines {} otherwise", metric.name);
            for part in ["Unit:", "From and to:", "Formula:", "Source:", "Limits:"] {
                assert!(entry.contains(part), "docs/METHOD.md does not give '{part}' for {}", metric.name);
            }
        }
    }

    #[test]
    fn the_method_has_no_entry_for_a_metric_that_is_not_in_the_catalogue() {
        for name in METHOD.lines().filter_map(|line| line.strip_prefix("### `")?.strip_suffix('`')) {
            assert!(find(name).is_some(), "{name} is in docs/METHOD.md alone");
        }
    }

    #[test]
    fn every_goal_is_on_a_metric_of_the_catalogue() {
        let (good, bad) = (Duration::from_secs(1), Duration::from_secs(2));
        let bounds = [
            Bound::ResponseTime { quantile: 0.95, good, bad },
            Bound::FailedShare { good: 0.0, bad: 0.1 },
            Bound::WindowGoodput { window: good, floor: BitRate::from_mbps(1) },
            Bound::StallRatio { good: 0.0, bad: 0.1 },
            Bound::StartupTime { good, bad },
        ];
        for bound in bounds {
            assert!(find(bound.metric()).is_some_and(|metric| metric.better != Better::Neither), "{}", bound.metric());
        }
    }

    #[test]
    fn names_are_given_once() {
        for (i, metric) in CATALOGUE.iter().enumerate() {
            assert!(CATALOGUE[..i].iter().all(|other| other.name != metric.name), "{} stands twice", metric.name);
        }
    }
}
