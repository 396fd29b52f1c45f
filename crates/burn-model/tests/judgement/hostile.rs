//! Records of a broken or hostile file: nothing panics, nothing grows without bound, everything is said.

use std::time::Duration;

use burn_model::judge::{Verdict, judge};
use burn_model::record::{
    ClientState, Cohort, Ending, IntervalRecord, PlaybackRecord, RunEvent, ServerUsageRecord, Tally, UsageRecord,
    WitnessRecord,
};
use burn_model::run::RunRecord;
use burn_model::samples::Samples;
use burn_model::time::Moment;
use proptest::prelude::*;

use crate::made_up::{MadeUp, client, ms, population, s, steady, voip_goals};
use crate::streams::{floor, stream};

fn base() -> MadeUp {
    let clients = vec![client("a", vec![population("voip", voip_goals())]), client("tv", vec![stream(vec![floor()])])];
    MadeUp::new(2, 20, clients)
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![0_u64..5, 0_u64..100, Just(u64::MAX), Just(u64::MAX - 1), any::<u64>()]
}

fn index() -> impl Strategy<Value = u32> {
    prop_oneof![0_u32..2, Just(7), Just(u32::MAX)]
}

fn duration() -> impl Strategy<Value = Duration> {
    number().prop_map(Duration::from_nanos)
}

fn moment() -> impl Strategy<Value = Moment> {
    number().prop_map(Moment::from_nanos)
}

fn share() -> impl Strategy<Value = f64> {
    prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(-1.0), 0.0..2.0_f64]
}

fn samples() -> impl Strategy<Value = Samples> {
    prop::collection::vec((duration(), number()), 0..4).prop_map(|values| {
        let mut samples = Samples::default();
        values.into_iter().for_each(|(value, n)| samples.record_n(value, n));
        samples
    })
}

fn interval() -> impl Strategy<Value = RunEvent> {
    let cohort = (number(), number(), samples(), samples()).prop_map(|(scheduled_second, unsuccessful, a, b)| Cohort {
        scheduled_second,
        unsuccessful,
        response_time: a.clone(),
        service_time: b.clone(),
        driver_lateness: b.clone(),
        response_time_less_client: a,
        response_time_less_server: b,
        ..Cohort::default()
    });
    let tally = (number(), number(), number(), number(), number()).prop_map(
        |(before, scheduled, completed, timed_out, after)| Tally {
            in_flight_before: before,
            scheduled,
            completed,
            timed_out,
            in_flight_after: after,
            ..Tally::default()
        },
    );
    let playback = (duration(), duration(), number(), number()).prop_map(|(played, stalled, stalls, level)| {
        PlaybackRecord { played, stalled, stalls, lowest_buffer_ns: Some(level), startup_ns: Some(level) }
    });
    let cohorts = prop::collection::vec(cohort, 0..3);
    let periods = prop::collection::vec((number(), number()), 0..3);
    (index(), index(), number(), tally, number(), cohorts, periods, prop::option::of(playback)).prop_map(
        |(client, population, second, tally, bytes, cohorts, periods, playback)| {
            RunEvent::Interval(Box::new(IntervalRecord {
                client,
                population,
                second,
                tally,
                bytes,
                periods,
                cohorts,
                playback,
            }))
        },
    )
}

