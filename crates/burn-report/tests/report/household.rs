//! The household of every test here: a laptop browsing, a TV with a 4K stream, a call and a big download.

use std::collections::BTreeMap;
use std::time::Duration;

use burn_model::goal::{Bound, Counts, Goal};
use burn_model::judge::{
    ApplicationJudgement, GoalJudgement, GoalOutcome, Judgement, Operations, Reading, StreamSummary, Summary, Verdict,
};
use burn_model::plan::{Arrival, ClientPlan, Media, Operation, Plan, Population, Rate};
use burn_model::record::{
    ClientState, ClockRecord, ControlRecord, Ending, FORMAT, FailureCause, Header, IntervalRecord, LinkRecord,
    NotSentReason, Phase, RunEvent, Tally,
};
use burn_model::run::RunRecord;
use burn_model::time::Moment;
use burn_model::units::BitRate;

pub(crate) const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub(crate) const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// Four quantiles, in milliseconds.
pub(crate) fn summary(n: u64, millis: [u64; 4]) -> Summary {
    let [p50, p95, p99, max] = millis.map(|millis| Reading::Value(ms(millis)));
    Summary { n, p50, p95, p99, max }
}

fn client(name: &str, application: &str, arrival: Arrival, operation: Operation, media: Option<Media>) -> ClientPlan {
    let population = Population {
        name: application.to_owned(),
        arrival,
        operation,
        in_flight: 1,
        deadline: secs(30),
        drain: Duration::ZERO,
        goals: vec![],
        media,
    };
    ClientPlan { name: name.to_owned(), populations: vec![population] }
}

pub(crate) fn plan() -> Plan {
    let closed = |reading_time| Arrival::Closed { people: 1, reading_time };
    let open = |rate| Arrival::Constant { rate, phase: Duration::ZERO };
    let media = Media { bit_rate: BitRate::from_mbps(25), start: secs(2), resume: secs(2), cap: secs(30) };
    let stream = Rate::of_bit_rate(BitRate::from_mbps(25), 1 << 20).unwrap();
    Plan {
        name: "one radio".to_owned(),
        seed: 42,
        warm_up: secs(5),
        duration: secs(60),
        keep_operations: false,
        clients: vec![
            client("laptop", "browsing", closed(ms(1500)), Operation { parts: 10, part_bytes: 128 << 10 }, None),
            client("tv", "4kstream", open(stream), Operation { parts: 1, part_bytes: 1 << 20 }, Some(media)),
            client("phone", "voip", open(Rate::per_second(50)), Operation { parts: 1, part_bytes: 2500 }, None),
            client("desktop", "download", closed(Duration::ZERO), Operation { parts: 1, part_bytes: 10 << 20 }, None),
        ],
    }
}

pub(crate) fn header() -> Header {
    Header {
        format: FORMAT,
        program: "netburn 0.1.0".to_owned(),
        run: "k3v9q2".to_owned(),
        started_at: "2026-11-21T02:10:43Z".to_owned(),
        verified_server: true,
        server: "http://10.0.0.1:8080".to_owned(),
        digest: "0123456789abcdef".to_owned(),
        plan: plan(),
        scenario: None,
        remarks: vec!["The radios are emulated: a rate and a queue, no airtime.".to_owned()],
    }
}

/// What a run of that household recorded: enough for every fact that a report shows.
pub(crate) fn events(header: Header) -> Vec<RunEvent> {
    let facts = [("kernel", "6.1.0-28"), ("congestion_control", "cubic"), ("secret_of_the_host", "42")];
    let facts: BTreeMap<String, String> = facts.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    let mut events = vec![
        RunEvent::Opened(Box::new(header)),
        RunEvent::Environment { host: "controller".to_owned(), facts: facts.clone() },
        RunEvent::Environment { host: "server".to_owned(), facts },
        RunEvent::Clock(ClockRecord {
            client: 2,
            offset_ns: -1_500_000_000,
            uncertainty: Duration::from_micros(120),
            phase: Phase::Before,
            from_start_ns: Some(500_000_000),
        }),
    ];
    for client in [0, 1, 3] {
        let uncertainty = Duration::from_micros(100);
        let clock = ClockRecord { client, offset_ns: 0, uncertainty, phase: Phase::Before, from_start_ns: Some(0) };
        events.push(RunEvent::Clock(clock));
    }
    let span = Duration::from_secs(60);
    events.push(RunEvent::Control(ControlRecord { client: 0, to_agent_bytes: 0, from_agent_bytes: 30_000, span }));
    for (client, start_lateness) in [(0, 400), (1, 250), (2, 1900), (3, 300)] {
        let start_lateness = Duration::from_micros(start_lateness);
        let state = ClientState::Running { start_lateness };
        events.push(RunEvent::Client { client, state, at: Some(Moment::START) });
        let tally = Tally { scheduled: 3, completed: 3, ..Tally::default() };
        // 3,125,000 B in one second are 25 Mbps.
        let interval = IntervalRecord { client, second: 11, tally, bytes: 3_125_000, ..IntervalRecord::default() };
        events.push(RunEvent::Interval(Box::new(interval)));
        events.push(RunEvent::Client { client, state: ClientState::Done, at: Some(Moment::from_secs(66)) });
    }
    events.push(RunEvent::Link(LinkRecord {
        name: "radio1".to_owned(),
        clients: vec![0, 1, 2, 3],
        rate_bps: 156_000_000,
        queue: ms(300),
        bytes: 13_000_000,
        packets: 8_600,
        drops: 1_234,
    }));
    events.push(RunEvent::Closed { ending: Ending::Finished });
    events
}

