//! Figures as data, from records written down by hand.

use std::collections::BTreeMap;
use std::time::Duration;

use burn_model::goal::{Bound, Counts, Goal};
use burn_model::judge::judge;
use burn_model::plan::{Arrival, Operation, Plan};
use burn_model::record::{
    AccessPoint, ClientState, Cohort, Ending, FailureCause, Header, IntervalRecord, PlaybackRecord, RoamRecord,
    RoamSeen, RunEvent, Tally, TelemetryRecord, WifiRecord,
};
use burn_model::run::RunRecord;
use burn_model::samples::Samples;
use burn_model::time::Moment;
use burn_report::figure::{Curve, Figure, Kind, MarkKind, StretchKind, of_comparison, of_run};

use crate::household::{fold, header, ms, response_time_goal, secs};

/// The phone of the household: its call has a goal. It plays alone, for 65 s, the first five of which are the warm-up.
pub(crate) fn phone_plan() -> Plan {
    let mut plan = header().plan;
    plan.clients.retain(|client| client.name == "phone");
    let call = &mut plan.clients[0].populations[0];
    call.in_flight = 50;
    call.goals =
        vec![response_time_goal(0.95, 150, 400, Counts::Verdict), response_time_goal(0.99, 200, 500, Counts::Score)];
    plan
}

/// A second of the call: so many of its 50 exchanges take so many milliseconds each, and the others fail.
fn second(client: u32, second: u64, completed: u64, took: u64) -> RunEvent {
    let mut times = Samples::default();
    times.record_n(ms(took), completed);
    let cohort = Cohort {
        scheduled_second: second,
        unsuccessful: 50 - completed,
        response_time: times.clone(),
        service_time: times.clone(),
        response_time_less_client: times.clone(),
        response_time_less_server: times,
        ..Cohort::default()
    };
    let failed = BTreeMap::from([(FailureCause::Status, 50 - completed)]);
    let tally = Tally { scheduled: 50, completed, failed, ..Tally::default() };
    let record = IntervalRecord {
        client,
        second,
        tally,
        // 125,000 bytes in a second are 1 Mbps.
        bytes: 125_000 * (u64::from(client) + 1),
        cohorts: vec![cohort],
        ..IntervalRecord::default()
    };
    RunEvent::Interval(Box::new(record))
}

pub(crate) fn opened(plan: Plan) -> Vec<RunEvent> {
    let clients = u32::try_from(plan.clients.len()).unwrap();
    let mut events = vec![RunEvent::Opened(Box::new(Header { plan, ..header() }))];
    let state = ClientState::Running { start_lateness: Duration::ZERO };
    events.extend((0..clients).map(|client| RunEvent::Client {
        client,
        state: state.clone(),
        at: Some(Moment::START),
    }));
    events
}

/// A call of 10 ms, but for second 20, in which three of fifty exchanges fail, and second 30, which takes 300 ms.
fn call(more: impl IntoIterator<Item = RunEvent>) -> RunRecord {
    let mut events = opened(phone_plan());
    events.extend((0..65).map(|now| match now {
        20 => second(0, now, 47, 10),
        30 => second(0, now, 50, 300),
        _ => second(0, now, 50, 10),
    }));
    events.extend(more);
    events.push(RunEvent::Closed { ending: Ending::Finished });
    fold(&events)
}

fn figures(run: &RunRecord) -> Vec<Figure> {
    of_run(run, &judge(run), 1000)
}

fn named(figures: &[Figure], name: &str) -> Figure {
    figures.iter().find(|figure| figure.name == name).unwrap_or_else(|| panic!("no {name}")).clone()
}

fn at(curve: &Curve, x: f64) -> Option<f64> {
    let place = curve.x.iter().position(|place| (place - x).abs() < 1e-9).unwrap();
    curve.y[place]
}

fn roam() -> RunEvent {
    let point = |bssid: &str, frequency| Some(AccessPoint { bssid: bssid.to_owned(), frequency_mhz: Some(frequency) });
    RunEvent::Roam(RoamRecord {
        client: 0,
        at: Moment::from_millis(12_400),
        seen: RoamSeen::Event,
        from: point("02:00:00:00:00:01", 5180),
        to: point("02:00:00:00:00:02", 2437),
    })
}

#[test]
fn a_figure_is_made_of_what_there_is_and_of_nothing_else() {
    let names: Vec<_> = figures(&call([])).into_iter().map(|figure| figure.name).collect();
    assert_eq!(names, ["shares", "percentiles/phone/voip", "response-time/phone/voip", "goodput/phone/voip"]);
    assert!(figures(&RunRecord::new()).is_empty());
}