fn event() -> impl Strategy<Value = RunEvent> {
    let usage = (index(), number(), share()).prop_map(|(client, second, driver_cpu)| {
        RunEvent::Usage(UsageRecord { client, second, driver_cpu, machine_cpu: None, resident_bytes: None })
    });
    let witness = (index(), index(), moment(), moment(), duration(), duration()).prop_map(
        |(client, population, from, to, busy, limited)| {
            RunEvent::Witness(Box::new(WitnessRecord {
                client,
                population,
                from,
                to,
                uncertainty: busy,
                replies: 1,
                bytes: 1,
                busy,
                rwnd_limited: limited,
                sndbuf_limited: limited,
                connections: None,
            }))
        },
    );
    let server = (moment(), moment(), share(), duration()).prop_map(|(from, to, busiest_thread_cpu, longest_pause)| {
        RunEvent::ServerUsage(ServerUsageRecord { from, to, busiest_thread_cpu, machine_cpu: None, longest_pause })
    });
    let state =
        (index(), 0_u8..4, duration(), prop::option::of(moment())).prop_map(|(client, kind, start_lateness, at)| {
            let state = match kind {
                0 => ClientState::Running { start_lateness },
                1 => ClientState::Draining,
                2 => ClientState::Done,
                _ => ClientState::Lost { reason: "x".into() },
            };
            RunEvent::Client { client, state, at }
        });
    let dropped = (index(), number()).prop_map(|(client, events)| RunEvent::Dropped { client, events });
    prop_oneof![8 => interval(), 1 => usage, 1 => witness, 1 => server, 1 => state, 1 => dropped]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn no_event_makes_a_record_panic_or_a_figure_that_is_not_a_number(
        events in prop::collection::vec(event(), 0..40),
        ending in prop_oneof![
            Just(Some(Ending::Finished)),
            moment().prop_map(|at| Some(Ending::Interrupted { at, by: "x".into() })),
            Just(None)
        ],
    ) {
        let mut run = RunRecord::new();
        run.apply(&base().events()[0]);
        events.iter().for_each(|event| run.apply(event));
        if let Some(ending) = ending {
            run.apply(&RunEvent::Closed { ending });
        }
        let judgement = judge(&run);
        prop_assert!(judgement.goodput_bps.is_finite());
        for application in &judgement.applications {
            prop_assert!(application.goodput_bps.is_finite() && application.share.is_none_or(f64::is_finite));
            prop_assert!(application.score.is_none_or(|score| (0.0..=100.0).contains(&score)));
            prop_assert!(application.goals.iter().all(|goal| goal.observed.is_none_or(f64::is_finite)));
            prop_assert!(application.goals.iter().all(|goal| goal.effective_n.is_finite()));
        }
        run.seconds(0, 0).for_each(drop);
    }
}

#[test]
fn a_second_far_past_the_plan_and_whatever_follows_the_end_are_not_kept() {
    let record = |second| RunEvent::Interval(Box::new(IntervalRecord { second, ..IntervalRecord::default() }));
    // 2 s of warm-up, 20 s, 5 s of drain, and a minute for an agent that was held up: 87 s.
    let mut run = base();
    run.ending = None;
    let mut run = run.record();
    for second in [87, 88, u64::MAX] {
        run.apply(&record(second));
    }
    assert_eq!(run.seconds(0, 0).map(|second| second.second).collect::<Vec<_>>(), [87]);
    run.apply(&RunEvent::Closed { ending: Ending::Finished });
    run.apply(&record(5));
    assert_eq!(run.seconds(0, 0).count(), 1);
    assert!(judge(&run).doubts.iter().any(|doubt| doubt.contains("3 entries that make no sense and were left out")));
}

#[test]
fn a_record_without_a_head_or_with_an_impossible_plan_says_so() {
    let judgement = judge(&RunRecord::new());
    assert_eq!((judgement.verdict, judgement.applications.len()), (Verdict::Inconclusive, 0));
    let mut events = base().events();
    if let RunEvent::Opened(header) = &mut events[0] {
        header.plan.duration = s(1_000_000);
    }
    let mut run = RunRecord::new();
    events.iter().for_each(|event| run.apply(event));
    let judgement = judge(&run);
    assert!(run.plan().is_none() && judgement.verdict == Verdict::Inconclusive);
    assert!(judgement.reasons[0].contains("plan is out of bounds"), "{:?}", judgement.reasons);
}

#[test]
fn events_of_clients_that_the_plan_does_not_have_are_left_out_and_told() {
    let mut run = MadeUp::call(0, 20, &steady(50, 20, |_| Some(ms(5))));
    run.more = vec![RunEvent::Dropped { client: 9, events: 1 }];
    let judgement = run.judge();
    assert_eq!(judgement.verdict, Verdict::Pass);
    assert!(judgement.doubts[0].contains("1 entry that makes no sense and was left out"), "{:?}", judgement.doubts);
}
