//! The course of a run: who joins, starts, stops and is lost.

use std::time::Duration;

use burn_model::record::{ClientState, ClockRecord, Ending, Phase, RunEvent, ServerUsageRecord, UsageRecord};
use burn_model::time::Moment;
use netburn::control::message::{FromAgent, ToAgent};
use netburn::control::session::Action;

use crate::household::{Household, MS, S};

#[test]
fn clients_whose_clocks_are_hours_apart_start_at_the_same_moment() {
    let mut household = Household::new(4, 10);
    household.delay = vec![MS, 5 * MS, 20 * MS, 0];
    household.delay_there = household.delay.clone();
    household.run();
    let start = household.session.started_at().unwrap();
    // Each way takes the same time, so the middle of a round trip is exact and so is the start.
    assert_eq!(household.started, [Some(start); 4]);
    assert_eq!(household.session.ending(), Ending::Finished);
    let uncertainties: Vec<_> = household
        .recorded
        .iter()
        .filter_map(|event| match event {
            RunEvent::Clock(ClockRecord { client: 2, uncertainty, phase: Phase::Before, .. }) => Some(*uncertainty),
            _ => None,
        })
        .collect();
    // Client 2 has 20 ms each way: half of 40 ms.
    assert_eq!(uncertainties, [Duration::from_millis(20)]);
    assert_eq!(uncertainties.len(), 1);
}

#[test]
fn every_client_is_compared_before_and_after_the_load() {
    let mut household = Household::new(3, 5);
    household.run();
    let phases =
        |phase| household.recorded.iter().filter(|e| matches!(e, RunEvent::Clock(c) if c.phase == phase)).count();
    assert_eq!((phases(Phase::Before), phases(Phase::After)), (3, 3));
    assert_eq!((household.released.len(), household.dismissed.len()), (3, 0), "each waits for another task");
}

#[test]
fn a_client_that_falls_silent_is_lost_after_five_seconds_and_the_others_finish() {
    let mut household = Household::new(3, 30);
    household.run_until(household.now + 10 * S);
    let start = household.session.started_at().unwrap();
    household.dead[1] = true;
    household.run();
    assert_eq!(household.lost(), [(1, "nothing was heard of it for 5 s")]);
    let lost_at = household.recorded.iter().find_map(|event| match event {
        RunEvent::Client { client: 1, state: ClientState::Lost { .. }, at } => *at,
        _ => None,
    });
    // Its last words came in the second before 10 s after the beginning; five seconds later it is given up.
    let since_start = 1010 * S - start;
    let last_heard = since_start - since_start % S + MS;
    assert_eq!(lost_at, Some(Moment::from_nanos(last_heard + 5 * S)));
    assert_eq!(household.session.ending(), Ending::Finished);
    let done = household.recorded.iter().filter(|e| matches!(e, RunEvent::Client { state: ClientState::Done, .. }));
    assert_eq!(done.count(), 2);
}

#[test]
fn a_run_does_not_start_without_everybody() {
    let mut household = Household::new(2, 5);
    household.dead[1] = true;
    household.run();
    assert_eq!(household.session.started_at(), None);
    assert_eq!(
        household.session.not_started().unwrap().to_string(),
        "client 'c1': it did not say in time whether it reaches the server"
    );
    assert!(matches!(household.session.ending(), Ending::Failed { .. }));
}

#[test]
fn a_stop_ends_the_load_and_still_hears_everybody_out() {
    let mut household = Household::new(2, 60);
    household.run_until(household.now + 10 * S);
    let start = household.session.started_at().unwrap();
    household.now += S / 2;
    household.session.stop("Ctrl-C", household.now);
    let at = Moment::from_nanos(household.now - start);
    household.run();
    assert_eq!(household.lost(), []);
    assert_eq!(household.session.ending(), Ending::Interrupted { at, by: "Ctrl-C".into() });
    let after = household.recorded.iter().filter(|e| matches!(e, RunEvent::Clock(c) if c.phase == Phase::After));
    assert_eq!(after.count(), 2);
}

