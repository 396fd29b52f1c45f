//! The HDR interval log: read back with the crate's own reader.

use burn_model::judge::judge;
use burn_model::record::Header;
use burn_report::hdr::render;
use data_encoding::BASE64;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::Deserializer;
use hdrhistogram::serialization::interval_log::{IntervalLogIterator, LogEntry};

use crate::household::fold;
use crate::two_seconds::{self, HOSTILE};

fn log(header: Header) -> String {
    let mut events = two_seconds::events(header);
    events.push(burn_model::record::RunEvent::Closed { ending: burn_model::record::Ending::Finished });
    let run = fold(&events);
    render(&run, &judge(&run)).unwrap()
}

/// Tag, start and length in seconds, and histogram of every interval.
fn intervals(log: &str) -> Vec<(String, f64, f64, Histogram<u64>)> {
    let entries = IntervalLogIterator::new(log.as_bytes()).map(|entry| entry.unwrap());
    let intervals = entries.filter_map(|entry| match entry {
        LogEntry::Interval(interval) => Some(interval),
        _ => None,
    });
    let read = intervals.map(|interval| {
        let bytes = BASE64.decode(interval.encoded_histogram().as_bytes()).unwrap();
        let tag = interval.tag().map(|tag| tag.as_str().to_owned()).unwrap_or_default();
        let (start, length) = (interval.start_timestamp().as_secs_f64(), interval.duration().as_secs_f64());
        (tag, start, length, Deserializer::new().deserialize(&mut bytes.as_slice()).unwrap())
    });
    read.collect()
}

#[test]
fn an_application_is_an_interval_whose_histogram_holds_its_times_in_nanoseconds() {
    let log = log(two_seconds::header("tv", "film"));
    let [(tag, start, length, histogram)] = intervals(&log).try_into().unwrap();
    assert_eq!((tag.as_str(), start, length), ("tv/film", 0.0, 3.0));
    // 50, 64 three times, 100, 200 and 500 ms; one operation failed.
    assert_eq!(histogram.len(), 7);
    let counted = |ms: u64| histogram.count_at(ms * 1_000_000);
    assert_eq!([50, 64, 100, 200, 500, 300].map(counted), [1, 3, 1, 1, 1, 0]);
    let longest = histogram.max();
    assert!(histogram.equivalent(longest, 500_000_000), "{longest}");
    assert!(
        log.contains(
            "#tv/film: not in the histogram: 1 that did not complete, 0 under way at the end, 0 over an hour\n"
        )
    );
    assert!(log.contains("#[StartTime: 1795227043.500 (seconds since epoch)"), "{log}");
    assert!(log.contains("#[BaseTime: 1795227043.500 (seconds since epoch)"), "{log}");
    // The longest of an interval stands in milliseconds: 500.17 ms is the upper end of its bucket.
    let line = log.lines().find(|line| line.starts_with("Tag=")).unwrap();
    assert!(line.starts_with("Tag=tv/film,0.000,3.000,500."), "{line}");
}

#[test]
fn a_name_with_signs_of_the_format_is_a_tag_all_the_same() {
    let mut header = two_seconds::header(HOSTILE, "a, b");
    header.started_at = "never".to_owned();
    header.plan.name = "x\n0,1,2,HIST".to_owned();
    let log = log(header);
    let tags: Vec<String> = intervals(&log).into_iter().map(|(tag, ..)| tag).collect();
    assert_eq!(tags, ["=<script>\"a\"_b\\_[31m\u{FFFD}/a__b"]);
    assert!(log.contains("of x\u{FFFD}0,1,2,HIST]"), "{log}");
    assert!(!log.contains("StartTime"), "a start that is not known is left out");
}
