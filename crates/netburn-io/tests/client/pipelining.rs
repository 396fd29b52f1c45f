//! Requests that go out on time, whether or not earlier replies are in.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use burn_model::record::{OperationRecord, Outcome};
use burn_model::time::Moment;

use super::run::{Run, back_to_back, every_second, population};
use super::server::{Server, Then, write};

/// A server that answers nothing before the `stalled`-th request has come, and then everything; with when it let go.
/// Each reply carries its request's number on the connection as its server time, so that it can be told whose it was.
fn stalling(stalled: usize) -> (Server, std::sync::Arc<Mutex<Option<Instant>>>) {
    let released = std::sync::Arc::new(Mutex::new(None));
    let owed = Mutex::new(Vec::new());
    let server = Server::start({
        let released = std::sync::Arc::clone(&released);
        move |asked, stream| {
            let mut owed = owed.lock().unwrap();
            owed.extend(asked.right_reply(&format!("Netburn-Server-Time: {}\r\n", asked.number)));
            if asked.number + 1 < stalled {
                return Then::Keep;
            }
            released.lock().unwrap().get_or_insert_with(Instant::now);
            let then = write(stream, &owed);
            owed.clear();
            then
        }
    });
    (server, released)
}

fn response_time(operation: &OperationRecord) -> Duration {
    operation.ended_at.since(operation.scheduled_at)
}

#[test]
fn a_call_keeps_sending_while_the_server_stalls_and_every_wait_is_seen() {
    // 200 operations a second. The server lets go when it has read the 40th, which is sent 39 × 5 ms = 195 ms after
    // the first is due, or later. So operation i of the first 40 waits for at least (39 − i) × 5 ms.
    let (server, released) = stalling(40);
    let run = Run::until(50, server.address(), population(every_second(200), 1, 2500, 500), true);
    assert_eq!(run.completed(), run.begun());
    assert_eq!(server.connections(), 1);

    let released = Moment::START + released.lock().unwrap().unwrap().duration_since(run.start);
    assert!(released >= Moment::from_millis(195));
    for (index, operation) in (0_u64..).zip(&run.operations[..40]) {
        assert_eq!(operation.scheduled_at, Moment::from_millis(index * 5));
        let waited = response_time(operation);
        assert!(waited >= Duration::from_millis((39 - index) * 5), "operation {index} waited only {waited:?}");
        assert!(operation.ended_at >= released, "operation {index} was answered before the server let go");
        assert!(operation.sent_at.unwrap() >= operation.scheduled_at);
    }
    // They were not sent on the replies' account: the server had read all forty before it let the first one go.
    let read = server.asked();
    assert!(read[..40].iter().all(|asked| Moment::START + asked.at.duration_since(run.start) <= released));
}

#[test]
fn replies_are_matched_to_requests_in_order() {
    let (server, _) = stalling(10);
    let run = Run::until(50, server.address(), population(every_second(200), 1, 2500, 500), true);
    for (index, operation) in (0_u64..).zip(&run.operations) {
        assert_eq!(operation.outcome, Outcome::Completed);
        assert_eq!(operation.server_time_ns, Some(index), "operation {index} got another one's reply");
    }
}

#[test]
fn without_pipelining_as_many_connections_are_opened_as_that_takes() {
    let held = Mutex::new(0);
    let server = Server::start(move |asked, stream| {
        // Ten requests are held for good.
        let mut held = held.lock().unwrap();
        *held += 1;
        if *held <= 10 { Then::Keep } else { write(stream, &asked.right_reply("")) }
    });
    let mut call = population(every_second(200), 1, 2500, 500);
    call.drain = Duration::ZERO;
    let run = Run::until(40, server.address(), call, false);
    assert!(server.connections() >= 11, "ten that wait, and at least one that is kept for the others");
    let held: Vec<usize> = server.asked().iter().take(10).map(|asked| asked.connection).collect();
    let more = server.asked().iter().skip(10).any(|asked| held.contains(&asked.connection));
    assert!(!more, "nothing is sent on a connection that owes a reply");
    let cut = run.intervals.last().unwrap().tally.in_flight_after;
    assert!(cut >= 10);
    assert_eq!(run.completed() + cut, run.begun());
}

#[test]
fn large_objects_do_not_queue_behind_each_other() {
    let server = Server::right();
    let run = Run::until(4, server.address(), population(back_to_back(3), 1, (64 << 10) + 1, 3), true);
    assert!(run.completed() > 3);
    assert!(server.connections() > 1);
}

#[test]
fn the_reply_to_an_abandoned_request_is_thrown_away_and_the_next_ones_are_not() {
    // The server answers from its 30th request on, which is sent at 580 ms or later; until then it gives a byte of what
    // it owes for each request, as a sign of life. An operation has 400 ms.
    let owed = Mutex::new(Vec::new());
    let server = Server::start(move |asked, stream| {
        let reply = asked.right_reply(&format!("Netburn-Server-Time: {}\r\n", asked.number));
        let mut owed = owed.lock().unwrap();
        owed.extend(reply);
        if asked.number > 0 && asked.number < 29 {
            let byte: Vec<u8> = owed.drain(..1).collect();
            return write(stream, &byte);
        }
        if asked.number == 0 {
            return Then::Keep;
        }
        let then = write(stream, &owed);
        owed.clear();
        then
    });
    let mut call = population(every_second(50), 1, 2500, 500);
    call.deadline = Duration::from_millis(400);
    let run = Run::until(50, server.address(), call, true);
    assert_eq!(server.connections(), 1, "a connection with signs of life is kept");
    assert_eq!(run.operations[0].outcome, Outcome::TimedOut);
    assert_eq!(
        run.operations[8].outcome,
        Outcome::TimedOut,
        "due at 160 ms, given up at 560 ms, answered after 580 ms"
    );
    assert_eq!(run.completed() + run.timed_out(), run.begun());
    assert!(run.completed() > 0);
    for (index, operation) in (0_u64..).zip(&run.operations) {
        if operation.outcome == Outcome::Completed {
            assert_eq!(operation.server_time_ns, Some(index), "operation {index} got another one's reply");
        }
    }
}

#[test]
fn a_pipelined_connection_that_stays_silent_for_a_deadline_is_left_for_a_fresh_one() {
    let server = Server::start(
        |asked, stream| {
            if asked.connection == 0 { Then::Keep } else { write(stream, &asked.right_reply("")) }
        },
    );
    let mut call = population(every_second(50), 1, 2500, 500);
    call.deadline = Duration::from_secs(1);
    let run = Run::until(60, server.address(), call, true);
    assert_eq!(server.connections(), 2);
    let lost = u64::try_from(server.asked().iter().filter(|asked| asked.connection == 0).count()).unwrap();
    assert_eq!((run.timed_out(), run.completed()), (lost, run.begun() - lost));
    assert!(run.completed() > 0);
}

#[test]
fn requests_pipelined_behind_a_lost_one_are_asked_for_again() {
    // The first connection answers its first request, reads nine more and breaks off.
    let server = Server::start(|asked, stream| match (asked.connection, asked.number) {
        (0, 1..9) => Then::Keep,
        (0, 9) => Then::Reset,
        _ => write(stream, &asked.right_reply("")),
    });
    let run = Run::until(50, server.address(), population(every_second(50), 1, 2500, 500), true);
    assert_eq!(run.completed(), run.begun());
    assert_eq!((server.connections(), u64::try_from(server.asked().len()).unwrap()), (2, run.begun() + 9));
}
