//! Met, missed, cannot tell.

use burn_model::goal::{Bound, Counts, Goal};
use burn_model::judge::{ApplicationJudgement, GoalOutcome, Reading, Verdict};
use proptest::prelude::*;

use crate::made_up::{MadeUp, Op, client, ms, population, response_time, s, steady};

fn judged(duration: u64, goals: Vec<Goal>, ops: &[Op]) -> ApplicationJudgement {
    let mut run = MadeUp::new(0, duration, vec![client("c", vec![population("app", goals)])]);
    run.operations(0, 0, ops);
    run.judge_one()
}

/// `n` operations, a second apart, of which every one in `late` took 300 ms.
fn spread(n: u64, late: &[u64]) -> Vec<Op> {
    (0..n).map(|i| Op::took(s(i), if late.contains(&i) { ms(300) } else { ms(1) })).collect()
}

#[test]
fn the_59th_operation_tells_p95_and_the_299th_p99() {
    for (quantile, enough) in [(0.95, 59), (0.99, 299)] {
        for (n, outcome) in [(enough - 1, GoalOutcome::CannotTell), (enough, GoalOutcome::Met)] {
            let app = judged(n, vec![response_time(quantile, 150, 400)], &spread(n, &[]));
            let goal = &app.goals[0];
            assert_eq!((goal.outcome, goal.n), (outcome, n));
            // The figure is printed exactly where the goal could be told.
            assert_eq!(goal.reading == Some(Reading::TooFew), outcome == GoalOutcome::CannotTell);
            assert_eq!(goal.needed, (outcome == GoalOutcome::CannotTell).then_some(enough));
        }
    }
}

#[test]
fn a_share_near_the_limit_cannot_be_told() {
    // 5 of 100, evenly spread: the bounds at 95 % are 1.99 % and 10.23 % (Clopper–Pearson), and 5 % lies between. With one
    // operation a block the variance between blocks is 100/99 of the binomial one, so that they are worth 99, and the
    // bounds are wider by a half of a hundredth.
    let app = judged(100, vec![response_time(0.95, 150, 400)], &spread(100, &[10, 30, 50, 70, 90]));
    let goal = &app.goals[0];
    let (lower, upper) = goal.interval.unwrap();
    assert!((goal.effective_n - 99.0).abs() < 1e-9);
    assert!((lower - 0.0199).abs() < 0.0005 && (upper - 0.1023).abs() < 0.0005, "{lower} {upper}");
    assert_eq!((goal.outcome, app.verdict), (GoalOutcome::CannotTell, Some(Verdict::Inconclusive)));
    assert!(goal.because.as_ref().unwrap().contains("too close to call"), "{:?}", goal.because);
}

#[test]
fn a_miss_without_a_passed_limit_is_marginal() {
    // Every fourth operation takes 300 ms: over 150 ms, not over 400 ms.
    let late: Vec<u64> = (0..200).step_by(4).collect();
    let app = judged(200, vec![response_time(0.95, 150, 400)], &spread(200, &late));
    assert_eq!((app.goals[0].outcome, app.goals[0].bad_passed), (GoalOutcome::Missed, false));
    assert_eq!(app.verdict, Some(Verdict::Marginal));
    // 300 ms lies (300 − 150) / (400 − 150) = 0.6 of the way down.
    assert!((app.score.unwrap() - 40.0).abs() < 0.2, "{:?}", app.score);
}

#[test]
fn late_operations_in_one_lump_count_as_few() {
    // 20 of 200 late in one second of 10: with ten a second for 20 s, two wholly bad seconds in a row. Blocks of 2 s:
    // ten, one wholly over: share 0.1; squares (20 − 2)² + 9 · 2² = 360; 10/9 · 360 / (200 · 0.1 · 0.9) = 22.2.
    // 200 samples are worth 9, of which 0.9 are over: nothing can be told. Spread out, the same 20 of 200 would tell.
    let goal = || vec![response_time(0.95, 150, 400)];
    let lump = steady(10, 20, |at| Some(if (8..10).contains(&at.as_secs()) { ms(300) } else { ms(1) }));
    let app = judged(20, goal(), &lump);
    assert!((app.goals[0].effective_n - 9.0).abs() < 1e-9, "{}", app.goals[0].effective_n);
    assert_eq!(app.goals[0].outcome, GoalOutcome::CannotTell);
    let apart = steady(10, 20, |at| Some(if at.subsec_millis() == 500 { ms(300) } else { ms(1) }));
    let app = judged(20, goal(), &apart);
    assert!((app.goals[0].effective_n - 200.0).abs() < 1e-9);
    assert_eq!(app.goals[0].outcome, GoalOutcome::Missed);
}

