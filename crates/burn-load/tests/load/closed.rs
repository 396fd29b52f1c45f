//! Closed populations: people who wait for the reply, and read.

use std::time::Duration;

use burn_model::plan::{Plan, Population};
use burn_model::record::{FailureCause, OperationRecord};
use burn_model::time::Moment;

use crate::plans::{closed, ms, plan, plan_of, population, secs};
use crate::seen::{Seen, failures};
use crate::sim::{Answer, Service, SimLink, drive};

fn served_in(time: Duration) -> SimLink {
    SimLink { service: Service::Fixed(time), ..SimLink::default() }
}

fn schedule(seen: &Seen) -> Vec<Moment> {
    seen.operations.iter().map(|operation| operation.scheduled_at).collect()
}

#[test]
fn back_to_back_operations_follow_each_other_without_a_gap() {
    let seen = drive(&plan(secs(2), population(closed(1, Duration::ZERO))), &mut served_in(ms(30)));
    let expected: Vec<Moment> = (0..67).map(|i| Moment::from_millis(30 * i)).collect();
    assert_eq!(schedule(&seen), expected, "from 0 to 1980 ms");
    assert_eq!(seen.total(0).completed, 67);
}

#[test]
fn a_dead_port_is_tried_with_growing_patience_not_hammered() {
    // At 0, and then 0.1, 0.2, 0.4 and 0.8 s after the last one; a second from there on.
    let link = &mut SimLink { answer: Answer::Refused, ..SimLink::default() };
    let seen = drive(&plan(secs(6), population(closed(1, Duration::ZERO))), link);
    let expected = [0, 100, 300, 700, 1500, 2500, 3500, 4500, 5500].map(Moment::from_millis);
    assert_eq!(schedule(&seen), expected);
    assert_eq!(seen.total(0).failed, failures(FailureCause::Connect, 9));
}

#[test]
fn each_person_has_one_operation_under_way_at_most_and_reads_in_between() {
    let seen = drive(&plan(secs(300), population(closed(5, secs(2)))), &mut served_in(ms(500)));
    for record in &seen.intervals {
        assert!(record.tally.in_flight_after <= 5);
    }
    // A round takes 2.5 s in the mean with a standard deviation of 2 s (exponential reading). In 300 s each of 5 people
    // makes 120 rounds ± √120 · 2/2.5 = 8.8; all together 600 ± 19.6. Five of those are 98.
    let rounds = seen.total(0).completed;
    assert!(rounds.abs_diff(600) < 98, "{rounds}");
    let mut slots: Vec<&OperationRecord> = seen.operations.iter().collect();
    slots.sort_by_key(|operation| operation.index);
    assert!(slots.is_sorted_by_key(|operation| operation.scheduled_at), "numbered in the order of their schedule");
    assert!(
        slots.iter().all(|operation| operation.ready_at == Some(operation.scheduled_at)),
        "nobody waits for a slot"
    );
}

#[test]
fn reading_times_start_the_run_too() {
    let seen = drive(&plan(secs(60), population(closed(1000, secs(2)))), &mut served_in(ms(1)));
    // The share of people whose first reading takes over 2 s (the mean) is 1/e = 0.368: 368 ± 15.2. The first
    // operation of nobody is due at the start.
    let started = seen.operations.iter().filter(|operation| operation.scheduled_at == Moment::START).count();
    assert_eq!(started, 0);
    let first_second: u64 = seen.intervals[0].tally.scheduled;
    // In the first second start 1 − e^(−1/2) = 0.393 of 1000, ± 15.4; second operations add under 1 − that of them again.
    assert!((393 - 77..=393 + 77 + 155).contains(&first_second), "{first_second}");
}

#[test]
fn what_one_population_draws_does_not_depend_on_the_others() {
    let reading = population(closed(3, secs(1)));
    let other = Population { name: "other".into(), ..population(closed(7, ms(300))) };
    let alone = drive(&plan(secs(30), reading.clone()), &mut served_in(ms(10)));
    let together = drive(&plan_of(secs(30), vec![other, reading]), &mut served_in(ms(10)));
    let of_second: Vec<Moment> =
        together.operations.iter().filter(|o| o.population == 1).map(|o| o.scheduled_at).collect();
    assert_eq!(schedule(&alone), of_second);
}

#[test]
fn another_seed_or_another_client_s_name_gives_other_draws() {
    let base = plan(secs(30), population(closed(3, secs(1))));
    let mut renamed = base.clone();
    renamed.clients[0].name = "another".into();
    let runs = [base.clone(), Plan { seed: 43, ..base.clone() }, renamed, base];
    let schedules = runs.map(|plan| schedule(&drive(&plan, &mut served_in(ms(10)))));
    assert_ne!(schedules[0], schedules[1]);
    assert_ne!(schedules[0], schedules[2]);
    assert_eq!(schedules[0], schedules[3]);
}
