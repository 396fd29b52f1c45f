//! Windows of goodput, and the player.

use std::time::Duration;

use burn_model::goal::{Bound, Counts, Goal};
use burn_model::judge::{ApplicationJudgement, GoalOutcome, Verdict};
use burn_model::plan::{Arrival, Media, Operation, Population, Rate};
use burn_model::record::PlaybackRecord;
use burn_model::units::BitRate;

use crate::made_up::{MadeUp, client, s};

const OBJECT: u64 = 1 << 20;

fn goal(bound: Bound) -> Goal {
    Goal { bound, counts: Counts::Verdict }
}

pub(crate) fn floor() -> Goal {
    goal(Bound::WindowGoodput { window: s(4), floor: BitRate::from_mbps(20) })
}

pub(crate) fn stream(goals: Vec<Goal>) -> Population {
    Population {
        name: "4kstream".into(),
        arrival: Arrival::Constant {
            rate: Rate::of_bit_rate(BitRate::from_mbps(25), OBJECT).unwrap(),
            phase: Duration::ZERO,
        },
        operation: Operation { parts: 1, part_bytes: OBJECT },
        in_flight: 1,
        deadline: s(30),
        drain: Duration::ZERO,
        goals,
        media: Some(Media { bit_rate: BitRate::from_mbps(25), start: s(2), resume: s(2), cap: s(30) }),
    }
}

/// 1 MiB at 25 Mbps.
pub(crate) const PERIOD: Duration = Duration::from_nanos(335_544_320);

/// Plays after `startup` seconds, but for the seconds of `stalled`.
pub(crate) fn player(startup: u64, stalled: std::ops::Range<u64>) -> impl Fn(u64) -> PlaybackRecord {
    move |second| {
        let began = (second == startup).then_some(startup * 1_000_000_000);
        let mut playback = PlaybackRecord { startup_ns: began, ..PlaybackRecord::default() };
        if stalled.contains(&second) {
            playback.stalled = s(1);
            playback.stalls = u64::from(second == stalled.start);
        } else if second >= startup {
            playback.played = s(1);
        }
        playback
    }
}

fn watched(
    duration: u64,
    goals: Vec<Goal>,
    payload: &[u64],
    playback: impl Fn(u64) -> PlaybackRecord,
) -> ApplicationJudgement {
    let mut run = MadeUp::new(0, duration, vec![client("tv", vec![stream(goals)])]);
    run.stream(0, 0, PERIOD, payload, playback);
    run.judge_one()
}

#[test]
fn a_perfect_stream_reads_25_mbps_in_every_window() {
    let tv = watched(60, vec![floor()], &[OBJECT; 178], player(1, 0..0));
    let (low, high) =
        tv.stream.map(|stream| (stream.lowest_window_bps.unwrap(), stream.highest_window_bps.unwrap())).unwrap();
    // 12 objects in 12 periods: 12 · 1,048,576 · 8 / 4.02653184 s is 25 Mbps to the bit.
    assert!((low - 25e6).abs() < 1.0 && (high - 25e6).abs() < 1.0, "{low} {high}");
    assert_eq!(tv.verdict, Some(Verdict::Pass));
    // ⌊60 s / 335.54432 ms⌋ = 178 whole periods: 178 − 12 + 1 windows, of which ⌊178 / 12⌋ = 14 lie side by side.
    assert_eq!(tv.goals[0].n, 167);
    assert!((tv.goals[0].effective_n - 14.0).abs() < 1e-9);
}

#[test]
fn a_link_of_19_mbps_reads_19_in_every_window_and_misses_the_floor() {
    let per_period = 796_918; // 19 Mbps · 0.33554432 s / 8 = 796,917.8 bytes
    let tv = watched(60, vec![floor()], &[per_period; 178], player(1, 0..0));
    let stream = tv.stream.unwrap();
    assert!(
        (stream.lowest_window_bps.unwrap() - 19e6).abs() < 1e3
            && (stream.highest_window_bps.unwrap() - 19e6).abs() < 1e3
    );
    assert_eq!((tv.verdict, tv.score), (Some(Verdict::Fail), Some(0.0)));
    assert_eq!(tv.reasons, ["The lowest 4 s window read 19 Mbps, under its floor of 20 Mbps (fail)."]);
}

