//! What an application kept of what it had alone: its ratio, what is fair, and that the verdict does not hang on it.

use burn_model::judge::{FairShare, GoalOutcome, Verdict};
use burn_model::record::{ClientState, RunEvent, SoloRecord};
use burn_model::units::BitRate;

use crate::made_up::{MadeUp, client, ms, population, state, steady, voip_goals};

/// Two clients with a download each: the first with this many Mbps of the 100 that either had alone.
fn two_downloads(first: u64, second: u64) -> MadeUp {
    let download = |name| client(name, vec![population("download", vec![])]);
    let mut run = MadeUp::new(3, 60, vec![download("near"), download("far")]);
    run.download(0, 0, BitRate::from_mbps(first));
    run.download(1, 0, BitRate::from_mbps(second));
    run.more = vec![solo(0), solo(1)];
    run
}

/// 12.5 MB a second, ten seconds long, are 100 Mbps.
fn solo(client: u32) -> RunEvent {
    let bytes_by_second = vec![12_500_000; 10];
    RunEvent::Solo(SoloRecord { client, population: 0, goodput_bps: 100_000_000, bytes_by_second })
}

fn fair_shares(run: &MadeUp) -> Vec<FairShare> {
    run.judge().applications.into_iter().map(|one| one.fair_share.unwrap()).collect()
}

#[test]
fn half_of_what_it_had_alone_is_fair_for_one_of_two() {
    let [near, far] = &fair_shares(&two_downloads(50, 46))[..] else { panic!("two") };
    assert_eq!((near.solo_bps, near.together_bps, near.ratio), (1e8, 5e7, Some(0.5)));
    assert_eq!((near.bound, near.clients), (0.45, 2));
    assert_eq!((near.outcome, far.outcome), (GoalOutcome::Met, GoalOutcome::Met));
    // Rates that do not vary leave no doubt.
    assert_eq!(far.interval, Some((0.46, 0.46)));
}

#[test]
fn less_is_unfair_and_a_reason_but_no_verdict() {
    let run = two_downloads(60, 40);
    let judgement = run.judge();
    assert_eq!(judgement.verdict, Verdict::Pass, "nothing here has a goal");
    let [near, far] = &judgement.applications[..] else { panic!("two") };
    assert_eq!(near.fair_share.as_ref().map(|share| share.outcome), Some(GoalOutcome::Met));
    assert_eq!(far.fair_share.as_ref().map(|share| share.outcome), Some(GoalOutcome::Missed));
    assert_eq!(far.reasons, ["It kept 40 % of what it had alone; at least 45 % (0.90/2) is fair."]);
    assert_eq!(
        judgement.reasons,
        [
            "No application has a goal: there was nothing to judge.",
            "far download: it kept 40 % of what it had alone; at least 45 % (0.90/2) is fair."
        ]
    );
}

#[test]
fn an_application_that_asks_for_less_than_its_share_keeps_all_of_it() {
    let clients = vec![
        client("phone", vec![population("voip", voip_goals())]),
        client("desk", vec![population("download", vec![])]),
    ];
    let mut run = MadeUp::new(3, 60, clients);
    // 50 packets of 2500 bytes a second are 1 Mbps, alone and together.
    run.operations(0, 0, &steady(50, 63, |_| Some(ms(2))));
    run.download(1, 0, BitRate::from_mbps(50));
    let call = SoloRecord { client: 0, population: 0, goodput_bps: 1_000_000, bytes_by_second: vec![125_000; 10] };
    run.more = vec![RunEvent::Solo(call)];
    let applications = run.judge().applications;
    let call = applications[0].fair_share.as_ref().unwrap();
    assert_eq!((call.ratio, call.outcome), (Some(1.0), GoalOutcome::Met));
    assert_eq!(applications[1].fair_share, None, "it was not measured alone");
}

#[test]
fn rates_that_vary_too_much_leave_it_open() {
    let mut run = two_downloads(46, 46);
    // 40 and 210 Mbps in turn: 125 in the mean, known to about a third.
    let wild = (0..10).map(|second| if second % 2 == 0 { 5_000_000 } else { 20_000_000 }).collect();
    run.more =
        vec![RunEvent::Solo(SoloRecord { client: 0, population: 0, goodput_bps: 100_000_000, bytes_by_second: wild })];
    let applications = run.judge().applications;
    let share = applications[0].fair_share.as_ref().unwrap();
    // The mean of its seconds is the rate, not what the record says it was: 12.5 MB/s.
    assert_eq!((share.solo_bps, share.ratio), (1e8, Some(0.46)));
    assert_eq!(share.outcome, GoalOutcome::CannotTell);
    assert_eq!(share.because.as_deref(), Some("its rates vary too much to tell; a longer run would"));
}

#[test]
fn who_was_never_there_takes_no_share() {
    let download = |name| client(name, vec![population("download", vec![])]);
    let mut run = MadeUp::new(3, 60, vec![download("near"), download("far"), download("absent")]);
    run.download(0, 0, BitRate::from_mbps(50));
    run.download(1, 0, BitRate::from_mbps(50));
    run.more = vec![solo(0), solo(1)];
    let mut events = run.events();
    events.retain(|event| !matches!(event, RunEvent::Client { client: 2, .. }));
    let lost = ClientState::Lost { reason: "it never came".into() };
    events.insert(1, state(2, lost, None));
    let mut record = burn_model::run::RunRecord::new();
    events.iter().for_each(|event| record.apply(event));
    let judgement = burn_model::judge::judge(&record);
    let share = judgement.applications[0].fair_share.as_ref().unwrap();
    assert_eq!((share.clients, share.outcome), (2, GoalOutcome::Met), "{share:?}");
}

#[test]
fn a_record_of_a_client_that_there_is_not_does_no_harm() {
    let mut run = two_downloads(50, 50);
    run.more.push(RunEvent::Solo(SoloRecord { client: 9, ..SoloRecord::default() }));
    run.more.push(RunEvent::Solo(SoloRecord { client: 0, population: 9, ..SoloRecord::default() }));
    let nothing = SoloRecord { client: 1, bytes_by_second: vec![u64::MAX; 9], ..SoloRecord::default() };
    run.more.push(RunEvent::Solo(nothing));
    let shares = fair_shares(&run);
    assert_eq!(shares[0].outcome, GoalOutcome::Met);
    assert_eq!(shares[1].outcome, GoalOutcome::Missed, "next to nothing of an absurd rate");
}