#[test]
fn response_time_stands_in_its_second_and_what_failed_leaves_a_gap_and_a_mark() {
    let figure = named(&figures(&call([])), "response-time/phone/voip");
    let [p50, p95, longest] = &figure.curves[..] else { panic!("{:?}", figure.curves) };
    // Kept to a thousandth: 10 ms and 300 ms are the lower ends of their buckets.
    let close =
        |value: Option<f64>, expected: f64| value.is_some_and(|value| (value - expected).abs() < expected / 500.0);
    assert!(close(at(p50, 0.5), 10.0) && close(at(p95, 30.5), 300.0) && close(at(longest, 30.5), 300.0));
    // 47 of 50 completed: rank 25 is one of them, rank ⌈0.95 · 50⌉ = 48 is not.
    assert!(close(at(p50, 20.5), 10.0) && close(at(longest, 20.5), 10.0));
    assert_eq!(at(p95, 20.5), None);
    let marks: Vec<_> = figure.marks.iter().map(|mark| (mark.text.as_str(), mark.kind)).collect();
    assert_eq!(marks, [("0:20: 3 failed", MarkKind::Failure)]);
    // The goal of the verdict, and not the one of the score.
    assert_eq!(
        figure.levels.iter().map(|level| level.text.as_str()).collect::<Vec<_>>(),
        ["goal p95 150 ms", "bad p95 400 ms"]
    );
    assert!((figure.levels[0].at - 150.0).abs() < 1e-9);
    assert_eq!(figure.x.range, (0.0, 65.0));
    // Between 10 and 400 ms, with a little room: 5 ms to 500 ms.
    assert_eq!((figure.y.range.0.round(), figure.y.range.1.round()), (5.0, 500.0));
    assert_eq!(figure.principal().map(|curve| curve.name.as_str()), Some("p95"));
}

#[test]
fn the_warm_up_is_set_apart() {
    let figure = named(&figures(&call([])), "goodput/phone/voip");
    let stretches: Vec<_> = figure.stretches.iter().map(|one| (one.text.as_str(), one.from, one.to)).collect();
    assert_eq!(stretches, [("warm-up, not judged", 0.0, 5.0)]);
    // 125,000 bytes a second; the last second's step reaches to its end.
    assert_eq!((at(&figure.curves[0], 0.0), at(&figure.curves[0], 65.0)), (Some(1.0), Some(1.0)));
}

#[test]
fn percentiles_end_where_operations_never_completed() {
    let figure = named(&figures(&call([])), "percentiles/phone/voip");
    // 60 judged seconds of 50, of which 3 failed: 0.1 % never completed.
    let [never] = &figure.stretches[..] else { panic!("{:?}", figure.stretches) };
    assert_eq!((never.text.as_str(), never.kind), ("3 never completed", StretchKind::Never));
    assert!((never.from - 0.999).abs() < 1e-12);
    let curve = &figure.curves[0];
    assert!(at(curve, 0.99).is_some() && curve.y.last() == Some(&None));
    assert_eq!(figure.levels.len(), 4, "good and bad of both goals");
    assert!(figure.caption.contains("Of 3,000 operations"), "{}", figure.caption);
    // One second in sixty differs from the others, so something is known of dependence, and there is a band.
    assert_eq!(figure.bands.len(), 1);
    assert_eq!((figure.bands[0].curve, figure.bands[0].x.len()), (0, figure.bands[0].upper.len()));
}

#[test]
fn a_roam_and_a_loss_are_marked_on_every_time_line_of_their_client() {
    let lost = ClientState::Lost { reason: "the connection broke".to_owned() };
    let run = call([roam(), RunEvent::Client { client: 0, state: lost, at: Some(Moment::from_secs(40)) }]);
    for figure in figures(&run).iter().filter(|figure| figure.kind.is_on_the_time_line()) {
        let texts: Vec<_> = figure.marks.iter().map(|mark| (mark.text.as_str(), mark.at)).collect();
        let whose = if figure.kind == Kind::Shares { "phone: " } else { "" };
        let roam = format!("{whose}roam to 02:00:00:00:00:02, 5 GHz to 2.4 GHz");
        assert_eq!(texts[0], (roam.as_str(), 12.4), "{}", figure.name);
        assert_eq!(texts[1], (format!("{whose}lost: the connection broke").as_str(), 40.0), "{}", figure.name);
    }
}