#[test]
fn one_window_under_the_floor_is_enough_and_two_whole_ones_are_needed() {
    let mut payload = [OBJECT; 178];
    payload[100..104].fill(0); // 8 of 12 objects: 16.7 Mbps
    assert_eq!(watched(60, vec![floor()], &payload, player(1, 0..0)).goals[0].outcome, GoalOutcome::Missed);
    // ⌊8 s / 335.5 ms⌋ = 23 periods: one window beside the other does not fit.
    assert_eq!(watched(8, vec![floor()], &[OBJECT; 23], player(1, 0..0)).goals[0].outcome, GoalOutcome::CannotTell);
    assert_eq!(watched(9, vec![floor()], &[OBJECT; 26], player(1, 0..0)).goals[0].outcome, GoalOutcome::Met);
    // Windows of 10 s do not fit twice into 15 s, which would be long enough otherwise.
    let long = goal(Bound::WindowGoodput { window: s(10), floor: BitRate::from_mbps(20) });
    assert_eq!(watched(15, vec![long], &[OBJECT; 44], player(1, 0..0)).goals[0].outcome, GoalOutcome::CannotTell);
    assert_eq!(watched(3, vec![floor()], &[OBJECT; 8], player(1, 0..0)).goals[0].n, 0, "no whole window");
}

#[test]
fn windows_lie_wholly_in_the_judged_time() {
    // Nothing arrives in the warm-up of 5 s; period 15 is the first to begin after it (15 · 335.5 ms = 5.03 s).
    let mut run = MadeUp::new(5, 30, vec![client("tv", vec![stream(vec![floor()])])]);
    let mut payload = [OBJECT; 104];
    payload[..15].fill(0);
    run.stream(0, 0, PERIOD, &payload, player(1, 0..0));
    assert_eq!(run.judge_one().goals[0].outcome, GoalOutcome::Met);
    payload[15] = 0;
    payload[16] = 0;
    payload[17] = 0;
    let mut run = MadeUp::new(5, 30, vec![client("tv", vec![stream(vec![floor()])])]);
    run.stream(0, 0, PERIOD, &payload, player(1, 0..0));
    assert_eq!(run.judge_one().goals[0].outcome, GoalOutcome::Missed);
}

fn stall_goal() -> Goal {
    goal(Bound::StallRatio { good: 0.0, bad: 0.01 })
}

#[test]
fn a_stall_misses_a_goal_of_none() {
    let ratio = |stalled| {
        let tv = watched(60, vec![stall_goal()], &[OBJECT; 178], player(1, stalled));
        (tv.stream.unwrap().stall_ratio, tv.goals[0].outcome, tv.goals[0].bad_passed)
    };
    assert_eq!(ratio(0..0), (Some(0.0), GoalOutcome::Met, false));
    // 3 s of the 59 s since the first picture.
    assert_eq!(ratio(30..33), (Some(3.0 / 59.0), GoalOutcome::Missed, true));
    let short = watched(9, vec![stall_goal()], &[OBJECT; 26], player(1, 0..0));
    assert_eq!(short.goals[0].outcome, GoalOutcome::CannotTell, "8 s of playback say nothing");
}

#[test]
fn a_stream_that_never_starts_has_not_stalled_and_fails_all_the_same() {
    let startup = goal(Bound::StartupTime { good: s(2), bad: s(10) });
    let tv = watched(30, vec![stall_goal(), startup], &[], player(99, 0..0));
    assert_eq!(tv.stream.unwrap().stall_ratio, None);
    assert!(
        tv.goals.iter().all(|goal| goal.outcome == GoalOutcome::Missed && goal.bad_passed && goal.observed.is_none())
    );
    assert_eq!((tv.verdict, tv.score), (Some(Verdict::Fail), Some(0.0)));
}

#[test]
fn a_stream_starts_once_and_may_do_so_in_the_warm_up() {
    let goals = || vec![goal(Bound::StartupTime { good: s(2), bad: s(10) })];
    let started = |after| {
        let mut run = MadeUp::new(5, 30, vec![client("tv", vec![stream(goals())])]);
        run.stream(0, 0, PERIOD, &[OBJECT; 104], player(after, 0..0));
        let tv = run.judge_one();
        (tv.goals[0].outcome, tv.goals[0].bad_passed, tv.score)
    };
    assert_eq!(started(2), (GoalOutcome::Met, false, Some(100.0)));
    // 6 s lie half-way between 2 and 10 s.
    assert_eq!(started(6), (GoalOutcome::Missed, false, Some(50.0)));
    assert_eq!(started(11), (GoalOutcome::Missed, true, Some(0.0)));
}
