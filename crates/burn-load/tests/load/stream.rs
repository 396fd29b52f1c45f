//! A stream: goodput by window, and the player.

use std::time::Duration;

use burn_load::engine::Engine;
use burn_model::goal::{Bound, Counts, Goal};
use burn_model::plan::{Arrival, Media, Operation, Plan, Population, Rate};
use burn_model::record::{PlaybackRecord, RunEvent};
use burn_model::time::{Moment, nanos};
use burn_model::units::BitRate;

use crate::plans::{ms, plan, population, secs};
use crate::seen::Seen;
use crate::sim::{SimLink, Wire, drive};

const OBJECT: u64 = 1 << 20;
/// 1 MiB at 25 Mbps: 335.54432 ms.
const PERIOD: Duration = Duration::from_nanos(335_544_320);

/// The shipped stream: 1 MiB objects, serial, at 25 Mbps, first due at 0.1 s.
fn stream() -> Population {
    let bit_rate = BitRate::from_mbps(25);
    let rate = Rate::of_bit_rate(bit_rate, OBJECT).unwrap();
    Population {
        arrival: Arrival::Constant { rate, phase: ms(100) },
        operation: Operation { parts: 1, part_bytes: OBJECT },
        in_flight: 1,
        drain: Duration::ZERO,
        goals: vec![Goal {
            bound: Bound::WindowGoodput { window: secs(4), floor: BitRate::from_mbps(20) },
            counts: Counts::Verdict,
        }],
        media: Some(Media { bit_rate, start: secs(2), resume: secs(2), cap: secs(30) }),
        ..population(Arrival::Poisson { rate })
    }
}

fn minute() -> Plan {
    plan(secs(60), stream())
}

fn link(mbps: u64, delay: Duration) -> SimLink {
    SimLink { wire: Wire::rate(mbps * 1_000_000), delay, ..SimLink::default() }
}

/// The bytes of each whole period of the run, in order.
fn periods(seen: &Seen) -> Vec<u64> {
    // (60 s − 0.1 s) / 335.54432 ms = 178.5
    let mut bytes = vec![0; 178];
    for (period, n) in seen.intervals.iter().flat_map(|record| &record.periods) {
        if let Some(sum) = bytes.get_mut(usize::try_from(*period).unwrap()) {
            *sum += n;
        }
    }
    bytes
}

/// The bits of each window of 12 periods, 4.02653184 s.
fn windows(seen: &Seen) -> Vec<u64> {
    periods(seen).windows(12).map(|window| window.iter().sum::<u64>() * 8).collect()
}

fn playback(seen: &Seen) -> PlaybackRecord {
    let mut total = PlaybackRecord::default();
    for record in seen.intervals.iter().filter_map(|record| record.playback) {
        total.played += record.played;
        total.stalled += record.stalled;
        total.stalls += record.stalls;
        total.startup_ns = total.startup_ns.or(record.startup_ns);
        total.lowest_buffer_ns = [total.lowest_buffer_ns, record.lowest_buffer_ns].into_iter().flatten().min();
    }
    total
}

#[test]
fn a_perfect_stream_reads_25_mbps_in_every_window() {
    // An object takes 83.9 ms on a link of 100 Mbps, and 10 ms back and forth: it lies within its own period. So each period
    // holds 1 MiB, and a window 12 · 8 · 2^20 bits in 4.02653184 s: 25 Mbps to the bit.
    let seen = drive(&minute(), &mut link(100, ms(5)));
    assert!(periods(&seen).iter().all(|bytes| *bytes == OBJECT));
    for bits in windows(&seen) {
        assert_eq!(u128::from(bits) * 1_000_000_000, 25_000_000 * u128::from(nanos(PERIOD * 12)));
    }
}

#[test]
fn bytes_belong_to_the_period_that_begins_when_they_come_and_none_before_the_first_schedule() {
    let mut engine = Engine::new(&minute(), 0).unwrap();
    let one_before = Duration::from_nanos(1);
    for (moment, bytes) in [
        (Moment::from_millis(99), 1),
        (Moment::from_millis(100), 10),
        (Moment::from_millis(100) + PERIOD - one_before, 100),
        (Moment::from_millis(100) + PERIOD, 1000),
    ] {
        engine.handle_bytes(0, moment, bytes);
    }
    engine.handle_timeout(Moment::from_secs(1));
    let Some(RunEvent::Interval(record)) = engine.poll_event() else { panic!("no record of second 0") };
    assert_eq!((record.bytes, record.periods), (1111, vec![(0, 110), (1, 1000)]));
}

