//! Two set-ups, by several runs of each.

#![expect(clippy::cast_precision_loss, clippy::panic, reason = "counts below a thousand, and broken tests")]

use burn_model::compare::{Answer, Comparison, compare};
use burn_model::judge::{Judgement, judge};
use burn_model::rank_test::{LEVEL, rank_test};
use burn_model::run::RunRecord;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::made_up::{MadeUp, Op, client, ms, population, steady, voip_goals};

/// A call of 20 s in which each reply takes so many milliseconds, the `minute`-th run of a day.
fn call(took_ms: u64, minute: usize) -> MadeUp {
    let mut run = MadeUp::call(0, 20, &steady(50, 20, |_| Some(ms(took_ms))));
    run.started_at = format!("2026-01-01T00:{minute:02}:00Z");
    run
}

fn judged(runs: &[MadeUp]) -> Vec<(RunRecord, Judgement)> {
    runs.iter().map(|run| (run.record(), judge(&run.record()))).collect()
}

fn compared(first: &[MadeUp], second: &[MadeUp]) -> Comparison {
    let (first, second) = (judged(first), judged(second));
    compare(
        &first.iter().map(|(run, judgement)| (run, judgement)).collect::<Vec<_>>(),
        &second.iter().map(|(run, judgement)| (run, judgement)).collect::<Vec<_>>(),
    )
}

/// Runs in turns: the first side's in even minutes, the second's in odd ones.
fn sides(first: &[u64], second: &[u64]) -> Comparison {
    let first: Vec<MadeUp> = first.iter().enumerate().map(|(i, took)| call(*took, 2 * i)).collect();
    let second: Vec<MadeUp> = second.iter().enumerate().map(|(i, took)| call(*took, 2 * i + 1)).collect();
    compared(&first, &second)
}

#[test]
fn four_runs_a_side_wholly_apart_show_which_is_better() {
    let comparison = sides(&[40, 41, 42, 43], &[30, 31, 32, 33]);
    let [voip] = comparison.applications.as_slice() else { panic!("{comparison:?}") };
    assert_eq!((voip.answer, &voip.because), (Answer::Better, &None));
    let test = voip.test.unwrap();
    // Two of 8 choose 4 = 70 deals. Each run's p95 is what every reply took, read to three digits: differences −13 … −7 ms.
    assert!((test.p - 2.0 / 70.0).abs() < 1e-12);
    let shift = test.shift.unwrap();
    assert!((shift.estimate / -10e6 - 1.0).abs() < 0.01, "{shift:?}");
    let (low, high) = shift.interval.unwrap();
    assert!((low / -13e6 - 1.0).abs() < 0.01 && (high / -7e6 - 1.0).abs() < 0.01, "{shift:?}");
    // Of four, the median lies between the second and the third.
    assert!((voip.first.median.unwrap() / 41.5e6 - 1.0).abs() < 0.01, "{:?}", voip.first);
    assert_eq!(voip.second.range.map(|(low, high)| ((low / 1e6).round(), (high / 1e6).round())), Some((30.0, 33.0)));
    assert!(comparison.cautions.is_empty(), "{:?}", comparison.cautions);
    assert_eq!(sides(&[30, 31, 32, 33], &[40, 41, 42, 43]).applications[0].answer, Answer::Worse);
}

#[test]
fn what_overlaps_cannot_be_told_and_three_runs_never_can() {
    let overlapping = sides(&[40, 41, 42, 50], &[30, 31, 43, 33]);
    let [voip] = overlapping.applications.as_slice() else { panic!("{overlapping:?}") };
    assert_eq!(voip.answer, Answer::CannotTell);
    assert!(voip.because.as_deref().unwrap().contains("of 100 comparisons"), "{voip:?}");
    let few = sides(&[400, 410, 420], &[30, 31, 32]);
    assert_eq!(few.applications[0].answer, Answer::CannotTell);
    assert!(few.applications[0].because.as_deref().unwrap().contains("4 of each"), "{few:?}");
}

#[test]
fn one_run_of_each_proves_nothing_and_says_so() {
    let comparison = sides(&[400], &[30]);
    assert_eq!(comparison.applications[0].answer, Answer::CannotTell);
    assert!(comparison.cautions.iter().any(|caution| caution.contains("proves nothing")), "{comparison:?}");
}

#[test]
fn runs_that_were_not_made_in_turns_come_with_a_caution() {
    let block = |from: usize, took: u64| (0..4).map(|i| call(took + i as u64, from + i)).collect::<Vec<_>>();
    let comparison = compared(&block(0, 40), &block(10, 30));
    assert_eq!(comparison.applications[0].answer, Answer::Better);
    assert!(comparison.cautions.iter().any(|caution| caution.contains("in turns")), "{comparison:?}");
}