#[test]
fn a_stop_after_the_load_is_remembered_though_the_run_has_finished() {
    let mut household = Household::new(1, 5);
    household.run_until(household.now + S);
    let start = household.session.started_at().unwrap();
    assert!(!household.session.is_stopping());
    household.session.stop("Ctrl-C", start + 6 * S);
    assert_eq!(household.session.ending(), Ending::Finished);
    assert!(household.session.is_stopping(), "a second Ctrl-C is the second one here too");
}

#[test]
fn a_client_that_talks_on_and_on_after_the_load_is_lost_all_the_same() {
    let mut household = Household::new(1, 5);
    household.run_until(household.now + S);
    let start = household.session.started_at().unwrap();
    household.under_way.clear();
    for second in 1..60 {
        household.under_way.push((start + second * S, 0, FromAgent::Events { events: vec![] }));
    }
    household.run();
    assert_eq!(household.lost(), [(0, "it did not finish in time after the load")]);
    // 5 s of load, 2 s of drain, 15 s to say farewell. What comes in at that very moment is heard first.
    assert_eq!(household.now, start + 22 * S);
}

#[test]
fn a_stop_before_the_start_is_not_a_run() {
    let mut household = Household::new(2, 60);
    household.session.stop("Ctrl-C", household.now);
    assert_eq!(household.session.not_started().unwrap().to_string(), "Ctrl-C before the load started");
    assert!(household.session.is_over());
}

#[test]
fn an_agent_cannot_speak_for_another_one() {
    let mut household = Household::new(2, 5);
    household.run_until(household.now + S);
    let usage = |client| {
        RunEvent::Usage(UsageRecord { client, second: 0, driver_cpu: 0.5, machine_cpu: None, resident_bytes: None })
    };
    let forged = RunEvent::Closed { ending: Ending::Finished };
    household.session.handle_message(1, FromAgent::Events { events: vec![usage(0), usage(1), forged] }, household.now);
    household.run();
    let reported: Vec<_> =
        household.recorded.iter().filter(|e| matches!(e, RunEvent::Usage(_) | RunEvent::Closed { .. })).collect();
    assert_eq!(reported, [&usage(1)]);
}

#[test]
fn words_out_of_turn_cost_an_agent_its_place() {
    let mut household = Household::new(1, 5);
    household.session.handle_message(0, FromAgent::Done, household.now);
    assert_eq!(household.session.not_started().unwrap().to_string(), "client 'c0': it sent 'done' out of turn");
}

#[test]
fn three_devices_ask_the_server_for_its_account_so_that_it_is_told_where_the_first_is_lost() {
    let mut household = Household::new(5, 10);
    let mut asks = Vec::new();
    while let Some(action) = household.session.poll_action() {
        if let Action::Send(device, ToAgent::Prepare(task)) = action {
            asks.push((device, task.asks_server));
        }
    }
    assert_eq!(asks, [(0, true), (1, true), (2, true), (3, false), (4, false)]);
}

#[test]
fn the_servers_account_is_heard_from_one_device_alone() {
    let mut household = Household::new(2, 5);
    household.run_until(household.now + S);
    let usage = |second| {
        RunEvent::ServerUsage(ServerUsageRecord {
            from: Moment::from_secs(second),
            to: Moment::from_secs(second + 1),
            busiest_thread_cpu: 0.1,
            machine_cpu: None,
            longest_pause: Duration::ZERO,
        })
    };
    for (device, second) in [(1, 0), (0, 0), (1, 1)] {
        household.session.handle_message(device, FromAgent::Events { events: vec![usage(second)] }, household.now);
    }
    household.run();
    let heard: Vec<_> = household.recorded.iter().filter(|event| matches!(event, RunEvent::ServerUsage(_))).collect();
    assert_eq!(heard, [&usage(0), &usage(1)], "of the device that told first");
}
