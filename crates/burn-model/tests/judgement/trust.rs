//! The tester before the network: lost clients, torn files, clocks, and the time that is judged.

use std::time::Duration;

use burn_model::judge::{GoalOutcome, Judgement, Verdict};
use burn_model::record::{ClientState, Ending, LinkRecord, RunEvent};
use burn_model::time::Moment;
use burn_model::units::BitRate;

use crate::made_up::{MadeUp, Op, client, ms, population, state, steady, voip_goals};

fn fine(seconds: u64) -> Vec<Op> {
    steady(50, seconds, |_| Some(ms(9)))
}

/// Two clients with a call each, both without trouble.
fn two_calls(warm_up: u64, duration: u64) -> MadeUp {
    let call = |name| client(name, vec![population("voip", voip_goals())]);
    let mut run = MadeUp::new(warm_up, duration, vec![call("a"), call("b")]);
    for client in 0..2 {
        run.operations(client, 0, &fine(warm_up + duration));
    }
    run
}

fn verdicts(judgement: &Judgement) -> Vec<Option<Verdict>> {
    judgement.applications.iter().map(|application| application.verdict).collect()
}

fn seconds(judgement: &Judgement) -> (u64, u64) {
    (judgement.window.0.second(), judgement.window.1.second())
}

#[test]
fn the_warm_up_and_the_drain_are_not_judged() {
    let judgement = two_calls(3, 20).judge();
    assert_eq!(seconds(&judgement), (3, 23));
    assert_eq!(judgement.applications[0].operations.tally.scheduled, 1000);
}

#[test]
fn a_client_that_vanishes_makes_its_own_goals_inconclusive_and_leaves_the_others_the_time_they_shared() {
    let mut run = two_calls(0, 30);
    run.records().retain(|record| record.client != 1 || record.second < 12);
    let lost = ClientState::Lost { reason: "its process ended".into() };
    run.more = vec![state(1, lost, Some(Moment::from_millis(14_300)))];
    let judgement = run.judge();
    // It was heard of until 12 s, and missed at 14.3 s.
    assert_eq!(seconds(&judgement), (0, 12));
    assert_eq!(verdicts(&judgement), [Some(Verdict::Pass), Some(Verdict::Inconclusive)]);
    assert_eq!(judgement.verdict, Verdict::Inconclusive);
    // The distribution is of the shared time too.
    assert_eq!(judgement.applications[0].response_time.n, 600);
    assert!(judgement.applications[1].goals.iter().all(|goal| goal.outcome == GoalOutcome::CannotTell));
    assert_eq!(judgement.applications.iter().map(|one| one.score.is_some()).collect::<Vec<_>>(), [true, false]);
    assert!(
        judgement.doubts.iter().any(|doubt| doubt.contains("Client b was lost: only the time until 12 s is judged"))
    );
}

#[test]
fn a_client_that_was_told_to_start_and_never_begins_leaves_nothing_to_judge() {
    let mut run = two_calls(0, 30);
    run.records().retain(|record| record.client != 1);
    run.more = vec![state(1, ClientState::Lost { reason: "no route".into() }, Some(Moment::from_secs(5)))];
    // Its Running state is not told either.
    let mut record = burn_model::run::RunRecord::new();
    let running =
        |event: &RunEvent| matches!(event, RunEvent::Client { client: 1, state: ClientState::Running { .. }, .. });
    run.events().iter().filter(|event| !running(event)).for_each(|event| record.apply(event));
    let judgement = burn_model::judge::judge(&record);
    assert_eq!(verdicts(&judgement), [Some(Verdict::Inconclusive); 2]);
    assert!(
        judgement.reasons.iter().any(|reason| reason.contains("every client was active")),
        "{:?}",
        judgement.reasons
    );
}

#[test]
fn a_late_start_shortens_the_judged_time_by_whole_seconds() {
    let mut run = two_calls(0, 30);
    run.start_lateness = ms(1200);
    assert_eq!(seconds(&run.judge()), (2, 30));
    run.start_lateness = ms(40);
    assert_eq!(seconds(&run.judge()), (0, 30), "a little late is on time: it shows as driver lateness");
}

