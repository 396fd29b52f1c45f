//! Answers that follow from the definitions with pencil and paper.

use std::time::Duration;

use burn_model::plan::{Operation, Population};
use burn_model::record::{FailureCause, Outcome};
use burn_model::time::Moment;

use crate::plans::{closed, constant, ms, plan, population, secs};
use crate::seen::{Seen, failures, samples};
use crate::sim::{Answer, Service, SimLink, Wire, drive};

fn stalled_from(from: u64, to: u64) -> SimLink {
    SimLink { stall: Moment::from_secs(from)..Moment::from_secs(to), ..SimLink::default() }
}

#[test]
fn a_server_stall_of_one_second_shows_in_each_of_the_hundred_operations_that_were_due_in_it() {
    let seen = drive(&plan(secs(20), population(constant(100))), &mut stalled_from(10, 11));
    let times = seen.response_times();
    assert_eq!(times.len(), 2000);
    // Operation 1000 + k is due at 10 s + k · 10 ms and is answered at 11 s.
    for (i, time) in (0..).zip(&times) {
        let expected = if (1000..1100).contains(&i) { ms(1000 - (i - 1000) * 10) } else { Duration::ZERO };
        assert_eq!(*time, expected, "operation {i}");
    }
    // Times stand with the second of the schedule, although the replies came a second later.
    let record = &seen.intervals[11];
    assert_eq!(record.cohorts[0].scheduled_second, 10);
    assert_eq!(record.cohorts[0].response_time, samples((1..=100).map(|k| ms(k * 10))));
    assert_eq!(record.cohorts[1].response_time, samples([Duration::ZERO; 100]));
}

#[test]
fn a_closed_population_sees_the_same_stall_as_one_slow_reply() {
    let mut link = stalled_from(10, 11);
    link.service = Service::Fixed(ms(10));
    let seen = drive(&plan(secs(20), population(closed(1, Duration::ZERO))), &mut link);
    // One reply each 10 ms. The request sent at 10.00 s is taken up at 11 s and answered at 11.01 s.
    let slow: Vec<Duration> = seen.response_times().into_iter().filter(|time| *time > ms(10)).collect();
    assert_eq!(slow, [ms(1010)]);
    assert_eq!(seen.total(0).completed, 1900, "20 s less 1 s, at one each 10 ms");
}

#[test]
fn a_call_with_an_outage_of_4_s_in_20_s_has_a_fifth_of_its_operations_late_and_a_p95_of_3_s() {
    let call = Population { in_flight: 500, ..population(constant(50)) };
    let seen = drive(&plan(secs(20), call), &mut stalled_from(8, 12));
    let mut times = seen.response_times();
    times.sort();
    assert_eq!(times.len(), 1000);
    // 4 s · 50/s = 200 of 1000 are late: by 4.00, 3.98, … 0.02 s.
    assert_eq!(times.iter().filter(|time| **time > Duration::ZERO).count(), 200);
    assert_eq!(times[999], secs(4));
    // 50 of 1000 lie beyond p95: 4.00 down to 3.02 s. The next one is p95.
    assert_eq!(times[949], secs(3));
}

#[test]
fn an_outage_longer_than_the_slots_last_shows_as_slot_wait_and_loses_nothing() {
    // 100 slots at 50/s are full after 2 s of a 4 s outage (8–12 s). The other 100 operations get a slot at 12 s,
    // when all the first are answered, and are answered at once: response times are what they are without a limit.
    let call = Population { in_flight: 100, ..population(constant(50)) };
    let seen = drive(&plan(secs(20), call), &mut stalled_from(8, 12));
    let mut times = seen.response_times();
    times.sort();
    assert_eq!((times.len(), times[949], times[999]), (1000, secs(3), secs(4)));
    let waits = samples((1..=100).map(|k| ms(k * 20)).chain([Duration::ZERO; 900]));
    assert_eq!(seen.cohorts(0).slot_wait, waits);
    assert_eq!(seen.cohorts(0).driver_lateness, samples([Duration::ZERO; 1000]));
}

