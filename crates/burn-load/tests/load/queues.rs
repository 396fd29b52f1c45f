//! Waiting for a slot, against queueing theory.

use burn_model::plan::{Arrival, Population, Rate};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng as _;

use crate::plans::{constant, ms, plan, population, secs};
use crate::seen::samples;
use crate::sim::{Service, SimLink, drive};

/// The mean slot wait in milliseconds of 50 Poisson arrivals a second with one slot, over 2000 s.
fn mean_wait(service: Service) -> f64 {
    let arrival = Arrival::Poisson { rate: Rate::per_second(50) };
    let population = Population { in_flight: 1, ..population(arrival) };
    let seen = drive(&plan(secs(2000), population), &mut SimLink { service, ..SimLink::default() });
    let ready = seen.operations.iter().filter_map(|o| o.ready_at.map(|ready_at| ready_at.since(o.scheduled_at)));
    let waits: Vec<f64> = ready.map(|wait| wait.as_secs_f64() * 1e3).collect();
    // 100,000 arrivals expected, with a standard deviation of √100,000 = 316.
    assert!(waits.len().abs_diff(100_000) < 5 * 316, "{}", waits.len());
    waits.iter().sum::<f64>() / f64::from(u32::try_from(waits.len()).unwrap())
}

// With n = 100,000 waits, a load of ρ = 1/2 and exponential service times of 10 ms, the standard error of the mean wait
// is √(v/n) · 10 ms with v = ρ(2 + 5ρ − 4ρ² + ρ³)/(1 − ρ)⁴ = 29 (Whitt 1989, Planning Queueing Simulations, for
// the M/M/1 queue): 0.17 ms. Five of them are 0.85 ms. Service times that do not vary make waits vary less.

#[test]
fn the_mean_wait_for_a_slot_is_that_of_the_m_m_1_queue() {
    // ρ/(1 − ρ) · 10 ms = 10 ms.
    let mean = mean_wait(Service::Exponential(ms(10), Xoshiro256PlusPlus::seed_from_u64(5)));
    assert!((mean - 10.0).abs() < 0.85, "{mean}");
}

#[test]
fn the_mean_wait_for_a_slot_is_that_of_the_m_d_1_queue() {
    // Pollaczek–Khinchine without variance: half of the above, 5 ms.
    let mean = mean_wait(Service::Fixed(ms(10)));
    assert!((mean - 5.0).abs() < 0.85, "{mean}");
}

#[test]
fn with_one_slot_and_too_much_work_each_operation_waits_longer_than_the_last_one_by_the_difference() {
    // Due each 20 ms, served in 30 ms one after the other: the i-th is due at 20·i and ready at 30·i ms. Those that are
    // due in 1 s but not ready by then were never sent: ready before 1000 ms are i = 0 … 33.
    let population = Population { in_flight: 1, ..population(constant(50)) };
    let link = &mut SimLink { service: Service::Fixed(ms(30)), ..SimLink::default() };
    let seen = drive(&plan(secs(1), population), link);
    let (cohort, total) = (seen.cohorts(0), seen.total(0));
    assert_eq!(cohort.slot_wait, samples((0..34).map(|i| ms(10 * i))));
    assert_eq!(cohort.response_time, samples((0..34).map(|i| ms(10 * i + 30))));
    assert_eq!(cohort.service_time, samples([ms(30); 34]));
    assert_eq!((total.scheduled, total.completed, total.unsent()), (50, 34, 16));
}
