//! What a record says of an operation: its stamps, its second, and whose doing its time was.

use std::time::Duration;

use burn_load::engine::Engine;
use burn_load::operation::{Completion, OperationId};
use burn_model::plan::{Plan, Population};
use burn_model::record::{FailureCause, NotSentReason, OperationRecord, Outcome, RunEvent};
use burn_model::time::Moment;

use crate::plans::{constant, ms, plan, population, secs};
use crate::seen::{Seen, samples, unsent};
use crate::sim::{Service, SimLink, drive};

fn at(millis: u64) -> Moment {
    Moment::from_millis(millis)
}

fn events(engine: &mut Engine) -> Vec<RunEvent> {
    std::iter::from_fn(|| engine.poll_event()).collect()
}

/// Brings an engine to its end, with nothing more coming in.
fn finish(engine: &mut Engine) -> Seen {
    while let Some(timeout) = engine.poll_timeout() {
        engine.handle_timeout(timeout);
    }
    Seen::of(events(engine))
}

#[test]
fn response_time_is_told_apart_into_what_the_client_the_server_and_the_network_did() {
    // Due each 100 ms; the driver sends 3 ms late; 20 ms there and 20 ms back; the last byte lay in the kernel for 2 ms,
    // which the 20 ms hold; and the server says it took 5 ms, which they hold as well.
    let mut link = SimLink {
        delay: ms(20),
        send_lateness: ms(3),
        completion: Completion { receive_lateness: Some(ms(2)), server_time: Some(ms(5)) },
        ..SimLink::default()
    };
    let seen = drive(&plan(secs(1), population(constant(10))), &mut link);
    let cohort = seen.cohorts(0);
    let all = |millis| samples([ms(millis); 10]);
    assert_eq!(cohort.response_time, all(43));
    assert_eq!(cohort.service_time, all(40));
    assert_eq!(cohort.slot_wait, all(0));
    assert_eq!(cohort.driver_lateness, all(3));
    assert_eq!(cohort.receive_lateness, all(2));
    assert_eq!(cohort.server_time, all(5));
    assert_eq!(cohort.response_time_less_client, all(38));
    assert_eq!(cohort.response_time_less_server, all(38));
}

#[test]
fn what_the_kernel_and_the_server_do_not_tell_is_absent_and_takes_nothing_off() {
    let seen = drive(&plan(secs(1), population(constant(10))), &mut SimLink { delay: ms(20), ..SimLink::default() });
    let cohort = seen.cohorts(0);
    assert!(cohort.receive_lateness.is_empty() && cohort.server_time.is_empty());
    assert_eq!(cohort.response_time_less_client, cohort.response_time);
    assert_eq!(cohort.response_time_less_server, cohort.response_time);
}

#[test]
fn a_server_that_claims_more_than_the_whole_time_leaves_zero() {
    let completion = Completion { receive_lateness: Some(secs(9)), server_time: Some(Duration::MAX) };
    let seen = drive(&plan(secs(1), population(constant(10))), &mut SimLink { completion, ..SimLink::default() });
    assert_eq!(seen.cohorts(0).response_time_less_client, samples([Duration::ZERO; 10]));
    assert_eq!(seen.cohorts(0).response_time_less_server, samples([Duration::ZERO; 10]));
    assert_eq!(seen.cohorts(0).server_time.overflow(), 10);
}

#[test]
fn an_operation_keeps_all_its_stamps() {
    let mut engine = Engine::new(&plan(secs(1), population(constant(1))), 0).unwrap();
    let id = engine.poll_dispatch(at(0)).unwrap().id;
    engine.handle_sent(id, at(1));
    engine.handle_sent(id, at(2));
    engine.handle_first_byte(id, at(30));
    engine.handle_first_byte(id, at(31));
    engine.handle_bytes(0, at(31), 1000);
    engine.handle_completed(id, at(40), Completion { receive_lateness: Some(ms(4)), server_time: Some(ms(6)) });
    assert_eq!(
        finish(&mut engine).operations,
        [OperationRecord {
            client: 0,
            population: 0,
            index: 0,
            scheduled_at: at(0),
            ready_at: Some(at(0)),
            sent_at: Some(at(1)),
            first_byte_at: Some(at(30)),
            ended_at: at(40),
            receive_lateness_ns: Some(4_000_000),
            server_time_ns: Some(6_000_000),
            outcome: Outcome::Completed,
        }]
    );
}