/// Events of a run in which one client is lost on the way, and whose end is not known.
pub(crate) fn events_with_a_lost_client(header: Header, client: u32, reason: &str) -> Vec<RunEvent> {
    let mut events = events(header);
    events.retain(
        |event| !matches!(event, RunEvent::Client { client: done, state: ClientState::Done, .. } if *done == client),
    );
    events.pop();
    let state = ClientState::Lost { reason: reason.to_owned() };
    events.push(RunEvent::Client { client, state, at: Some(Moment::from_secs(31)) });
    events
}

pub(crate) fn fold(events: &[RunEvent]) -> RunRecord {
    let mut run = RunRecord::new();
    for event in events {
        run.apply(event);
    }
    run
}

pub(crate) fn run() -> RunRecord {
    fold(&events(header()))
}

pub(crate) fn response_time_goal(quantile: f64, good: u64, bad: u64, counts: Counts) -> Goal {
    Goal { bound: Bound::ResponseTime { quantile, good: ms(good), bad: ms(bad) }, counts }
}

/// A goal on a quantile that was met with plenty of samples.
pub(crate) fn met(goal: Goal, observed: Duration) -> GoalJudgement {
    GoalJudgement {
        goal,
        observed: Some(observed.as_secs_f64() * 1e9),
        reading: Some(Reading::Value(observed)),
        outcome: GoalOutcome::Met,
        bad_passed: false,
        n: 3000,
        over: Some(0),
        effective_n: 3000.0,
        interval: Some((0.0, 0.001)),
        needed: None,
        score: Some(100.0),
        because: None,
        limited_by: None,
    }
}

/// A goal whose figure is no quantile: a share, or a rate.
pub(crate) fn met_figure(bound: Bound, observed: f64) -> GoalJudgement {
    let goal = Goal { bound, counts: Counts::Verdict };
    GoalJudgement { observed: Some(observed), reading: None, interval: None, ..met(goal, Duration::ZERO) }
}

fn application(client: &str, name: &str, closed: bool) -> ApplicationJudgement {
    ApplicationJudgement {
        client: client.to_owned(),
        name: name.to_owned(),
        closed,
        verdict: Some(Verdict::Pass),
        score: Some(100.0),
        decided_by: Some(0),
        reasons: vec![],
        goodput_bps: 0.0,
        share: None,
        operations: Operations::default(),
        response_time: Summary::default(),
        service_time: Summary::default(),
        slot_wait: Summary::default(),
        driver_lateness: Summary::default(),
        receive_lateness: Summary::default(),
        server_time: Summary::default(),
        goals: vec![],
        stream: None,
        limited_by: None,
        in_doubt: false,
        fair_share: None,
    }
}

pub(crate) fn laptop() -> ApplicationJudgement {
    let goal = response_time_goal(0.95, 500, 2500, Counts::Verdict);
    ApplicationJudgement {
        verdict: Some(Verdict::Marginal),
        score: Some(84.4),
        reasons: vec!["laptop browsing: pages take longer than 500 ms too often.".to_owned()],
        goodput_bps: 5_200_000.0,
        share: Some(0.033),
        operations: Operations {
            tally: Tally { scheduled: 34, completed: 33, in_flight_after: 1, ..Tally::default() },
        },
        response_time: Summary { p99: Reading::TooFew, ..summary(33, [402, 812, 0, 1020]) },
        service_time: Summary { p99: Reading::TooFew, ..summary(33, [401, 811, 0, 1019]) },
        driver_lateness: summary(33, [1, 2, 2, 3]),
        server_time: summary(33, [4, 5, 6, 7]),
        goals: vec![GoalJudgement {
            outcome: GoalOutcome::Missed,
            n: 33,
            effective_n: 21.6,
            interval: Some((0.11, 0.42)),
            score: Some(84.4),
            ..met(goal, ms(812))
        }],
        ..application("laptop", "browsing", true)
    }
}