#[test]
fn runs_that_ask_something_else_come_with_a_caution() {
    let second: Vec<MadeUp> = (0..4)
        .map(|i| {
            let mut goals = voip_goals();
            goals.pop();
            let mut run = MadeUp::new(0, 20, vec![client("phone", vec![population("voip", goals)])]);
            run.operations(0, 0, &steady(50, 20, |_| Some(ms(30))));
            run.started_at = format!("2026-01-01T00:{:02}:00Z", 2 * i + 1);
            run
        })
        .collect();
    let first: Vec<MadeUp> = (0..4).map(|i| call(40, 2 * i)).collect();
    let comparison = compared(&first, &second);
    assert!(comparison.cautions.iter().any(|caution| caution.contains("ask the same")), "{comparison:?}");
}

#[test]
fn a_run_whose_replies_never_came_is_worse_than_any_and_has_no_difference() {
    let dead = |i: usize| {
        let mut run = MadeUp::call(0, 20, &steady(50, 20, |_| None));
        run.started_at = format!("2026-01-01T00:{:02}:00Z", 2 * i + 1);
        run
    };
    let first: Vec<MadeUp> = (0..4).map(|i| call(40, 2 * i)).collect();
    let comparison = compared(&first, &(0..4).map(dead).collect::<Vec<_>>());
    let voip = &comparison.applications[0];
    assert_eq!(voip.answer, Answer::Worse, "{voip:?}");
    assert_eq!(voip.test.unwrap().shift, None);
}

#[test]
fn runs_in_which_the_client_was_the_limit_say_nothing_of_the_set_up() {
    let late = |i: usize| {
        let ops: Vec<Op> =
            steady(50, 20, |_| Some(ms(450))).into_iter().map(|op| Op { driver_lateness: ms(449), ..op }).collect();
        let mut run = MadeUp::call(0, 20, &ops);
        run.started_at = format!("2026-01-01T00:{:02}:00Z", 2 * i + 1);
        run
    };
    let first: Vec<MadeUp> = (0..4).map(|i| call(40, 2 * i)).collect();
    let comparison = compared(&first, &(0..4).map(late).collect::<Vec<_>>());
    let voip = &comparison.applications[0];
    assert_eq!(voip.answer, Answer::CannotTell, "{voip:?}");
    assert!(voip.because.as_deref().unwrap().contains("in 4 of the runs the tester"), "{voip:?}");
}

/// A normal deviate, by G. E. P. Box and M. E. Muller, Annals of Mathematical Statistics 29 (1958) 610–611.
fn normal(random: &mut Xoshiro256PlusPlus) -> f64 {
    let mut uniform = || -> f64 { (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 };
    (-2.0_f64 * (1.0 - uniform()).ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
}

/// Response times of one run of one set-up: correlated from each to the next (ρ = 0.9), and the whole run better or worse
/// than others of the same set-up by 20 % (one standard deviation).
fn run(random: &mut Xoshiro256PlusPlus, samples: usize) -> Vec<f64> {
    let level = (0.2 * normal(random)).exp();
    let mut state = normal(random);
    (0..samples)
        .map(|_| {
            state = 0.9 * state + (1.0_f64 - 0.81).sqrt() * normal(random);
            level * state.exp()
        })
        .collect()
}

fn p95(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() * 95 / 100]
}

#[test]
fn equal_pairs_are_called_different_no_oftener_than_is_said() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(20);
    for (runs, pairs) in [(4, 1000), (6, 1000), (10, 200)] {
        let side = |random: &mut Xoshiro256PlusPlus| (0..runs).map(|_| p95(run(random, 100))).collect::<Vec<_>>();
        let wrong =
            (0..pairs).filter(|_| rank_test(&side(&mut random), &side(&mut random)).unwrap().p <= LEVEL).count();
        // At most 5 % in truth (4 a side: 2/70; 6: 38/924; 10: 4.3 %), plus three standard deviations of the count.
        let most = 0.05 * pairs as f64 + 3.0 * (0.05 * 0.95 * pairs as f64).sqrt();
        assert!((wrong as f64) <= most, "{wrong} of {pairs} equal pairs with {runs} runs a side");
        assert!(wrong > 0, "a test that never says different cannot tell anything");
    }
}

#[test]
fn single_operations_of_one_run_each_would_call_most_equal_pairs_different() {
    // Why the run is the unit: the same test on 15 single operations a side, one run each.
    let mut random = Xoshiro256PlusPlus::seed_from_u64(21);
    let wrong =
        (0..300).filter(|_| rank_test(&run(&mut random, 15), &run(&mut random, 15)).unwrap().p <= LEVEL).count();
    assert!(wrong > 30, "{wrong} of 100");
}
