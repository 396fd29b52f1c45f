//! Who was the limit: the client, the server, or the network.

use std::time::Duration;

use burn_model::judge::{ApplicationJudgement, Limit, Verdict};
use burn_model::record::{RunEvent, ServerUsageRecord, UsageRecord, WitnessRecord};
use burn_model::time::Moment;

use crate::made_up::{MadeUp, Op, client, ms, outage, s, steady};
use crate::streams::{PERIOD, floor, player, stream};

fn verdict(app: &ApplicationJudgement) -> (Option<Verdict>, Option<Limit>) {
    (app.verdict, app.limited_by)
}

/// A call that fails by one outage, with the lateness put down to somebody.
fn late_call(blame: impl Fn(&mut Op, Duration)) -> MadeUp {
    let mut ops = steady(50, 20, outage(s(8), s(4)));
    for op in &mut ops {
        let took = op.took.unwrap();
        blame(op, took);
    }
    MadeUp::call(0, 20, &ops)
}

#[test]
fn a_miss_by_the_clients_own_lateness_says_nothing_of_the_network() {
    let call = late_call(|op, took| op.driver_lateness = took - ms(1)).judge_one();
    assert_eq!(verdict(&call), (Some(Verdict::Inconclusive), Some(Limit::Client)));
    assert!(call.reasons.iter().any(|reason| reason.contains("the client was the limit")), "{:?}", call.reasons);
    assert_eq!(call.score, None, "it would be the client's");
}

#[test]
fn a_miss_by_the_servers_time_says_nothing_of_the_network() {
    let call = late_call(|op, took| op.server_time = took - ms(1)).judge_one();
    assert_eq!(verdict(&call), (Some(Verdict::Inconclusive), Some(Limit::Server)));
}

#[test]
fn a_miss_that_nobody_else_explains_is_the_networks() {
    // Half a millisecond of lateness and of server time in each operation changes nothing.
    let call = late_call(|op, _| {
        op.driver_lateness = Duration::from_micros(500);
        op.server_time = Duration::from_micros(500);
    });
    assert_eq!(verdict(&call.judge_one()), (Some(Verdict::Fail), None));
}

#[test]
fn a_miss_while_the_client_had_no_processor_time_left_says_nothing() {
    let mut run = late_call(|_, _| {});
    let usage = |second, driver_cpu| {
        RunEvent::Usage(UsageRecord { client: 0, second, driver_cpu, machine_cpu: None, resident_bytes: None })
    };
    run.more = (0..20).map(|second| usage(second, if (8..12).contains(&second) { 0.97 } else { 0.1 })).collect();
    assert_eq!(verdict(&run.judge_one()), (Some(Verdict::Inconclusive), Some(Limit::Client)));
    // Busy in other seconds than the late ones, it explains nothing.
    run.more = (0..20).map(|second| usage(second, if (8..12).contains(&second) { 0.1 } else { 0.97 })).collect();
    assert_eq!(verdict(&run.judge_one()), (Some(Verdict::Fail), None));
}

fn server_usage(second: u64, busiest_thread_cpu: f64, longest_pause: Duration) -> RunEvent {
    let (from, to) = (Moment::from_secs(second), Moment::from_secs(second + 1));
    RunEvent::ServerUsage(ServerUsageRecord { from, to, busiest_thread_cpu, machine_cpu: None, longest_pause })
}

#[test]
fn a_miss_while_the_server_stood_still_or_was_busy_says_nothing() {
    // A server that is stopped from 8 s to 12 s tells of it in the second in which it goes on.
    let mut run = late_call(|_, _| {});
    run.more = vec![server_usage(7, 0.1, ms(1)), server_usage(12, 0.1, s(4))];
    assert_eq!(verdict(&run.judge_one()), (Some(Verdict::Inconclusive), Some(Limit::Server)));
    run.more = (8..12).map(|second| server_usage(second, 0.99, ms(1))).collect();
    assert_eq!(verdict(&run.judge_one()), (Some(Verdict::Inconclusive), Some(Limit::Server)));
    // A pause of 20 ms does not explain an outage.
    run.more = (8..12).map(|second| server_usage(second, 0.1, ms(20))).collect();
    assert_eq!(verdict(&run.judge_one()), (Some(Verdict::Fail), None));
}

