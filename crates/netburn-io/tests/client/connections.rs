//! Which connections an operation takes, and what becomes of it when one breaks.

use std::collections::BTreeSet;
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use burn_model::record::FailureCause;

use super::run::{Run, back_to_back, every_second, population};
use super::server::{Server, Then, write};

fn count(things: usize) -> u64 {
    u64::try_from(things).unwrap()
}

#[test]
fn one_operation_after_the_other_keeps_one_connection() {
    let server = Server::right();
    // More than one turn's worth of bytes for each, so that a reply takes several wake-ups.
    let run = Run::until(3, server.address(), population(back_to_back(1), 1, 3 << 20, 1), true);
    assert!(run.completed() >= 3);
    assert_eq!(run.completed(), run.begun());
    assert_eq!(run.bytes(), run.completed() * (3 << 20));
    assert_eq!(server.connections(), 1);
}

#[test]
fn a_request_names_its_run_and_its_application() {
    let server = Server::right();
    Run::until(1, server.address(), population(every_second(1), 1, 77, 1), false);
    let asked = server.asked().pop().unwrap();
    assert_eq!(asked.path, "/netburn/v1/bytes/77");
    assert_eq!(asked.field("Netburn-Run"), Some("00000000000000000000000000005eed"));
    assert_eq!(asked.field("Netburn-Application"), Some("0.0"));
    assert_eq!(asked.field("Host"), Some(server.address().to_string().as_str()));
}

#[test]
fn the_parts_of_an_operation_are_asked_for_side_by_side() {
    // No part is answered before all four of its operation have been asked for: one after the other would never end.
    let waiting = (Mutex::new(0_usize), Condvar::new());
    let server = Server::start(move |asked, stream| {
        let (count, all_in) = &waiting;
        let mut arrived = count.lock().unwrap();
        *arrived += 1;
        let operation_is_in = arrived.div_ceil(4) * 4;
        all_in.notify_all();
        let (arrived, timeout) =
            all_in.wait_timeout_while(arrived, Duration::from_secs(4), |n| *n < operation_is_in).unwrap();
        drop(arrived);
        if timeout.timed_out() { Then::Close } else { write(stream, &asked.right_reply("")) }
    });
    let run = Run::until(5, server.address(), population(every_second(100), 4, 1000, 1), true);
    assert_eq!(run.completed(), run.begun());
    assert_eq!(run.bytes(), run.begun() * 4 * 1000);
    assert_eq!(server.connections(), 4, "connections are kept from operation to operation");
    // Six times for each operation, none for a part, and a seventh where the kernel stamped the last packet: it
    // begins to a little after it is asked to. The server tells no time.
    assert!((run.begun() * 6..=run.begun() * 7).contains(&run.samples()));
}

#[test]
fn one_failed_part_fails_its_operation_once_and_the_other_parts_are_given_up() {
    // The last part to come in of each operation is refused, the others are never answered.
    let server = Server::start(|asked, stream| {
        if asked.order % 3 == 2 {
            return write(stream, b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n");
        }
        Then::Keep
    });
    let run = Run::until(4, server.address(), population(every_second(100), 3, 1000, 1), false);
    let begun = run.begun();
    assert_eq!(run.failed(FailureCause::Status), begun);
    assert_eq!((run.samples(), run.bytes()), (0, 0));
    // A connection whose request was never answered must not be used again: its reply would be taken for another's.
    let mut unanswered = BTreeSet::new();
    for asked in server.asked() {
        assert!(!unanswered.contains(&asked.connection), "{asked:?}");
        if asked.order % 3 != 2 {
            unanswered.insert(asked.connection);
        }
    }
}

#[test]
fn a_request_lost_on_a_kept_connection_is_asked_for_once_more_on_a_fresh_one() {
    // Each connection answers once, and is broken off by the second request on it.
    for pipelining in [false, true] {
        for last in [|| Then::Close, || Then::Reset] {
            let server = Server::start(
                move |asked, stream| {
                    if asked.number == 0 { write(stream, &asked.right_reply("")) } else { last() }
                },
            );
            let run = Run::until(10, server.address(), population(every_second(100), 1, 1000, 1), pipelining);
            let begun = run.begun();
            assert_eq!(run.completed(), begun, "{:?}", run.intervals);
            // The first operation opens a connection; each one after it breaks one and is answered by the next.
            assert_eq!((count(server.connections()), count(server.asked().len())), (begun, begun + begun - 1));
        }
    }
}

#[test]
fn a_request_is_asked_for_again_only_once() {
    // The first connection answers its first request; nothing is answered ever after.
    for pipelining in [false, true] {
        let server = Server::start(
            |asked, stream| {
                if asked.order == 0 { write(stream, &asked.right_reply("")) } else { Then::Close }
            },
        );
        let run = Run::until(10, server.address(), population(every_second(100), 1, 1000, 1), pipelining);
        let begun = run.begun();
        assert_eq!((run.completed(), run.failed(FailureCause::Disconnected)), (1, begun - 1));
        // One answered; one lost and asked for again; the others on fresh connections, which are not tried again.
        assert_eq!(count(server.asked().len()), 1 + 2 + (begun - 2));
    }
}

#[test]
fn a_reply_that_had_begun_is_not_asked_for_again() {
    let server = Server::start(|asked, stream| {
        let reply = asked.right_reply("");
        if asked.number == 0 {
            return write(stream, &reply);
        }
        write(stream, &reply[..20]);
        Then::Close
    });
    let run = Run::until(10, server.address(), population(every_second(100), 1, 1000, 1), false);
    let begun = run.begun();
    assert_eq!((run.completed(), run.failed(FailureCause::Truncated)), (begun.div_ceil(2), begun / 2));
    assert_eq!(count(server.asked().len()), begun);
}

#[test]
fn a_connection_is_not_used_after_its_server_said_close_or_closed_it() {
    for fields in ["Connection: close\r\n", ""] {
        let server = Server::start(move |asked, stream| {
            write(stream, &asked.right_reply(fields));
            // With the field, only the client ends the connection; without it, only the server does.
            if fields.is_empty() { Then::Close } else { Then::Keep }
        });
        let run = Run::until(10, server.address(), population(every_second(100), 1, 1000, 1), false);
        let begun = run.begun();
        assert_eq!(run.completed(), begun);
        assert_eq!((count(server.connections()), count(server.asked().len())), (begun, begun));
    }
}

#[test]
fn bytes_that_nobody_asked_for_end_a_connection_and_no_operation() {
    let server = Server::start(|asked, stream| {
        let mut reply = asked.right_reply("");
        reply.extend_from_slice(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
        write(stream, &reply)
    });
    // Small enough that one read takes the reply and what follows it.
    let run = Run::until(10, server.address(), population(every_second(100), 1, 100, 1), false);
    assert_eq!(run.completed(), run.begun());
    assert_eq!(count(server.connections()), run.begun());
}

#[test]
fn an_operation_past_its_deadline_gives_up_its_connection_where_it_is_its_own() {
    // The first request is never answered.
    let server = Server::start(
        |asked, stream| {
            if asked.order == 0 { Then::Keep } else { write(stream, &asked.right_reply("")) }
        },
    );
    let mut slow = population(every_second(100), 1, 1000, 1);
    slow.deadline = Duration::from_millis(500);
    let run = Run::until(10, server.address(), slow, false);
    assert_eq!((run.timed_out(), run.completed()), (1, run.begun() - 1));
    let used: BTreeSet<usize> = server.asked().iter().map(|asked| asked.connection).collect();
    assert_eq!(used.len(), 2);
}
