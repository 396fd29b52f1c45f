//! What holds for every plan and every driver, however clumsy.

use std::time::Duration;

use burn_load::engine::Engine;
use burn_load::operation::{Completion, OperationId};
use burn_model::goal::{Bound, Counts, Goal};
use burn_model::plan::{Arrival, Media, Operation, Plan, Population, Rate};
use burn_model::record::{FailureCause, IntervalRecord, NotSentReason, RunEvent};
use burn_model::time::Moment;
use burn_model::units::BitRate;
use proptest::collection::vec;
use proptest::prelude::*;

use crate::plans::{plan_of, population};
use crate::seen::Seen;

/// One thing that a driver does.
#[derive(Clone, Debug)]
enum Deed {
    Wait(Duration),
    Back(Duration),
    Timeout,
    Dispatch,
    Sent(usize),
    FirstByte(usize),
    Bytes(usize, u64),
    Complete(usize),
    Fail(usize),
    NotSent(usize),
    Stranger(u64),
    Stop,
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = prop_oneof![
        8 => (0..2_000_000_u64).prop_map(|micros| Deed::Wait(Duration::from_micros(micros))),
        1 => (0..20_000_u64).prop_map(|millis| Deed::Wait(Duration::from_millis(millis))),
        1 => (0..5_000_u64).prop_map(|millis| Deed::Back(Duration::from_millis(millis))),
        6 => Just(Deed::Timeout),
        8 => Just(Deed::Dispatch),
        4 => (0..50_usize).prop_map(Deed::Sent),
        2 => (0..50_usize).prop_map(Deed::FirstByte),
        4 => (0..4_usize, 0..100_000_u64).prop_map(|(population, bytes)| Deed::Bytes(population, bytes)),
        6 => (0..50_usize).prop_map(Deed::Complete),
        2 => (0..50_usize).prop_map(Deed::Fail),
        1 => (0..50_usize).prop_map(Deed::NotSent),
        1 => any::<u64>().prop_map(Deed::Stranger),
        1 => prop_oneof![9 => Just(Deed::Timeout), 1 => Just(Deed::Stop)],
    ];
    vec(deed, 0..200)
}

fn arrival() -> impl Strategy<Value = Arrival> {
    prop_oneof![
        (1..2000_u64, 1_000_000..3_000_000_000_u64, 0..2000_u64).prop_map(|(operations, per_ns, phase)| {
            Arrival::Constant {
                rate: Rate { operations, per_ns: per_ns.max(operations * 1000) },
                phase: Duration::from_millis(phase),
            }
        }),
        (1..2000_u64).prop_map(|rate| Arrival::Poisson { rate: Rate::per_second(rate) }),
        (1..20_u32, 0..3000_u64)
            .prop_map(|(people, reading)| Arrival::Closed { people, reading_time: Duration::from_millis(reading) }),
    ]
}

fn any_population() -> impl Strategy<Value = Population> {
    (arrival(), 1..50_u32, 1..5_000_u64, prop_oneof![Just(0), 0..4_000_u64], any::<bool>()).prop_map(
        |(arrival, in_flight, deadline, drain, is_stream)| {
            let mut population = population(arrival);
            population.deadline = Duration::from_millis(deadline);
            population.drain = Duration::from_millis(drain);
            if population.is_closed() {
                return population;
            }
            population.in_flight = in_flight;
            if is_stream {
                population.in_flight = 1;
                population.operation = Operation { parts: 1, part_bytes: 100_000 };
                population.media = Some(Media {
                    bit_rate: BitRate::from_mbps(1),
                    start: Duration::from_millis(200),
                    resume: Duration::from_millis(100),
                    cap: Duration::from_secs(1),
                });
                if matches!(population.arrival, Arrival::Constant { .. }) {
                    population.goals.push(Goal {
                        bound: Bound::WindowGoodput { window: Duration::from_secs(1), floor: BitRate::from_mbps(1) },
                        counts: Counts::Verdict,
                    });
                }
            }
            population
        },
    )
}

fn any_plan() -> impl Strategy<Value = Plan> {
    (vec(any_population(), 1..4), 1_000..8_000_u64, any::<u64>(), any::<bool>()).prop_map(
        |(mut populations, duration, seed, keep_operations)| {
            for (i, population) in populations.iter_mut().enumerate() {
                population.name = format!("application {i}");
            }
            Plan { seed, keep_operations, ..plan_of(Duration::from_millis(duration), populations) }
        },
    )
}