/// 10 s at 10/s of 1000 bytes against a far end that does not do its job.
fn faulty(answer: Answer) -> Seen {
    let population = Population { deadline: secs(2), ..population(constant(10)) };
    let seen = drive(&plan(secs(10), population), &mut SimLink { answer, ..SimLink::default() });
    assert_eq!(seen.total(0).scheduled, 100);
    seen
}

/// No figure counts anything: neither a time nor a completion.
fn nothing_improved(seen: &Seen) {
    let cohort = seen.cohorts(0);
    assert_eq!((seen.total(0).completed, cohort.unsuccessful), (0, 100));
    for times in [
        &cohort.response_time,
        &cohort.service_time,
        &cohort.slot_wait,
        &cohort.driver_lateness,
        &cohort.response_time_less_client,
        &cohort.response_time_less_server,
    ] {
        assert!(times.is_empty());
    }
}

#[test]
fn a_port_where_nothing_listens_improves_no_figure() {
    let seen = faulty(Answer::Refused);
    nothing_improved(&seen);
    assert_eq!((seen.total(0).failed, seen.bytes(0)), (failures(FailureCause::Connect, 100), 0));
}

#[test]
fn a_captive_portal_that_answers_fast_improves_no_figure() {
    let seen = faulty(Answer::WrongServer);
    nothing_improved(&seen);
    assert_eq!((seen.total(0).failed, seen.bytes(0)), (failures(FailureCause::WrongServer, 100), 0));
}

#[test]
fn bodies_cut_short_improve_no_figure_and_carry_only_the_bytes_that_came() {
    let seen = faulty(Answer::Truncated(400));
    nothing_improved(&seen);
    assert_eq!((seen.total(0).failed, seen.bytes(0)), (failures(FailureCause::Truncated, 100), 100 * 400));
}

#[test]
fn a_reply_of_one_byte_a_second_runs_into_its_deadline_and_improves_no_figure() {
    let seen = faulty(Answer::Trickle);
    nothing_improved(&seen);
    assert_eq!(seen.total(0).timed_out, 100);
    // Each is given up 2 s after it was ready; its third byte comes at that very moment, and counts.
    assert_eq!(seen.bytes(0), 100 * 3);
    for operation in &seen.operations {
        assert_eq!((operation.outcome, operation.ended_at), (Outcome::TimedOut, operation.scheduled_at + secs(2)));
    }
}

#[test]
fn where_half_of_all_replies_are_errors_only_the_other_half_counts() {
    let seen = faulty(Answer::ErrorEvery(2));
    let (total, cohort) = (seen.total(0), seen.cohorts(0));
    assert_eq!((total.completed, total.failed), (50, failures(FailureCause::Status, 50)));
    assert_eq!((cohort.response_time.len(), cohort.unsuccessful), (50, 50));
    assert_eq!(seen.bytes(0), 50 * 1000);
}

#[test]
fn a_token_bucket_s_departures_are_exact() {
    // 8 Mbps is 1,000,000 bytes a second, and the bucket holds 100,000 bytes. Of an object of 1,000,000 bytes the first
    // 100,000 pass at once and the rest takes 0.9 s. One object each second: in the 0.1 s to the next one the
    // bucket fills again. So each takes 0.9 s exactly.
    let object = Population { operation: Operation { parts: 1, part_bytes: 1_000_000 }, ..population(constant(1)) };
    let mut link = SimLink { wire: Wire::bucket(8_000_000, 100_000), piece_bytes: 1000, ..SimLink::default() };
    let seen = drive(&plan(secs(10), object), &mut link);
    assert_eq!(seen.response_times(), [ms(900); 10]);
    for record in &seen.intervals {
        assert_eq!(record.bytes, 1_000_000, "second {}", record.second);
    }
}
