//! The end of a run: what is cut, what may finish, what was never sent.

use std::time::Duration;

use burn_load::engine::Engine;
use burn_load::operation::Completion;
use burn_model::plan::Arrival;
use burn_model::plan::{Operation, Plan, Population, Rate};
use burn_model::record::{NotSentReason, Outcome, RunEvent};
use burn_model::time::Moment;

use crate::plans::{closed, constant, ms, plan, plan_of, population, secs};
use crate::seen::{Seen, unsent};
use crate::sim::{Answer, Service, SimLink, Wire, drive, drive_engine};

fn events(engine: &mut Engine) -> Vec<RunEvent> {
    std::iter::from_fn(|| engine.poll_event()).collect()
}

#[test]
fn a_population_without_a_drain_is_cut_at_the_end() {
    // One object of 10 s a person, back to back; the load ends after 15 s.
    let download = Population {
        operation: Operation { parts: 1, part_bytes: 10_000_000 },
        drain: Duration::ZERO,
        ..population(closed(1, Duration::ZERO))
    };
    let mut link = SimLink { wire: Wire::rate(8_000_000), ..SimLink::default() };
    let seen = drive(&plan(secs(15), download), &mut link);
    let total = seen.total(0);
    assert_eq!((total.scheduled, total.completed, total.timed_out, total.unsent()), (2, 1, 0, 0));
    assert_eq!(total.in_flight_after, 1, "what was cut is neither completed nor failed");
    assert_eq!(seen.operations.len(), 1);
    assert_eq!(link.abandoned(), 1, "the driver is told to give it up");
    assert_eq!(seen.intervals.len(), 15, "there is no record of a sixteenth second");
    // The link never rests: 1 MB a second, pieces of 1500 bytes.
    assert!(seen.bytes(0).abs_diff(15_000_000) <= 1500);
}

#[test]
fn what_is_under_way_at_the_end_may_finish_within_the_drain_and_its_time_counts() {
    let seen = drive(
        &plan(secs(2), population(constant(10))),
        &mut SimLink { service: Service::Fixed(ms(2500)), ..SimLink::default() },
    );
    // The last one is due at 1.9 s and answered at 4.4 s: the run is over then, not when the drain is.
    assert_eq!((seen.total(0).scheduled, seen.total(0).completed), (20, 20));
    assert_eq!(seen.response_times(), [ms(2500); 20]);
    assert_eq!(seen.intervals.last().map(|record| record.second), Some(4));
}

#[test]
fn what_is_still_open_at_the_end_of_the_drain_is_timed_out() {
    let population = Population { drain: secs(3), deadline: secs(60), ..population(constant(10)) };
    let mut link = SimLink { answer: Answer::Silent, ..SimLink::default() };
    let seen = drive(&plan(secs(2), population), &mut link);
    assert_eq!((seen.total(0).scheduled, seen.total(0).timed_out), (20, 20));
    assert!(seen.operations.iter().all(|operation| operation.ended_at == Moment::from_secs(5)));
    assert_eq!(link.abandoned(), 20);
}

#[test]
fn operations_that_never_got_a_slot_are_not_sent_and_not_carried_into_the_drain() {
    // One slot, an operation each 100 ms, replies after 700 ms: sent at 0, 0.7, 1.4 s; the rest of 20 waits.
    let population = Population { in_flight: 1, ..population(constant(10)) };
    let link = &mut SimLink { service: Service::Fixed(ms(700)), ..SimLink::default() };
    let seen = drive(&plan(secs(2), population), link);
    let total = seen.total(0);
    assert_eq!((total.scheduled, total.completed), (20, 3));
    assert_eq!(total.not_sent, unsent(NotSentReason::RunEnded, 17));
    let cohorts: Vec<(u64, u64)> = seen
        .intervals
        .iter()
        .flat_map(|record| &record.cohorts)
        .filter(|cohort| cohort.unsuccessful > 0)
        .map(|cohort| (cohort.scheduled_second, cohort.unsuccessful))
        .collect();
    // Numbers 3 to 9 were due in second 0, 10 to 19 in second 1.
    assert_eq!(cohorts, [(0, 7), (1, 10)]);
}

#[test]
fn stopping_early_is_ending_there() {
    let plan = plan(secs(600), Population { in_flight: 1, ..population(constant(10)) });
    let mut engine = Engine::new(&plan, 0).unwrap();
    let mut link = SimLink { service: Service::Fixed(ms(700)), ..SimLink::default() };
    let seen = drive_engine(&mut engine, &mut link, Moment::from_millis(1_950));
    let total = seen.total(0);
    // Due at 0 … 1.9 s: 20. Sent at 0, 0.7, 1.4 s; the last one is answered at 2.1 s, within the drain.
    assert_eq!((total.scheduled, total.completed), (20, 3));
    assert_eq!(total.not_sent, unsent(NotSentReason::Stopped, 17));
    assert_eq!(seen.intervals.last().map(|record| record.second), Some(2));
}