#[test]
fn a_run_that_a_person_stops_is_judged_up_to_then() {
    let mut run = two_calls(0, 60);
    run.records().iter_mut().filter(|record| record.second >= 30).for_each(|record| {
        let (client, population, second) = (record.client, record.population, record.second);
        *record = burn_model::record::IntervalRecord { client, population, second, ..Default::default() };
    });
    run.ending = Some(Ending::Interrupted { at: Moment::from_millis(30_400), by: "Ctrl-C".into() });
    run.more = (0..2).map(|client| state(client, ClientState::Done, Some(Moment::from_secs(36)))).collect();
    let judgement = run.judge();
    assert_eq!((seconds(&judgement), judgement.verdict), ((0, 30), Verdict::Pass));
    assert_eq!(judgement.doubts, ["The run was stopped early: only the time until 30 s is judged."]);
    assert_eq!(judgement.applications[0].response_time.n, 1500);
}

#[test]
fn a_torn_file_cannot_be_judged_but_shows_what_it_has() {
    let mut run = two_calls(0, 60);
    run.ending = None;
    run.records().retain(|record| record.second < 25);
    let mut record = burn_model::run::RunRecord::new();
    // The file ends in the middle: no client is done.
    let done = |event: &RunEvent| matches!(event, RunEvent::Client { state: ClientState::Done, .. });
    run.events().iter().filter(|event| !done(event)).for_each(|event| record.apply(event));
    record.note_torn(17);
    let judgement = burn_model::judge::judge(&record);
    assert_eq!((judgement.verdict, seconds(&judgement)), (Verdict::Inconclusive, (0, 25)));
    assert!((judgement.applications[0].goodput_bps - 1e6).abs() < 1e4, "what is missing is not zero");
    assert!(judgement.reasons[1].contains("17 bytes"), "{:?}", judgement.reasons);
}

#[test]
fn operations_that_vanish_make_their_application_inconclusive() {
    let mut run = two_calls(0, 20);
    run.records()[5].tally.completed -= 1;
    let judgement = run.judge();
    assert_eq!(verdicts(&judgement), [Some(Verdict::Inconclusive), Some(Verdict::Pass)]);
    let mut run = two_calls(0, 20);
    // The next second begins with one more than the last one left.
    let record = &mut run.records()[7];
    record.tally.in_flight_before += 1;
    record.tally.in_flight_after += 1;
    assert_eq!(run.judge().verdict, Verdict::Inconclusive);
    let mut run = two_calls(0, 20);
    run.records().remove(7);
    assert_eq!(run.judge().verdict, Verdict::Inconclusive, "a second is missing");
}

#[test]
fn dropped_events_and_uncertain_clocks_make_a_client_inconclusive() {
    let mut run = two_calls(0, 20);
    run.more = vec![RunEvent::Dropped { client: 1, events: 3 }];
    assert_eq!(verdicts(&run.judge()), [Some(Verdict::Pass), Some(Verdict::Inconclusive)]);
    // The tightest bound is 150 ms: 15 ms will do, and 16 ms will not.
    for (uncertainty, verdict) in [(15, Verdict::Pass), (16, Verdict::Inconclusive)] {
        let mut run = two_calls(0, 20);
        run.clock_uncertainty = ms(uncertainty);
        assert_eq!(run.judge().verdict, verdict);
    }
}

