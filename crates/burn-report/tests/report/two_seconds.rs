//! Two seconds of one stream, written down by hand: what every format that goes second by second is tested with.

use std::time::Duration;

use burn_model::plan::{Arrival, ClientPlan, Media, Operation, Plan, Population, Rate};
use burn_model::record::{
    Cohort, FORMAT, FailureCause, Header, IntervalRecord, PlaybackRecord, RunEvent, Tally, TelemetryRecord, WifiRecord,
};
use burn_model::units::BitRate;

use crate::household::{ms, response_time_goal, secs};

/// A name that every format has to bear: markup, quotes, a line's end that a plan refuses but a later reader might not, a
/// formula, an escape sequence's text, an invisible character.
pub(crate) const HOSTILE: &str = "=<script>\"a\",b\\ [31m\u{202e}";

pub(crate) fn header(client: &str, application: &str) -> Header {
    let media = Media { bit_rate: BitRate::from_mbps(8), start: secs(1), resume: secs(1), cap: secs(30) };
    let population = Population {
        name: application.to_owned(),
        arrival: Arrival::Constant { rate: Rate::per_second(4), phase: Duration::ZERO },
        operation: Operation { parts: 1, part_bytes: 250_000 },
        in_flight: 1,
        deadline: secs(30),
        drain: Duration::ZERO,
        goals: vec![response_time_goal(0.95, 100, 400, burn_model::goal::Counts::Verdict)],
        media: Some(media),
    };
    Header {
        format: FORMAT,
        program: "netburn 0.1.0".to_owned(),
        run: "r1".to_owned(),
        started_at: "2026-11-21T02:10:43.5Z".to_owned(),
        verified_server: true,
        server: "http://10.0.0.1:8080".to_owned(),
        digest: "0123456789abcdef".to_owned(),
        plan: Plan {
            name: "two seconds".to_owned(),
            seed: 1,
            warm_up: Duration::ZERO,
            duration: secs(3),
            keep_operations: false,
            clients: vec![ClientPlan { name: client.to_owned(), populations: vec![population] }],
        },
        scenario: None,
        remarks: vec![],
    }
}

/// The events of the run: in second 0 four operations, of 50, 100, 200 and 500 ms, 1 MB, playback for 0.75 s; in second 2 four
/// operations, of which one failed and the others took 64 ms, 0.5 MB, a stall of 0.25 s. Of second 1 nothing is known.
pub(crate) fn events(header: Header) -> Vec<RunEvent> {
    let wifi = WifiRecord {
        ssid: "home".to_owned(),
        bssid: "02:00:00:00:00:01".to_owned(),
        frequency_mhz: 5180,
        signal_dbm: Some(-61),
        rx_bps: Some(866_700_000),
        retries: Some(12),
        ..WifiRecord::default()
    };
    let first = IntervalRecord {
        tally: Tally { scheduled: 4, completed: 4, ..Tally::default() },
        bytes: 1_000_000,
        cohorts: vec![cohort(0, 0, &[50, 100, 200, 500])],
        playback: Some(PlaybackRecord {
            played: ms(750),
            lowest_buffer_ns: Some(1_250_000_000),
            startup_ns: Some(250_000_000),
            ..PlaybackRecord::default()
        }),
        ..IntervalRecord::default()
    };
    let third = IntervalRecord {
        second: 2,
        tally: Tally { scheduled: 4, completed: 3, failed: [(FailureCause::Truncated, 1)].into(), ..Tally::default() },
        bytes: 500_000,
        cohorts: vec![cohort(2, 1, &[64, 64, 64])],
        playback: Some(PlaybackRecord { played: ms(750), stalled: ms(250), stalls: 1, ..PlaybackRecord::default() }),
        ..IntervalRecord::default()
    };
    vec![
        RunEvent::Opened(Box::new(header)),
        RunEvent::Interval(Box::new(first)),
        RunEvent::Telemetry(Box::new(TelemetryRecord { second: 2, wifi: Some(wifi), ..TelemetryRecord::default() })),
        RunEvent::Interval(Box::new(third)),
    ]
}

fn cohort(scheduled_second: u64, unsuccessful: u64, millis: &[u64]) -> Cohort {
    let mut cohort = Cohort { scheduled_second, unsuccessful, ..Cohort::default() };
    for time in millis {
        cohort.response_time.record(ms(*time));
        cohort.service_time.record(ms(*time));
    }
    cohort
}