#[test]
fn operations_over_a_bound_are_counted_those_that_never_completed_among_them() {
    // Of 100 operations the first three take 300 ms, and the last two get no answer.
    let mut ops = spread(98, &[0, 1, 2]);
    ops.extend((98..100).map(|i| Op::failed(s(i))));
    let none_may_fail = Goal { bound: Bound::FailedShare { good: 0.0, bad: 0.5 }, counts: Counts::Verdict };
    let app = judged(100, vec![response_time(0.95, 150, 400), response_time(0.95, 400, 500), none_may_fail], &ops);
    assert_eq!(
        app.goals.iter().map(|goal| (goal.n, goal.over)).collect::<Vec<_>>(),
        [(100, Some(5)), (100, Some(2)), (100, Some(2))]
    );
}

#[test]
fn a_goal_for_the_score_alone_decides_no_verdict() {
    let strict = Goal { counts: Counts::Score, ..response_time(0.5, 0, 2) };
    let app = judged(100, vec![response_time(0.95, 150, 400), strict], &spread(100, &[]));
    assert_eq!((app.verdict, app.decided_by), (Some(Verdict::Pass), Some(0)));
    // 1 ms between 0 and 2 ms.
    assert!((app.score.unwrap() - 50.0).abs() < 0.1);
}

#[test]
fn a_miss_without_a_figure_is_not_scored_by_what_went_well() {
    // 40 operations give no p95, which needs 59; that 20 of them took 300 ms shows that more than 5 % do.
    let late: Vec<u64> = (0..40).step_by(2).collect();
    let app = judged(40, vec![response_time(0.95, 150, 400), no_failure(0.2)], &spread(40, &late));
    assert_eq!((app.goals[0].outcome, app.goals[0].reading), (GoalOutcome::Missed, Some(Reading::TooFew)));
    assert_eq!((app.goals[1].score, app.score), (Some(100.0), None));
}

fn no_failure(bad: f64) -> Goal {
    Goal { bound: Bound::FailedShare { good: 0.0, bad }, counts: Counts::Verdict }
}

#[test]
fn one_failure_misses_a_goal_of_none_but_proves_no_great_share() {
    let ops = |n: u64, failed: u64| -> Vec<Op> {
        let at = |i| ms(100 * i);
        (0..n).map(|i| if i < failed { Op::failed(at(i)) } else { Op::took(at(i), ms(1)) }).collect()
    };
    let outcome = |n, failed| {
        let app = judged(10, vec![no_failure(0.02)], &ops(n, failed));
        (app.goals[0].outcome, app.goals[0].bad_passed)
    };
    assert_eq!(outcome(19, 0), (GoalOutcome::CannotTell, false), "too few to say none");
    assert_eq!(outcome(20, 0), (GoalOutcome::Met, false));
    // 1 of 20 is 5 %, but the lower bound is 1 − 0.95^(1/20) = 0.26 %.
    assert_eq!(outcome(20, 1), (GoalOutcome::Missed, false));
    assert_eq!(outcome(20, 20), (GoalOutcome::Missed, true));
    assert_eq!(outcome(0, 0), (GoalOutcome::CannotTell, false), "an empty run meets nothing");
}

#[test]
fn an_empty_run_meets_nothing() {
    let app = judged(20, vec![response_time(0.95, 150, 400), no_failure(0.02)], &[]);
    assert!(app.goals.iter().all(|goal| goal.outcome == GoalOutcome::CannotTell && goal.score.is_none()));
    assert_eq!((app.verdict, app.score, app.share), (Some(Verdict::Inconclusive), None, None));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_looser_bound_never_turns_met_into_missed(
        times in prop::collection::vec(1_u64..500, 60..300),
        good in 1_u64..400,
        looser in 0_u64..100,
        bad in 0_u64..300,
    ) {
        let ops: Vec<Op> = (0_u64..).zip(&times).map(|(i, took)| Op::took(ms(100 * i), ms(*took))).collect();
        let outcome = |good: u64, bad: u64| judged(30, vec![response_time(0.9, good, bad)], &ops).goals[0].outcome;
        let strict = outcome(good, good + bad);
        let loose = outcome(good + looser, good + looser + bad);
        prop_assert!(!(strict == GoalOutcome::Met && loose == GoalOutcome::Missed));
    }

    #[test]
    fn a_failure_more_never_improves_an_outcome_of_independent_operations(
        late in prop::collection::vec(any::<bool>(), 60..200),
        failed in 0_usize..60,
    ) {
        // One operation a second, so that the blocks of a second inflate nothing by themselves; a failure in place of a
        // success leaves k/n no smaller. (Longer blocks may see less correlation with one failure more, so the
        // outcome is compared by its sign alone: what was missed is never met.)
        let mut ops: Vec<Op> =
            (0_u64..).zip(&late).map(|(i, late)| Op::took(s(i), ms(if *late { 300 } else { 1 }))).collect();
        let outcome = |ops: &[Op]| judged(200, vec![response_time(0.5, 150, 400)], ops).goals[0].outcome;
        let before = outcome(&ops);
        ops[failed] = Op::failed(ops[failed].at);
        prop_assert!(!(before == GoalOutcome::Missed && outcome(&ops) == GoalOutcome::Met));
    }
}