/// Lets a driver do its deeds, and then brings the run to its end.
fn play(plan: &Plan, deeds: &[Deed]) -> Vec<RunEvent> {
    let mut engine = Engine::new(plan, 0).unwrap();
    let mut now = Moment::START;
    let mut under_way: Vec<OperationId> = Vec::new();
    let mut events = Vec::new();
    for deed in deeds {
        let pick = |i: usize| under_way.get(i % under_way.len().max(1)).copied();
        match *deed {
            Deed::Wait(time) => now = now + time,
            Deed::Back(time) => engine.handle_timeout(now - time),
            Deed::Timeout => engine.handle_timeout(now),
            Deed::Dispatch => {
                let most = plan.clients[0].populations.iter().map(|p| p.in_flight as usize).sum::<usize>();
                let before = under_way.len();
                under_way.extend(std::iter::from_fn(|| engine.poll_dispatch(now)).map(|dispatch| dispatch.id));
                assert!(under_way.len() - before <= most, "no more at once than there are slots");
            }
            Deed::Sent(i) => pick(i).into_iter().for_each(|id| engine.handle_sent(id, now)),
            Deed::FirstByte(i) => pick(i).into_iter().for_each(|id| engine.handle_first_byte(id, now)),
            Deed::Bytes(population, bytes) => engine.handle_bytes(population, now, bytes),
            Deed::Complete(i) => {
                let completion = Completion {
                    receive_lateness: (i % 2 == 0).then_some(Duration::from_millis(3)),
                    server_time: (i % 3 == 0).then_some(Duration::from_secs(2)),
                };
                pick(i).into_iter().for_each(|id| engine.handle_completed(id, now, completion));
            }
            Deed::Fail(i) => {
                let cause = FailureCause::ALL[i % FailureCause::ALL.len()];
                pick(i).into_iter().for_each(|id| engine.handle_failed(id, now, cause));
            }
            Deed::NotSent(i) => {
                pick(i).into_iter().for_each(|id| engine.handle_not_sent(id, now, NotSentReason::NoSocket));
            }
            Deed::Stranger(number) => {
                engine.handle_completed(OperationId::from_u64(number), now, Completion::default());
            }
            Deed::Stop => engine.stop(now),
        }
        events.extend(std::iter::from_fn(|| engine.poll_event()));
    }
    finish(&mut engine, &mut events);
    events
}

fn finish(engine: &mut Engine, events: &mut Vec<RunEvent>) {
    while let Some(timeout) = engine.poll_timeout() {
        engine.handle_timeout(timeout);
        assert!(engine.poll_timeout().is_none_or(|next| next > timeout), "nothing is due twice");
        events.extend(std::iter::from_fn(|| engine.poll_event()));
    }
    events.extend(std::iter::from_fn(|| engine.poll_event()));
    assert!(engine.is_finished());
}

fn intervals(events: Vec<RunEvent>) -> Vec<IntervalRecord> {
    Seen::of(events).intervals
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_second_of_every_run_is_conserved(plan in any_plan(), deeds in deeds()) {
        let seen = Seen::of(play(&plan, &deeds));
        for (i, population) in (0..).zip(&plan.clients[0].populations) {
            let total = seen.total(i);
            prop_assert!(total.is_conserved());
            if !population.drain.is_zero() {
                prop_assert_eq!(total.in_flight_after, 0, "with a drain, everything ends in some way");
            }
            prop_assert!(total.in_flight_after <= u64::from(population.in_flight));
            let kept = seen.operations.iter().filter(|operation| operation.population == i).count() as u64;
            if plan.keep_operations && seen.left_out == 0 {
                prop_assert_eq!(kept, total.scheduled - total.in_flight_after);
            }
            for record in seen.of_population(i) {
                let Some(playback) = record.playback else { continue };
                prop_assert!(playback.played + playback.stalled <= Duration::from_secs(1));
            }
        }
    }

    #[test]
    fn the_same_plan_and_the_same_driver_give_the_same_events(plan in any_plan(), deeds in deeds()) {
        prop_assert_eq!(play(&plan, &deeds), play(&plan, &deeds));
    }

    #[test]
    fn the_schedule_of_an_open_population_does_not_depend_on_what_becomes_of_its_operations(
        plan in any_plan(), one in deeds(), other in deeds(),
    ) {
        let scheduled = |deeds: &[Deed]| -> Vec<(u32, u64, u64)> {
            let deeds: Vec<Deed> = deeds.iter().filter(|deed| !matches!(deed, Deed::Stop)).cloned().collect();
            let open = |record: &IntervalRecord| {
                !plan.clients[0].populations[record.population as usize].is_closed() && record.tally.scheduled > 0
            };
            let mut counts: Vec<_> = intervals(play(&plan, &deeds))
                .into_iter()
                .filter(open)
                .map(|record| (record.population, record.second, record.tally.scheduled))
                .collect();
            counts.sort_unstable();
            counts
        };
        prop_assert_eq!(scheduled(&one), scheduled(&other));
    }

    #[test]
    fn how_often_a_driver_looks_changes_nothing(plan in any_plan(), steps in vec(1..50_000_000_u64, 0..300)) {
        let mut often = Engine::new(&plan, 0).unwrap();
        let mut events = Vec::new();
        let mut now = Moment::START;
        for step in steps {
            now = now + Duration::from_nanos(step);
            often.handle_timeout(now);
        }
        finish(&mut often, &mut events);
        let mut once = Engine::new(&plan, 0).unwrap();
        while once.poll_timeout().is_some() {
            once.handle_timeout(Moment::NEVER);
        }
        let at_once: Vec<RunEvent> = std::iter::from_fn(|| once.poll_event()).collect();
        prop_assert_eq!(intervals(events), intervals(at_once));
    }
}