#[test]
fn a_radio_has_its_signal_and_its_rates_with_gaps_where_it_did_not_tell() {
    let wifi = |second: u64, signal: i32| {
        let wifi = WifiRecord {
            ssid: "home".to_owned(),
            frequency_mhz: 5180,
            channel: Some(36),
            signal_dbm: Some(signal),
            rx_bps: Some(866_700_000),
            ..WifiRecord::default()
        };
        RunEvent::Telemetry(Box::new(TelemetryRecord { second, wifi: Some(wifi), ..TelemetryRecord::default() }))
    };
    let found = figures(&call([wifi(3, -60), wifi(4, -61), wifi(7, -70)]));
    let signal = named(&found, "signal/phone");
    assert_eq!(signal.curves.len(), 1, "the driver told no average");
    let gap = (5.5, None);
    let points: Vec<_> = signal.curves[0].x.iter().copied().zip(signal.curves[0].y.iter().copied()).collect();
    assert_eq!(points, [(3.5, Some(-60.0)), (4.5, Some(-61.0)), gap, (7.5, Some(-70.0))]);
    assert!(signal.caption.ends_with("home: 5 GHz, channel 36."), "{}", signal.caption);
    let rates = named(&found, "bit-rate/phone");
    // Each record stands for a second; of the two between them nothing is known.
    for figure in [&signal, &rates] {
        assert_eq!(stays(figure), [("5 GHz, channel 36", 3.0, 5.0), ("5 GHz, channel 36", 7.0, 8.0)]);
    }
    assert_eq!((rates.curves[0].name.as_str(), rates.curves[0].y[0]), ("receiving", Some(866.7)));
}

/// What is written of the radio's channels along the time line.
fn stays(figure: &Figure) -> Vec<(&str, f64, f64)> {
    let radio = figure.stretches.iter().filter(|stretch| stretch.kind == StretchKind::Radio);
    radio.map(|stretch| (stretch.text.as_str(), stretch.from, stretch.to)).collect()
}

#[test]
fn the_band_stands_where_the_radio_was_on_it_unless_it_changes_too_often_to_be_read() {
    let wifi = |second: u64, (frequency_mhz, channel): (u32, u32)| {
        let wifi = WifiRecord { frequency_mhz, channel: Some(channel), signal_dbm: Some(-60), ..WifiRecord::default() };
        RunEvent::Telemetry(Box::new(TelemetryRecord { second, wifi: Some(wifi), ..TelemetryRecord::default() }))
    };
    let (five, two) = ((5180, 36), (2437, 6));
    let found = figures(&call([wifi(0, five), wifi(1, five), wifi(2, two), wifi(3, two), wifi(4, five)]));
    assert_eq!(
        stays(&named(&found, "signal/phone")),
        [("5 GHz, channel 36", 0.0, 2.0), ("2.4 GHz, channel 6", 2.0, 4.0), ("5 GHz, channel 36", 4.0, 5.0)]
    );
    let restless = call((0..60).map(|second| wifi(second, if second % 2 == 0 { five } else { two })));
    assert!(stays(&named(&figures(&restless), "signal/phone")).is_empty());
}

#[test]
fn a_radio_of_which_not_every_second_is_known_says_so() {
    let wifi = |second: u64| {
        let wifi = WifiRecord { frequency_mhz: 5180, signal_dbm: Some(-60), ..WifiRecord::default() };
        RunEvent::Telemetry(Box::new(TelemetryRecord { second, wifi: Some(wifi), ..TelemetryRecord::default() }))
    };
    let caption =
        |seconds: &[u64]| named(&figures(&call(seconds.iter().map(|at| wifi(*at)))), "signal/phone").caption.clone();
    assert!(caption(&[0, 4, 8, 16]).contains("one second in 4"));
    assert!(!caption(&[0, 1, 8, 16]).contains("one second in"), "a gap is no rule");
}

#[test]
fn a_player_shows_its_buffer_and_where_it_stood_still() {
    let mut plan = header().plan;
    plan.clients.retain(|client| client.name == "tv");
    let mut events = opened(plan);
    events.extend((0..65).map(|second| {
        let stalled = if (20..22).contains(&second) { ms(700) } else { Duration::ZERO };
        let playback = PlaybackRecord {
            stalled,
            lowest_buffer_ns: (second > 2).then_some(1_500_000_000),
            ..PlaybackRecord::default()
        };
        RunEvent::Interval(Box::new(IntervalRecord { second, playback: Some(playback), ..IntervalRecord::default() }))
    }));
    let figure = named(&figures(&fold(&events)), "buffer/tv/4kstream");
    assert_eq!((at(&figure.curves[0], 1.5), at(&figure.curves[0], 9.5)), (None, Some(1.5)));
    let stall = figure.stretches.iter().find(|stretch| stretch.kind == StretchKind::Stall).unwrap();
    assert_eq!((stall.text.as_str(), stall.from, stall.to), ("stalled for 1.4 s", 20.0, 22.0));
}