#[test]
fn the_pauses_that_every_server_has_explain_no_miss() {
    // One of the 50 operations of each second takes 230 ms: 2 %, where 1 % may take over 200 ms. A pause of 30 ms in each
    // second would cover the excess of 30 ms, and 3 % of the operations come in while it lasts.
    let ops = steady(50, 30, |at| Some(if at.subsec_millis() == 500 { ms(230) } else { ms(2) }));
    let mut run = MadeUp::call(0, 30, &ops);
    run.more = (0..30).map(|second| server_usage(second, 0.1, ms(30))).collect();
    assert_eq!(verdict(&run.judge_one()), (Some(Verdict::Marginal), None));
}

/// A stream that gets 15 Mbps from 20 s to 40 s, with the server's account of each second.
fn slow_stream(account: impl Fn(u64) -> WitnessRecord) -> MadeUp {
    let mut run = MadeUp::new(0, 60, vec![client("tv", vec![stream(vec![floor()])])]);
    let mut payload = [1_u64 << 20; 178];
    payload[60..120].fill((1 << 20) * 3 / 5);
    run.stream(0, 0, PERIOD, &payload, player(1, 0..0));
    run.more = (0..60).map(|second| RunEvent::Witness(Box::new(account(second)))).collect();
    run
}

fn account(second: u64, busy: u64, rwnd: u64, sndbuf: u64) -> WitnessRecord {
    WitnessRecord {
        client: 0,
        population: 0,
        from: Moment::from_secs(second),
        to: Moment::from_secs(second + 1),
        uncertainty: Duration::ZERO,
        replies: 3,
        bytes: 3 << 20,
        busy: ms(busy),
        rwnd_limited: ms(rwnd),
        sndbuf_limited: ms(sndbuf),
        connections: None,
    }
}

#[test]
fn a_floor_missed_is_the_networks_where_the_connection_was_busy_and_nobody_else_held_it_up() {
    assert_eq!(verdict(&slow_stream(|second| account(second, 990, 10, 10)).judge_one()), (Some(Verdict::Fail), None));
}

#[test]
fn a_client_that_read_too_slowly_is_the_limit() {
    let tv = slow_stream(|second| account(second, 990, 600, 0)).judge_one();
    assert_eq!(verdict(&tv), (Some(Verdict::Inconclusive), Some(Limit::Client)));
    // 600 of 990 ms are 61 %.
    assert!(tv.reasons[0].contains("61 %"), "{:?}", tv.reasons);
    // Only where it was too slow does it matter.
    let elsewhere = slow_stream(|second| account(second, 990, if second < 15 { 900 } else { 0 }, 0)).judge_one();
    assert_eq!(verdict(&elsewhere), (Some(Verdict::Fail), None));
}

#[test]
fn a_server_that_held_data_back_is_the_limit() {
    let tv = slow_stream(|second| account(second, 990, 0, 600)).judge_one();
    assert_eq!(verdict(&tv), (Some(Verdict::Inconclusive), Some(Limit::Server)));
    // Nothing to send for half of the time, and at a standstill meanwhile.
    let mut run = slow_stream(|second| account(second, 500, 0, 0));
    run.more.extend((18..42).map(|second| server_usage(second, 0.1, ms(450))));
    assert_eq!(verdict(&run.judge_one()), (Some(Verdict::Inconclusive), Some(Limit::Server)));
    // Nothing to send, and nobody who took the time: requests were on their way.
    let tv = slow_stream(|second| account(second, 500, 0, 0)).judge_one();
    assert_eq!(verdict(&tv), (Some(Verdict::Fail), None));
}

#[test]
fn a_goal_that_somebody_else_spoiled_does_not_excuse_another() {
    // p95 fails by the client's lateness alone; a tenth of the operations fails by the network.
    let mut ops =
        steady(50, 20, |at| Some(if at.subsec_millis() == 500 || at.subsec_millis() < 100 { ms(600) } else { ms(2) }));
    for (i, op) in ops.iter_mut().enumerate() {
        if i % 10 == 3 {
            *op = Op::failed(op.at);
        } else if op.took == Some(ms(600)) {
            op.driver_lateness = ms(598);
        }
    }
    let call = MadeUp::call(0, 20, &ops).judge_one();
    assert_eq!(verdict(&call), (Some(Verdict::Fail), None));
}