#[test]
fn a_driver_that_wakes_after_the_end_still_sends_what_was_due_before_it_and_had_a_slot() {
    let plan = plan(secs(2), Population { in_flight: 3, ..population(constant(10)) });
    let mut engine = Engine::new(&plan, 0).unwrap();
    let late = Moment::from_millis(2_040);
    engine.handle_timeout(Moment::from_millis(1_500));
    let mut ids: Vec<_> = std::iter::from_fn(|| engine.poll_dispatch(Moment::from_millis(1_500))).collect();
    assert_eq!(ids.len(), 3);
    for dispatch in ids.drain(..) {
        engine.handle_completed(dispatch.id, Moment::from_millis(1_650), Completion::default());
    }
    // At 1.65 s the three slots are free again and three of those that wait get them.
    engine.handle_timeout(late);
    let sent: Vec<_> = std::iter::from_fn(|| engine.poll_dispatch(late)).collect();
    assert_eq!(sent.iter().map(|dispatch| dispatch.id.number()).collect::<Vec<_>>(), [3, 4, 5]);
    for dispatch in sent {
        engine.handle_sent(dispatch.id, late);
        engine.handle_completed(dispatch.id, late, Completion::default());
    }
    assert_eq!(engine.poll_timeout(), None);
    let seen = Seen::of(events(&mut engine));
    assert_eq!((seen.total(0).scheduled, seen.total(0).completed, seen.total(0).unsent()), (20, 6, 14));
    // The driver's lateness is told, and is not the network's: ready at 1.65 s, sent at 2.04 s.
    assert_eq!(seen.cohorts(0).driver_lateness.over(ms(389)), 3);
    assert!(
        seen.operations
            .iter()
            .filter(|o| o.outcome == Outcome::Completed)
            .skip(3)
            .all(|o| { o.ready_at == Some(Moment::from_millis(1_650)) && o.sent_at == Some(late) })
    );
}

#[test]
fn a_backlog_of_ten_million_operations_is_counted_without_being_kept() {
    let flood = Population { in_flight: 1, deadline: secs(3600), drain: secs(1), ..population(constant(1_000_000)) };
    let plan = Plan { keep_operations: false, ..plan(secs(10), flood) };
    let seen = drive(&plan, &mut SimLink { answer: Answer::Silent, ..SimLink::default() });
    let total = seen.total(0);
    assert_eq!((total.scheduled, total.timed_out), (10_000_000, 1));
    assert_eq!(total.not_sent, unsent(NotSentReason::RunEnded, 9_999_999));
    assert!(seen.intervals[..10].iter().all(|record| record.tally.scheduled == 1_000_000));
}

#[test]
fn while_no_slot_is_free_arrivals_wake_nobody_and_are_counted_all_the_same() {
    let plan = plan(secs(10), Population { in_flight: 1, ..population(constant(1000)) });
    let mut engine = Engine::new(&plan, 0).unwrap();
    let first = engine.poll_dispatch(Moment::START).unwrap();
    assert_eq!(engine.poll_timeout(), Some(Moment::from_secs(1)), "the end of the second");
    // At 0.5 s the slot is free: number 1, due at 1 ms, has waited for it.
    engine.handle_completed(first.id, Moment::from_millis(500), Completion::default());
    let second = engine.poll_dispatch(Moment::from_millis(500)).unwrap();
    assert_eq!((second.id.number(), second.scheduled_at), (1, Moment::from_millis(1)));
    engine.handle_timeout(Moment::from_secs(1));
    let record = events(&mut engine).into_iter().find_map(|event| match event {
        RunEvent::Interval(record) => Some(record.tally),
        _ => None,
    });
    assert_eq!(record.map(|tally| (tally.scheduled, tally.completed, tally.in_flight_after)), Some((1000, 1, 999)));
}

#[test]
fn a_pause_of_hours_loses_no_operation_and_no_second() {
    // 10,000/s for two hours with 500 slots and a deadline of 10 s, and nobody awake: every 10 s 500 operations get a slot
    // and run past their deadline. The pause ends long after the run should have.
    let two_hours = 7_200;
    let call = Population { in_flight: 500, deadline: secs(10), ..population(constant(10_000)) };
    let poisson = Population {
        name: "poisson".into(),
        in_flight: 500,
        deadline: secs(10),
        ..population(Arrival::Poisson { rate: Rate::per_second(10) })
    };
    let plan = Plan { keep_operations: false, ..plan_of(secs(two_hours), vec![call, poisson]) };
    let mut engine = Engine::new(&plan, 0).unwrap();
    let now = Moment::from_secs(10 * two_hours);
    let mut calls = 0;
    while let Some(timeout) = engine.poll_timeout() {
        assert!(timeout <= now, "it is all due");
        engine.handle_timeout(now);
        assert_eq!(engine.poll_dispatch(now), None, "past its deadline");
        calls += 1;
    }
    assert!(calls < 20, "{calls} calls");
    let seen = Seen::of(events(&mut engine));
    assert_eq!(seen.total(0).scheduled, 72_000_000);
    // The first 500 are ready by 50 ms; from then on each slot changes hands every 10 s: 720 times by the end, the last of
    // them within the drain.
    assert_eq!(seen.total(0).timed_out, 500 * 720);
    assert_eq!(seen.total(0).unsent(), 72_000_000 - 500 * 720);
    assert_eq!(seen.total(1).scheduled, seen.total(1).timed_out, "10/s fill 100 of 500 slots");
    assert_eq!(seen.intervals.len(), 2 * 7_210, "two hours, and the drain until the last one ran out");
    assert_eq!(engine.poll_abandon(), None, "the driver was given none of them");
}

#[test]
fn a_run_that_ends_within_a_second_records_its_part() {
    let seen = drive(&plan(ms(2_500), population(constant(10))), &mut SimLink::default());
    assert_eq!(seen.intervals.iter().map(|record| record.tally.scheduled).collect::<Vec<_>>(), [10, 10, 5]);
}

#[test]
fn an_idle_population_has_a_record_for_each_second_too() {
    let rare = Population {
        name: "rare".into(),
        ..population(Arrival::Constant { rate: Rate::per_second(1), phase: secs(3600) })
    };
    let seen = drive(&plan_of(secs(5), vec![rare, population(constant(1))]), &mut SimLink::default());
    assert_eq!(seen.of_population(0).map(|record| record.second).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
}
