//! The known answers of the method, through the whole fold.

use std::time::Duration;

use burn_model::judge::{GoalOutcome, Reading, Verdict};

use crate::made_up::{MadeUp, Op, ms, outage, s, steady};

fn value(reading: Reading) -> Duration {
    match reading {
        Reading::Value(value) => value,
        other => panic!("{other:?} is not a value"),
    }
}

/// What is read is the lower end of a bucket that is at most a thousandth wide.
fn reads(reading: Reading, exact: Duration) -> bool {
    let read = value(reading);
    read <= exact && exact - read <= exact / 1000
}

#[test]
fn a_call_with_an_outage_of_4_of_20_seconds_fails() {
    // 1000 operations; those due in [8 s, 12 s) are answered at 12 s: at 8.00 s after 4.00 s, at 8.02 s after
    // 3.98 s, … The 200 longest are 0.02, 0.04, … 4.00 s; p95 is rank 950, the 51st from the top: 4.00 − 50 · 0.02 = 3.00 s.
    // p99 is rank 990, the 11th from the top: 3.80 s.
    let run = MadeUp::call(0, 20, &steady(50, 20, outage(s(8), s(4))));
    let judgement = run.judge();
    let call = &judgement.applications[0];
    assert_eq!(judgement.verdict, Verdict::Fail, "{:?}", judgement.reasons);
    assert_eq!(call.operations.tally.completed, 1000);
    assert!(reads(call.response_time.p95, s(3)), "{:?}", call.response_time);
    assert!(reads(call.response_time.p99, ms(3800)));
    assert!(reads(call.response_time.max, s(4)));
    assert!(reads(call.response_time.p50, ms(2)));
    assert_eq!(call.score, Some(0.0), "p95 of 3 s is past the bad 400 ms");
    // It is p99's limit that the few independent samples show to be passed.
    assert!(call.goals[1].bad_passed && call.decided_by == Some(1));
}

#[test]
fn it_fails_behind_a_warm_up_too() {
    let mut ops = steady(50, 22, outage(s(9), s(4)));
    // The warm-up is worse still, and does not count.
    for op in ops.iter_mut().filter(|op| op.at < s(2)) {
        *op = Op::took(op.at, s(5));
    }
    let judgement = MadeUp::call(2, 20, &ops).judge();
    let call = &judgement.applications[0];
    assert_eq!(judgement.verdict, Verdict::Fail, "{:?}", judgement.reasons);
    assert_eq!(call.response_time.n, 1000);
    assert!(reads(call.response_time.p95, s(3)) && reads(call.response_time.max, s(4)));
}

#[test]
fn a_stalled_server_shows_in_every_arrival_of_its_second() {
    // 100 operations a second; those of second 5 are answered at its end: 1.00, 0.99, … 0.01 s.
    // 3000 operations; 100 of them are 10 ms or more, and the others take 1 ms. p99 is rank 2970, the 31st from the top:
    // 1.00 − 30 · 0.01 = 0.70 s.
    let run = MadeUp::call(0, 30, &steady(100, 30, |at| Some(if at.as_secs() == 5 { s(6) - at } else { ms(1) })));
    let call = run.judge_one();
    assert_eq!(call.response_time.n, 3000);
    assert!(reads(call.response_time.p99, ms(700)), "{:?}", call.response_time.p99);
    assert!(reads(call.response_time.max, s(1)));
}

#[test]
fn a_call_without_trouble_passes_with_a_full_score() {
    let judgement = MadeUp::call(2, 30, &steady(50, 32, |_| Some(ms(9)))).judge();
    assert_eq!(judgement.verdict, Verdict::Pass);
    assert_eq!(judgement.reasons, ["Every goal of every application was met."]);
    let call = &judgement.applications[0];
    assert_eq!(call.score, Some(100.0));
    assert!(call.goals.iter().all(|goal| goal.outcome == GoalOutcome::Met && goal.n == 1500));
    // 50 replies of 2500 bytes each second: 1 Mbps.
    assert!((call.goodput_bps - 1e6).abs() < 1e-6, "{}", call.goodput_bps);
    assert_eq!(call.share, Some(1.0));
    assert!(judgement.doubts.is_empty(), "{:?}", judgement.doubts);
}

#[test]
fn half_of_all_replies_an_error_improves_nothing() {
    let good = MadeUp::call(0, 20, &steady(50, 20, |_| Some(ms(9)))).judge_one();
    let ops = steady(50, 20, |at| (at.subsec_millis() % 40 == 0).then_some(ms(9)));
    let bad = MadeUp::call(0, 20, &ops).judge_one();
    assert_eq!((good.response_time.n, bad.response_time.n), (1000, 1000));
    assert_eq!(bad.response_time.p95, Reading::Unsuccessful);
    assert_eq!(bad.operations.tally.failures(), 500);
    assert!(bad.goodput_bps < good.goodput_bps);
    assert_eq!((bad.verdict, bad.score), (Some(Verdict::Fail), Some(0.0)));
    assert!(bad.reasons.iter().any(|reason| reason.contains("the reply was an error 500 times")), "{:?}", bad.reasons);
}

#[test]
fn a_port_where_nothing_listens_fails() {
    let call = MadeUp::call(0, 20, &steady(50, 20, |_| None)).judge_one();
    assert_eq!(call.verdict, Some(Verdict::Fail));
    assert_eq!((call.response_time.p50, call.response_time.max), (Reading::Unsuccessful, Reading::Unsuccessful));
    assert_eq!(call.service_time.n, 0, "what never completed has no service time");
}

#[test]
fn operations_that_never_end_rank_as_worse_than_any() {
    // From 10 s on nothing is answered any more, and nothing times out within the drain of 5 s either.
    let mut ops = steady(50, 20, |_| Some(ms(9)));
    for op in ops.iter_mut().filter(|op| op.at >= s(10)) {
        op.ends_after = s(100);
    }
    let call = MadeUp::call(0, 20, &ops).judge_one();
    assert_eq!(call.operations.tally.in_flight_after, 500);
    assert_eq!((call.response_time.n, call.response_time.p95), (1000, Reading::Unsuccessful));
    assert_eq!(call.verdict, Some(Verdict::Fail));
}