#[test]
fn of_many_clients_those_that_received_most_are_drawn_and_the_others_together() {
    let mut plan = phone_plan();
    let one = plan.clients.remove(0);
    plan.clients = (0..10).map(|i| burn_model::plan::ClientPlan { name: format!("c{i}"), ..one.clone() }).collect();
    let mut events = opened(plan);
    events.extend((0..10).flat_map(|client| (0..10).map(move |now| second(client, now, 50, 10))));
    let figure = named(&figures(&fold(&events)), "shares");
    // Client i receives i + 1 Mbps: the first three are the others, 1 + 2 + 3 together.
    let names: Vec<_> = figure.curves.iter().map(|curve| curve.name.as_str()).collect();
    assert_eq!(names, ["c3", "c4", "c5", "c6", "c7", "c8", "c9", "3 others"]);
    assert_eq!((at(&figure.curves[6], 4.5), at(&figure.curves[7], 4.5)), (Some(10.0), Some(6.0)));
    assert!(figure.caption.contains("Of 10 clients"), "{}", figure.caption);
}

#[test]
fn a_bound_on_points_is_kept_and_said_and_no_extreme_is_lost() {
    let run = call([]);
    for figure in of_run(&run, &judge(&run), 12) {
        assert!(
            figure.curves.iter().all(|curve| curve.x.len() <= 12 && curve.x.len() == curve.y.len()),
            "{}",
            figure.name
        );
        assert!(figure.bands.iter().all(|band| band.x.len() <= 12), "{}", figure.name);
        if figure.kind == Kind::ResponseTime {
            // 65 seconds in 12 / 3 = 4 stretches: of 17.
            assert!(
                figure.caption.contains("Drawn of 65 seconds is what is least and what is greatest in every 17"),
                "{}",
                figure.caption
            );
            assert!(at(&figure.curves[1], 30.5).is_some_and(|p95| p95 > 299.0));
        }
    }
}

#[test]
fn two_set_ups_are_drawn_over_each_other() {
    let (one, other) = (call([]), call([roam()]));
    let (judged, other_judged) = (judge(&one), judge(&other));
    let found = of_comparison(&[(&one, &judged)], &[(&other, &other_judged)], ("old", "new <b>"), 500);
    let names: Vec<_> = found.iter().map(|figure| figure.name.as_str()).collect();
    assert_eq!(names, ["percentiles/phone/voip", "response-time/phone/voip", "goodput/phone/voip"]);
    for figure in &found {
        assert_eq!(figure.curves.iter().map(|curve| curve.name.as_str()).collect::<Vec<_>>(), ["old", "new <b>"]);
        assert!(figure.caption.contains("One run of each set-up"), "{}", figure.caption);
    }
    assert_eq!(found[0].bands.iter().map(|band| band.curve).collect::<Vec<_>>(), [0, 1]);
    assert!(found[1].marks[0].text.starts_with("new <b>: roam"), "{:?}", found[1].marks);
    assert!(of_comparison(&[], &[(&other, &other_judged)], ("a", "b"), 500).is_empty());
}

#[test]
fn a_floor_stands_in_the_goodput_of_a_stream() {
    let mut plan = header().plan;
    plan.clients.retain(|client| client.name == "tv");
    let floor = Bound::WindowGoodput { window: secs(4), floor: burn_model::units::BitRate::from_mbps(20) };
    plan.clients[0].populations[0].goals = vec![Goal { bound: floor, counts: Counts::Verdict }];
    assert!(matches!(plan.clients[0].populations[0].arrival, Arrival::Constant { .. }));
    assert_eq!(plan.clients[0].populations[0].operation, Operation { parts: 1, part_bytes: 1 << 20 });
    let mut events = opened(plan);
    let record = |second| IntervalRecord { second, bytes: 3_125_000, ..IntervalRecord::default() };
    events.extend((0..65).map(|second| RunEvent::Interval(Box::new(record(second)))));
    let figure = named(&figures(&fold(&events)), "goodput/tv/4kstream");
    assert_eq!((figure.levels[0].text.as_str(), figure.levels[0].at), ("floor 20 Mbps in any 4 s", 20.0));
    assert_eq!(at(&figure.curves[0], 10.0), Some(25.0));
}