#[test]
fn a_link_of_19_mbps_reads_19_mbps_in_every_window() {
    // The link never rests, so a window carries 19e6 · 4.02653184 = 76,504,105 bits; pieces of 12,000 bits that end just in
    // or out of it at either end move that by less than one piece.
    let seen = drive(&minute(), &mut link(19, Duration::ZERO));
    let windows = windows(&seen);
    assert_eq!(windows.len(), 167);
    for bits in windows {
        assert!(bits.abs_diff(76_504_105) <= 12_000, "{bits} bits");
        assert!(bits < 20_000_000 * 4, "the floor is missed");
    }
    // Bytes count when they come, not when their object is complete: no second lacks any.
    for record in &seen.intervals[1..60] {
        assert!((record.bytes * 8).abs_diff(19_000_000) <= 12_000, "second {}: {}", record.second, record.bytes);
    }
}

#[test]
fn a_stream_on_a_good_link_starts_once_two_seconds_are_there_and_never_stalls() {
    // 2 s of media are 6,250,000 bytes: five objects, and 1,007,120 bytes of the sixth, which is due 5 periods after the
    // first. They lie within 672 pieces of 1500 bytes, of 120 µs each at 100 Mbps.
    let seen = drive(&minute(), &mut link(100, Duration::ZERO));
    let total = playback(&seen);
    let startup = PERIOD * 5 + Duration::from_micros(120) * 672;
    assert_eq!(total.startup_ns, Some(nanos(startup)));
    // It plays from 0.1 s + start-up to the end of the load.
    assert_eq!((total.played, total.stalled, total.stalls), (secs(60) - ms(100) - startup, Duration::ZERO, 0));
    // The buffer is lowest just before an object's first piece comes, 120 µs after it is due. When object k is due, k periods
    // after the first, k objects of one period of media each have come, and k periods less the start-up have been played.
    assert_eq!(total.lowest_buffer_ns, Some(nanos(startup - Duration::from_micros(120))));
}

#[test]
fn a_stream_on_a_link_of_19_mbps_stalls_as_often_and_as_long_as_computed() {
    // 2 s of media (50e6 bits) come in 2.63158 s. Played at 25 and filled at 19 Mbps they last 2 / (1 − 19/25) = 8.33333 s.
    // So from the first byte at 0.1 s on: 2.63158 s of start-up, then by turns 8.33333 s of playing and 2.63158 s of standing
    // still. In 59.9 s: plays at 2.63, stalls at 10.96, 21.93, 32.89, 43.86 and 54.82 s, plays at 57.46 s to the end.
    let seen = drive(&minute(), &mut link(19, Duration::ZERO));
    let total = playback(&seen);
    let (fill, last) = (2.631_578_9, 8.333_333_3);
    let piece = 0.000_632; // of 1500 bytes: each turn may come that much late, and each one after it too
    assert_eq!(total.stalls, 5);
    assert!((Duration::from_nanos(total.startup_ns.unwrap()).as_secs_f64() - fill).abs() <= piece);
    assert!((total.stalled.as_secs_f64() - 5.0 * fill).abs() <= 10.0 * piece, "{:?}", total.stalled);
    let played = 5.0 * last + (59.9 - 6.0 * fill - 5.0 * last);
    assert!((total.played.as_secs_f64() - played).abs() <= 11.0 * piece, "{:?}", total.played);
    assert_eq!(total.lowest_buffer_ns, Some(0));
}

#[test]
fn nothing_is_played_after_the_end_of_the_load() {
    let seen = drive(&Plan { duration: ms(7_500), ..minute() }, &mut link(100, Duration::ZERO));
    let last = seen.intervals.last().unwrap();
    assert_eq!((last.second, last.playback.unwrap().played), (7, ms(500)));
    // Another population that drains for longer does not make the player stall, and what still comes is not played.
    let mut two = Plan { duration: ms(7_500), ..minute() };
    two.clients[0].populations.push(Population {
        name: "slow".into(),
        operation: Operation { parts: 1, part_bytes: 1 << 26 },
        in_flight: 1,
        ..population(Arrival::Closed { people: 1, reading_time: Duration::ZERO })
    });
    let mut engine = Engine::new(&two, 0).unwrap();
    // 10 s of media at once, 0.4 s after the first operation was due.
    engine.handle_bytes(0, Moment::from_millis(500), 10 * 3_125_000);
    while let Some(dispatch) = engine.poll_dispatch(Moment::from_millis(500)) {
        assert!(dispatch.population < 2, "both have one under way");
    }
    engine.handle_bytes(0, Moment::from_millis(7_800), 1);
    engine.handle_bytes(0, Moment::from_millis(8_200), 1);
    let records = std::iter::from_fn(|| engine.poll_event()).filter_map(|event| match event {
        RunEvent::Interval(record) if record.population == 0 => Some((record.second, record.playback)),
        _ => None,
    });
    let last = records.last().unwrap();
    assert_eq!((last.0, last.1.unwrap().played), (7, ms(500)));
    engine.handle_timeout(Moment::from_secs(9));
    let events: Vec<RunEvent> = std::iter::from_fn(|| engine.poll_event()).collect();
    assert!(matches!(&events[0], RunEvent::Interval(record) if record.second == 8 && record.playback.is_none()));
}