#[test]
fn a_lost_server_makes_the_run_inconclusive_and_an_unproven_one_is_a_caution() {
    let mut run = two_calls(0, 20);
    run.more = vec![RunEvent::ServerLost { client: None, reason: "connection refused".into() }];
    let judgement = run.judge();
    assert_eq!(judgement.verdict, Verdict::Inconclusive);
    assert!(judgement.reasons[0].contains("connection refused"), "{:?}", judgement.reasons);
    // An account of one client that did not come through is that client's doubt alone.
    let mut run = two_calls(0, 20);
    run.more = vec![RunEvent::ServerLost { client: Some(0), reason: "timed out".into() }];
    assert_eq!(verdicts(&run.judge()), [Some(Verdict::Inconclusive), Some(Verdict::Pass)]);
    let mut run = two_calls(0, 20);
    run.verified_server = false;
    let judgement = run.judge();
    assert_eq!(judgement.verdict, Verdict::Pass);
    assert!(judgement.cautions.iter().any(|caution| caution.contains("Nothing proves")));
}

#[test]
fn a_links_own_count_is_held_against_ours() {
    // 50 · 20 · 2500 bytes of each client: 2,500,000 of one client.
    for (bytes, fits) in [(2_650_000, true), (4_000_000, false), (2_000_000, false)] {
        let mut run = two_calls(0, 20);
        run.more = vec![RunEvent::Link(LinkRecord {
            name: "5ghz".into(),
            clients: vec![0],
            rate_bps: 1,
            queue: Duration::ZERO,
            bytes,
            packets: 1,
            drops: 0,
        })];
        let judgement = run.judge();
        assert_eq!(judgement.doubts.iter().any(|doubt| doubt.contains("5ghz")), !fits);
        assert_eq!(judgement.checks.iter().any(|check| check.contains("5ghz")), fits);
        assert_eq!(judgement.verdict, Verdict::Pass, "a doubt in words changes no verdict");
    }
}

#[test]
fn shares_add_up_over_applications() {
    let mut run = MadeUp::new(
        0,
        20,
        vec![client("a", vec![population("voip", voip_goals())]), client("b", vec![population("download", vec![])])],
    );
    run.operations(0, 0, &fine(20));
    run.download(1, 0, BitRate::from_mbps(99));
    let judgement = run.judge();
    let shares: Vec<f64> = judgement.applications.iter().filter_map(|application| application.share).collect();
    assert!((shares[0] - 0.01).abs() < 1e-6 && (shares[1] - 0.99).abs() < 1e-6, "{shares:?}");
    assert!((judgement.goodput_bps - 100e6).abs() < 1.0);
    assert_eq!((judgement.applications[1].verdict, judgement.applications[1].score), (None, None));
    assert_eq!(judgement.verdict, Verdict::Pass, "what has no goal decides nothing");
}

#[test]
fn a_run_of_any_length_is_folded_the_same() {
    // 100 s are settled in part before the end, and 20 s are not: the distributions hold the same either way.
    let long = two_calls(3, 100).judge();
    assert_eq!((long.applications[0].response_time.n, long.applications[0].service_time.n), (5000, 5000));
    assert_eq!(long.applications[0].operations.tally.completed, 5000);
}

#[test]
fn a_live_view_sees_the_last_second_and_a_table_every_one() {
    let run = two_calls(0, 20).record();
    let recent = run.recent(0, 0).unwrap();
    assert_eq!((recent.second, recent.completed, recent.in_flight), (24, 0, 0), "the last second of the drain");
    let seconds: Vec<_> = run.seconds(1, 0).collect();
    assert_eq!((seconds.len(), seconds[3].scheduled, seconds[3].completed, seconds[3].bytes), (25, 50, 50, 125_000));
    assert_eq!(run.response_time_bounds(1, 0), [ms(150), ms(200), ms(400), ms(500)]);
    assert_eq!(seconds[3].over, [0, 0, 0, 0]);
    assert_eq!(run.recent(2, 0), None);
    assert!(run.seconds(0, 7).next().is_none());
}

#[test]
fn operations_left_out_of_the_file_are_told_and_change_no_verdict() {
    let mut run = two_calls(0, 30);
    run.more = vec![RunEvent::OperationsLeftOut { operations: 12_345 }];
    let judgement = run.judge();
    assert_eq!(judgement.verdict, Verdict::Pass);
    assert!(judgement.cautions.iter().any(|caution| caution.contains("12345")), "{:?}", judgement.cautions);
}