pub(crate) fn tv() -> ApplicationJudgement {
    let floor = Bound::WindowGoodput { window: secs(4), floor: BitRate::from_mbps(20) };
    let startup = Bound::StartupTime { good: secs(2), bad: secs(10) };
    ApplicationJudgement {
        goodput_bps: 25_000_000.0,
        share: Some(0.161),
        operations: Operations { tally: Tally { scheduled: 179, completed: 179, ..Tally::default() } },
        response_time: summary(179, [250, 300, 330, 340]),
        service_time: summary(179, [249, 299, 329, 339]),
        goals: vec![
            GoalJudgement { n: 168, effective_n: 168.0, ..met_figure(floor, 23_700_000.0) },
            met_figure(Bound::StallRatio { good: 0.0, bad: 0.01 }, 0.0),
            met_figure(startup, 1.31e9),
        ],
        stream: Some(StreamSummary {
            startup: Some(ms(1310)),
            stalls: 0,
            stalled: Duration::ZERO,
            stall_ratio: Some(0.0),
            lowest_buffer: Some(ms(1800)),
            lowest_window_bps: Some(23_700_000.0),
            highest_window_bps: Some(26_100_000.0),
        }),
        ..application("tv", "4kstream", false)
    }
}

pub(crate) fn phone() -> ApplicationJudgement {
    let goal = |quantile, good, bad| response_time_goal(quantile, good, bad, Counts::Verdict);
    let missed = |goal, interval| GoalJudgement {
        observed: None,
        reading: Some(Reading::Unsuccessful),
        outcome: GoalOutcome::Missed,
        bad_passed: true,
        effective_n: 120.9,
        interval: Some(interval),
        score: Some(0.0),
        ..met(goal, Duration::ZERO)
    };
    ApplicationJudgement {
        verdict: Some(Verdict::Fail),
        score: Some(0.0),
        reasons: vec!["phone voip: 6 % of the operations failed.".to_owned()],
        goodput_bps: 940_000.0,
        share: Some(0.006),
        operations: Operations {
            tally: Tally {
                scheduled: 3000,
                completed: 2820,
                failed: [(FailureCause::Connect, 2), (FailureCause::Disconnected, 100)].into(),
                timed_out: 70,
                not_sent: [(NotSentReason::RunEnded, 8)].into(),
                ..Tally::default()
            },
        },
        response_time: Summary {
            n: 3000,
            p50: Reading::Value(ms(14)),
            p95: Reading::Unsuccessful,
            p99: Reading::Unsuccessful,
            max: Reading::Unsuccessful,
        },
        service_time: summary(2820, [14, 190, 228, 240]),
        goals: vec![missed(goal(0.95, 150, 400), (0.031, 0.104)), missed(goal(0.99, 200, 500), (0.031, 0.104))],
        ..application("phone", "voip", false)
    }
}

pub(crate) fn desktop() -> ApplicationJudgement {
    ApplicationJudgement {
        verdict: None,
        score: None,
        decided_by: None,
        goodput_bps: 124_000_000.0,
        share: Some(0.8),
        operations: Operations {
            tally: Tally { scheduled: 89, completed: 88, in_flight_after: 1, ..Tally::default() },
        },
        response_time: summary(88, [670, 690, 700, 710]),
        service_time: summary(88, [670, 690, 700, 710]),
        ..application("desktop", "download", true)
    }
}

/// One radio for all: the call fails, pages are slow, 155 Mbps.
pub(crate) fn one_radio() -> Judgement {
    Judgement {
        verdict: Verdict::Fail,
        reasons: vec![
            "phone voip: 6 % of the operations failed.".to_owned(),
            "laptop browsing: pages take longer than 500 ms too often.".to_owned(),
        ],
        window: (Moment::from_secs(5), Moment::from_secs(65)),
        applications: vec![laptop(), tv(), phone(), desktop()],
        doubts: vec![],
        checks: vec!["Taking the clients' own lateness out changes no verdict.".to_owned()],
        cautions: vec!["A run cannot speak for what it did not see.".to_owned()],
        goodput_bps: 155_140_000.0,
    }
}

/// The download on the other radio: all is well, 114 Mbps.
pub(crate) fn two_radios() -> Judgement {
    let verdict = Verdict::Pass;
    let goal = |quantile, good, bad| response_time_goal(quantile, good, bad, Counts::Verdict);
    let laptop = ApplicationJudgement {
        verdict: Some(verdict),
        score: Some(100.0),
        reasons: vec![],
        goals: vec![met(goal(0.95, 500, 2500), ms(101))],
        ..laptop()
    };
    let phone = ApplicationJudgement {
        verdict: Some(verdict),
        score: Some(100.0),
        reasons: vec![],
        goals: vec![met(goal(0.95, 150, 400), ms(14))],
        ..phone()
    };
    let desktop = ApplicationJudgement { goodput_bps: 76_000_000.0, ..desktop() };
    Judgement {
        verdict,
        reasons: vec![],
        applications: vec![laptop, tv(), phone, desktop],
        goodput_bps: 114_000_000.0,
        ..one_radio()
    }
}

/// A run in which nothing could be judged.
pub(crate) fn nothing() -> Judgement {
    Judgement {
        verdict: Verdict::Inconclusive,
        reasons: vec!["Every client was lost.".to_owned()],
        window: (Moment::START, Moment::START),
        applications: vec![],
        doubts: vec!["Every client was lost.".to_owned()],
        checks: vec![],
        cautions: vec![],
        goodput_bps: 0.0,
    }
}
