//! What a time line shows of each second.

use std::time::Duration;

use burn_model::curve::percentile_curve;
use burn_model::judge::Reading;
use burn_model::run::RunRecord;
use burn_model::samples::bucket;

use crate::made_up::{MadeUp, Op, ms, outage, s, steady};
use crate::streams::{PERIOD, floor, player, stream};

fn kept(value: Duration) -> Option<Duration> {
    Some(Duration::from_nanos(bucket(u64::try_from(value.as_nanos()).unwrap())))
}

/// A call with an outage of 4 s from 8 s on.
fn call(seconds: u64) -> RunRecord {
    MadeUp::call(0, seconds, &steady(50, seconds, outage(s(8), s(4)))).record()
}

#[test]
fn an_operation_counts_in_the_second_in_which_it_was_due() {
    let run = call(20);
    let seconds: Vec<_> = run.seconds(0, 0).collect();
    // In the second from 8 s on the operations are due each 20 ms and are answered at 12 s: after 4 s, 3.98 s … 3.02 s. Rank 25
    // of 50 is 3.02 + 24 · 0.02 = 3.5 s; rank 48 is 3.96 s.
    let times = seconds[8].times;
    assert_eq!((times.p50, times.p95, times.max), (kept(ms(3500)), kept(ms(3960)), kept(ms(4000))));
    assert_eq!(seconds[7].times.p95, kept(ms(2)));
    assert_eq!(seconds[7].times.service_p50, kept(ms(2)));
}

#[test]
fn a_second_says_the_same_once_its_values_are_gone() {
    // Twenty seconds later they are read and dropped: in a run of a minute for the outage, in one of 20 s for no second.
    let (short, long) = (call(20), call(60));
    let times = |run: &RunRecord| run.seconds(0, 0).take(15).map(|second| second.times).collect::<Vec<_>>();
    assert_eq!(times(&short), times(&long));
}

#[test]
fn what_did_not_complete_ranks_last_in_its_second_too() {
    // Four of the 50 operations of each second fail: ⌈0.95 · 50⌉ = 48 is one of them, ⌈0.5 · 50⌉ = 25 is not.
    let mut ops = steady(50, 20, |_| Some(ms(5)));
    for (i, op) in ops.iter_mut().enumerate() {
        if i % 50 < 4 {
            *op = Op::failed(op.at);
        }
    }
    let run = MadeUp::call(0, 20, &ops).record();
    let second = run.seconds(0, 0).nth(3).unwrap();
    assert_eq!((second.times.p50, second.times.p95, second.times.max), (kept(ms(5)), None, kept(ms(5))));
    assert_eq!((second.failed, second.timed_out, second.not_sent), (4, 0, 0));
    let curve = percentile_curve(&run, 0, 0).unwrap();
    assert_eq!((curve.n, curve.unsuccessful), (1000, 80));
    assert_eq!(curve.points.last().unwrap().reading, Reading::Unsuccessful);
    assert_eq!(percentile_curve(&run, 0, 1), None);
}

#[test]
fn a_second_tells_what_the_player_did() {
    let mut run = MadeUp::new(0, 20, vec![crate::made_up::client("tv", vec![stream(vec![floor()])])]);
    run.stream(0, 0, PERIOD, &[1 << 20; 60], player(1, 5..7));
    let run = run.record();
    let stalled: Vec<_> = run
        .seconds(0, 0)
        .filter(|second| second.playback.is_some_and(|playback| !playback.stalled.is_zero()))
        .collect();
    assert_eq!(stalled.iter().map(|second| second.second).collect::<Vec<_>>(), [5, 6]);
    // What a client received is what its applications received.
    let payload: u64 = run.client_payload(0).values().sum();
    assert_eq!(payload, run.seconds(0, 0).map(|second| second.bytes).sum::<u64>());
    assert!(payload > 0);
}
