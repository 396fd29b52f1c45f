//! Ending a run early, from another thread.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use burn_model::record::NotSentReason;
use netburn_io::client::StopHandle;

use super::run::{Run, back_to_back, every_second, plan, population, target};
use super::server::{Server, Then, write};

#[test]
fn a_stopped_run_ends_at_once_and_counts_what_it_did() {
    let (seen, wait) = mpsc::channel();
    let server = Server::start(move |asked, stream| {
        let _ = seen.send(());
        write(stream, &asked.right_reply(""))
    });
    let stop = StopHandle::new().unwrap();
    let stopper = thread::spawn({
        let stop = stop.clone();
        move || {
            (0..5).for_each(|_| wait.recv().unwrap());
            stop.stop();
            stop.stop();
        }
    });
    // A day's run, which is idle for most of each second.
    let mut plan = plan(vec![population(every_second(20), 1, 1000, 10)]);
    plan.duration = Duration::from_secs(24 * 3600);
    let run = Run::of_plan(&plan, usize::MAX, &target(server.address()), false, &stop);
    stopper.join().unwrap();
    assert!(run.completed() >= 5);
    assert_eq!(run.completed() + run.not_sent(NotSentReason::Stopped), run.scheduled());
}

#[test]
fn a_run_stopped_before_its_start_sends_nothing() {
    let server = Server::right();
    let stop = StopHandle::new().unwrap();
    stop.stop();
    let run = Run::of_plan(
        &plan(vec![population(back_to_back(2), 1, 1000, 2)]),
        usize::MAX,
        &target(server.address()),
        true,
        &stop,
    );
    assert_eq!(run.completed(), 0);
    assert_eq!(server.connections(), 0);
}

#[test]
fn what_is_under_way_at_a_stop_may_finish_within_its_drain() {
    let stop = StopHandle::new().unwrap();
    // The server itself stops the run when it has the request, and answers only then.
    let server = Server::start({
        let stop = stop.clone();
        move |asked, stream| {
            if asked.order == 3 {
                stop.stop();
            }
            write(stream, &asked.right_reply(""))
        }
    });
    let mut plan = plan(vec![population(every_second(20), 1, 1000, 1)]);
    plan.duration = Duration::from_secs(3600);
    let run = Run::of_plan(&plan, usize::MAX, &target(server.address()), false, &stop);
    assert_eq!(run.completed(), u64::try_from(server.asked().len()).unwrap());
}

#[test]
fn a_download_under_way_at_the_end_is_cut_and_stays_in_flight() {
    let server = Server::start(|_, _| Then::Keep);
    let mut download = population(back_to_back(1), 1, 10 << 20, 1);
    download.drain = Duration::ZERO;
    let stop = StopHandle::new().unwrap();
    let run = Run::of_plan(&plan(vec![download]), usize::MAX, &target(server.address()), false, &stop);
    let last = run.intervals.last().unwrap();
    assert_eq!((last.tally.in_flight_after, run.completed(), run.samples()), (1, 0, 0));
}
