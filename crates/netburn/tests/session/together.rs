//! Kept together: the common start, devices of several clients, who is missing, who misbehaves.

use std::time::Duration;

use burn_model::record::{ClientState, Ending, RunEvent, UsageRecord};
use netburn::control::message::FromAgent;
use netburn::control::session::Attendance;

use crate::household::{Household, MS, S};

#[test]
fn the_stated_skew_holds_with_clocks_hours_apart_that_drift_over_links_that_are_slower_one_way() {
    for (delay, delay_there, drift_ppm) in [
        (vec![MS, MS, MS], vec![MS, MS, MS], vec![0, 80, -80]),
        (vec![MS / 2, 40 * MS, 9 * MS], vec![MS / 2, 0, 30 * MS], vec![500, -500, 0]),
        (vec![0, 100 * MS, 0], vec![0, 0, 100 * MS], vec![-200, 200, 0]),
    ] {
        let mut household = Household::new(3, 60);
        (household.delay, household.delay_there, household.drift_ppm) = (delay, delay_there, drift_ppm);
        household.run();
        let started: Vec<u64> = household.started.iter().map(|at| at.unwrap()).collect();
        let apart = started.iter().max().unwrap() - started.iter().min().unwrap();
        let skew = household.record().start_skew().unwrap();
        // They all say that they started on time, by their own clocks.
        assert_eq!(skew.skew, Duration::ZERO);
        assert!(Duration::from_nanos(apart) <= skew.uncertainty, "{apart} ns, {skew:?}");
        // A bound that always holds because it says nothing would be worth nothing: half the round trips of the two slowest
        // links, and 500 ppm of at most 2 s and a burst for each.
        let round_trips = (0..3).map(|i| household.delay[i] + household.delay_there[i]);
        let mut halves: Vec<u64> = round_trips.map(|trip| trip / 2).collect();
        halves.sort_unstable();
        let most = Duration::from_nanos(halves[1] + halves[2]) + Duration::from_millis(5);
        assert!(skew.uncertainty <= most, "{skew:?} {most:?}");
    }
}

#[test]
fn an_order_to_start_leaves_early_enough_for_the_slowest_link() {
    let mut household = Household::new(2, 10);
    household.delay = vec![MS, 400 * MS];
    household.delay_there = household.delay.clone();
    household.run();
    let start = household.session.started_at().unwrap();
    assert!(household.started.iter().all(|at| at.unwrap().abs_diff(start) <= MS), "{:?} {start}", household.started);
}

#[test]
fn a_device_that_plays_several_clients_joins_is_lost_and_is_compared_for_each_of_them() {
    let mut household = Household::of(&[3, 1], 30, Attendance::Everybody, &[]);
    household.run_until(household.now + 10 * S);
    household.dead[0] = true;
    household.run();
    let lost: Vec<u32> = household.lost().iter().map(|(client, _)| *client).collect();
    assert_eq!(lost, [0, 1, 2]);
    let of = |wanted: &ClientState| {
        let is = |event: &&RunEvent| matches!(event, RunEvent::Client { state, .. } if state == wanted);
        household.recorded.iter().filter(is).count()
    };
    assert_eq!((of(&ClientState::Joined), of(&ClientState::Armed), of(&ClientState::Draining)), (4, 4, 1));
    let clocks = household.recorded.iter().filter(|event| matches!(event, RunEvent::Clock(c) if c.client < 3));
    assert_eq!(clocks.count(), 3);
}

#[test]
fn a_client_that_its_agent_gives_up_is_lost_and_the_devices_others_go_on() {
    let mut household = Household::of(&[2], 10, Attendance::Everybody, &[]);
    household.run_until(household.now + 3 * S);
    let state = ClientState::Lost { reason: "no\u{1b}[31m timer".into() };
    let events = vec![RunEvent::Client { client: 1, state, at: None }];
    household.session.handle_message(0, FromAgent::Events { events }, household.now);
    household.run();
    assert_eq!(household.lost(), [(1, "no [31m timer")], "and nothing that a terminal obeys");
    let done: Vec<_> = household
        .recorded
        .iter()
        .filter(|e| matches!(e, RunEvent::Client { client, state: ClientState::Done, .. } if *client < 2))
        .collect();
    assert_eq!(done.len(), 1);
}

#[test]
fn who_is_silent_and_comes_back_in_time_goes_on() {
    let mut household = Household::new(2, 30);
    household.run_until(household.now + 10 * S);
    // What it says in the next four seconds comes late, all at once.
    let back = household.now + 4 * S;
    household.under_way.iter_mut().filter(|(at, of, _)| *of == 1 && *at < back).for_each(|(at, ..)| *at = back);
    household.run();
    assert_eq!(household.lost(), []);
    assert_eq!(household.session.ending(), Ending::Finished);
}

#[test]
fn whoever_is_not_there_is_lost_from_the_beginning_and_the_others_run() {
    let mut household = Household::of(&[1, 2, 1], 10, Attendance::WhoeverIsThere, &[1]);
    household.run();
    assert_eq!(household.lost(), [(1, "it did not join"), (2, "it did not join")]);
    assert!(household.recorded.iter().all(|event| !matches!(event, RunEvent::Clock(c) if c.client == 1)));
    assert_eq!(household.session.ending(), Ending::Finished);
    assert_eq!(household.released.len(), 2);
}

#[test]
fn all_who_are_of_no_use_are_named_together() {
    let mut household = Household::new(3, 10);
    let refused = |reason: &str| FromAgent::Refused { reason: reason.into() };
    household.session.handle_message(0, refused("no server"), household.now);
    household.session.handle_message(2, refused("another network"), household.now);
    household.run();
    let reason = household.session.not_started().unwrap().to_string();
    assert_eq!(reason, "client 'c0': no server; client 'c2': another network");
}

#[test]
fn a_device_that_floods_is_lost_and_the_others_are_not() {
    let mut household = Household::new(2, 10);
    household.run_until(household.now + 3 * S);
    let usage =
        RunEvent::Usage(UsageRecord { client: 1, second: 1, driver_cpu: 0.5, machine_cpu: None, resident_bytes: None });
    // What one client has to tell of 10 s is some dozen events a second.
    for _ in 0..100 {
        let events = vec![usage.clone(); 1000];
        household.session.handle_message(1, FromAgent::Events { events }, household.now);
    }
    household.run();
    assert_eq!(household.lost(), [(1, "it tells more than its part of the plan can hold")]);
    let taken = household.recorded.iter().filter(|event| **event == usage).count();
    assert!(taken < 20_000, "{taken}");
}

#[test]
fn ten_thousand_clients_that_vanish_one_after_the_other_are_each_lost_and_cost_nothing_after() {
    // A plan has 1000 clients at most: ten runs of that many, in which one device after the other goes.
    for _ in 0..10 {
        let mut household = Household::new(1000, 10);
        // Thirty round trips of 2 ms for each, eight at a time, are 7.5 s; the order leaves 5.5 s before the start.
        household.run_until(household.now + 14 * S);
        assert!(household.session.started_at().is_some());
        for device in 0..1000 {
            household.now += MS;
            household.session.handle_gone(device, "it ended", household.now);
            household.settle();
            household.dead[device] = true;
        }
        assert_eq!((household.lost().len(), household.dismissed.len()), (1000, 1000));
        assert!(household.session.is_over());
        assert_eq!(household.session.poll_timeout(), None, "nobody is waited for");
    }
}