#[test]
fn an_event_at_3_2_s_closes_second_2_first() {
    let mut engine = Engine::new(&plan(secs(10), population(constant(1))), 0).unwrap();
    engine.handle_bytes(0, at(2_100), 7);
    engine.handle_bytes(0, at(3_200), 11);
    let closed: Vec<(u64, u64, u64)> = events(&mut engine)
        .into_iter()
        .map(|event| match event {
            RunEvent::Interval(record) => (record.second, record.bytes, record.tally.scheduled),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(closed, [(0, 0, 1), (1, 0, 1), (2, 7, 1)]);
    assert_eq!(engine.poll_timeout(), Some(at(4_000)));
}

#[test]
fn a_reply_at_the_very_deadline_is_in_time_if_it_is_told_first_and_one_after_it_is_late() {
    let plan = plan(secs(1), Population { deadline: ms(200), ..population(constant(1)) });
    for (received_at, in_time) in [(at(200), true), (Moment::from_nanos(200_000_001), false)] {
        let mut engine = Engine::new(&plan, 0).unwrap();
        let id = engine.poll_dispatch(at(0)).unwrap().id;
        engine.handle_completed(id, received_at, Completion::default());
        assert_eq!(engine.poll_abandon(), (!in_time).then_some(id));
        let total = finish(&mut engine).total(0);
        assert_eq!((total.completed, total.timed_out), (u64::from(in_time), u64::from(!in_time)));
    }
}

#[test]
fn the_deadline_runs_from_when_an_operation_was_ready_not_from_when_it_was_due() {
    // One slot, due each 200 ms, served in 300 ms: the i-th is ready at 300·i ms, and answered 300 ms later, within the
    // 400 ms it has, although it was due 100·i ms before. Ready before the end at 2 s are i = 0 … 6.
    let population = Population { in_flight: 1, deadline: ms(400), ..population(constant(5)) };
    let link = &mut SimLink { service: Service::Fixed(ms(300)), ..SimLink::default() };
    let total = drive(&plan(secs(2), population), link).total(0);
    assert_eq!((total.completed, total.timed_out, total.unsent()), (7, 0, 3));
}

#[test]
fn a_late_driver_times_an_operation_out_at_its_deadline_not_when_it_looked() {
    let plan = plan(secs(1), Population { in_flight: 1, deadline: ms(200), ..population(constant(4)) });
    let mut engine = Engine::new(&plan, 0).unwrap();
    let id = engine.poll_dispatch(at(0)).unwrap().id;
    engine.handle_timeout(at(900));
    assert_eq!(engine.poll_abandon(), Some(id));
    // Due at 0, 250, 500 and 750 ms, each with the slot to itself: those before 750 ms are past their deadlines.
    assert_eq!(engine.poll_dispatch(at(900)).map(|dispatch| dispatch.scheduled_at), Some(at(750)));
    let ended: Vec<Moment> = finish(&mut engine).operations.iter().map(|operation| operation.ended_at).collect();
    assert_eq!(ended, [at(200), at(450), at(700), at(950)]);
}

#[test]
fn a_moment_before_the_last_one_is_taken_for_the_last_one() {
    let mut engine = Engine::new(&plan(secs(10), population(constant(1))), 0).unwrap();
    let id = engine.poll_dispatch(at(4_500)).unwrap().id;
    engine.handle_sent(id, at(4_400));
    engine.handle_bytes(0, at(100), 5);
    engine.handle_completed(id, at(0), Completion::default());
    let seen = finish(&mut engine);
    assert_eq!(seen.intervals[4].bytes, 5);
    let first = &seen.operations[0];
    assert_eq!((first.sent_at, first.ended_at), (Some(at(4_500)), at(4_500)));
}

#[test]
fn calls_that_name_nothing_under_way_are_not_heard() {
    let mut engine = Engine::new(&plan(secs(2), population(constant(1))), 0).unwrap();
    let id = engine.poll_dispatch(at(0)).unwrap().id;
    engine.handle_completed(id, at(10), Completion::default());
    let strangers = [id, OperationId::from_u64(1), OperationId::from_u64(u64::MAX), OperationId::from_u64(1 << 48)];
    for stranger in strangers {
        engine.handle_sent(stranger, at(20));
        engine.handle_first_byte(stranger, at(20));
        engine.handle_completed(stranger, at(20), Completion::default());
        engine.handle_failed(stranger, at(20), FailureCause::Protocol);
        engine.handle_not_sent(stranger, at(20), NotSentReason::NoSocket);
    }
    engine.handle_bytes(1, at(20), 99);
    engine.handle_bytes(usize::MAX, at(20), 99);
    // The second operation is ready at 1 s; its name is not known to the driver before it was handed out.
    engine.handle_timeout(at(1_000));
    engine.handle_completed(OperationId::from_u64(1), at(1_000), Completion::default());
    let dispatch = engine.poll_dispatch(at(1_000)).unwrap();
    assert_eq!((dispatch.id.as_u64(), dispatch.id.population()), (1, 0));
    engine.handle_not_sent(dispatch.id, at(1_000), NotSentReason::NoSocket);
    let seen = finish(&mut engine);
    assert_eq!((seen.total(0).scheduled, seen.total(0).completed, seen.bytes(0)), (2, 1, 0));
    assert_eq!(seen.total(0).not_sent, unsent(NotSentReason::NoSocket, 1));
}

#[test]
fn payload_of_an_operation_that_was_given_up_is_payload_all_the_same() {
    let plan = plan(secs(1), Population { deadline: ms(100), ..population(constant(1)) });
    let mut engine = Engine::new(&plan, 0).unwrap();
    let id = engine.poll_dispatch(at(0)).unwrap().id;
    engine.handle_timeout(at(100));
    assert_eq!(engine.poll_abandon(), Some(id));
    engine.handle_bytes(0, at(150), 500);
    assert_eq!(finish(&mut engine).bytes(0), 500);
}

#[test]
fn operation_records_that_nobody_takes_are_bounded_and_the_rest_is_counted() {
    let plan = plan(secs(100), population(constant(1000)));
    let mut engine = Engine::new(&plan, 0).unwrap();
    while let Some(now) = engine.poll_timeout() {
        engine.handle_timeout(now);
        while let Some(dispatch) = engine.poll_dispatch(now) {
            engine.handle_completed(dispatch.id, now, Completion::default());
        }
    }
    let seen = Seen::of(events(&mut engine));
    assert_eq!((seen.operations.len(), seen.left_out), (65_536, 100_000 - 65_536));
    assert_eq!(seen.total(0).completed, 100_000, "the tallies hold them all");
}

#[test]
fn without_being_asked_for_no_operation_is_recorded_and_none_is_missed() {
    let plan = Plan { keep_operations: false, ..plan(secs(10), population(constant(100))) };
    let seen = drive(&plan, &mut SimLink::default());
    assert_eq!((seen.operations.len(), seen.left_out, seen.total(0).completed), (0, 0, 1000));
}

#[test]
fn operations_of_all_populations_come_in_the_order_in_which_they_became_ready() {
    let phased = |name: &str, phase| Population {
        name: name.into(),
        ..population(burn_model::plan::Arrival::Constant { rate: burn_model::plan::Rate::per_second(100), phase })
    };
    let populations = vec![phased("a", ms(3)), phased("b", Duration::ZERO), phased("c", ms(7))];
    let mut engine = Engine::new(&crate::plans::plan_of(secs(1), populations), 0).unwrap();
    let dispatched: Vec<usize> = std::iter::from_fn(|| engine.poll_dispatch(at(19))).map(|d| d.population).collect();
    // Due at 0 (b), 3 (a), 7 (c), 10 (b), 13 (a) and 17 ms (c).
    assert_eq!(dispatched, [1, 0, 2, 1, 0, 2]);
}

#[test]
fn a_client_that_the_plan_does_not_have_has_no_engine() {
    assert!(Engine::new(&plan(secs(1), population(constant(1))), 1).is_none());
}
