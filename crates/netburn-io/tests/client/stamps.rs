//! What a stamp means, held against the server's own stamps on the same clock.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use burn_model::plan::Population;
use burn_model::time::Moment;

use super::run::{Run, back_to_back, every_second, plan, population, target};
use super::server::{Server, write};
use netburn_io::client::StopHandle;

#[test]
fn an_operation_is_sent_before_the_server_reads_it_and_received_after_the_server_wrote_it() {
    let wrote = Arc::new(Mutex::new(Vec::new()));
    let server = Server::start({
        let wrote = Arc::clone(&wrote);
        move |asked, stream| {
            wrote.lock().unwrap().push(Instant::now());
            write(stream, &asked.right_reply(""))
        }
    });
    let run = Run::until(50, server.address(), population(every_second(200), 1, 2500, 500), true);
    let moment = |at: Instant| Moment::START + at.duration_since(run.start);
    let wrote = wrote.lock().unwrap();
    // The two readings of one clock that tie the run's time line to the server's stamps are some 100 ns apart.
    let slack = Duration::from_micros(10);
    for ((operation, asked), wrote) in run.operations.iter().zip(server.asked()).zip(wrote.iter()) {
        let sent = operation.sent_at.unwrap();
        assert!(operation.scheduled_at <= sent);
        assert!(sent <= moment(asked.at) + slack, "read before it was sent");
        assert!(operation.first_byte_at.unwrap() + slack >= moment(*wrote), "received before it was written");
        assert!(operation.first_byte_at.unwrap() <= operation.ended_at);
    }
}

#[test]
fn the_time_in_which_a_reply_lay_in_the_kernel_is_told_and_is_part_of_the_service_time() {
    let server = Server::right();
    for (parts, part_bytes) in [(1, 2500), (1, 1 << 20), (3, 1000)] {
        let run = Run::until(20, server.address(), population(every_second(100), parts, part_bytes, 1), true);
        assert_eq!(run.completed(), run.begun());
        // The kernel begins to stamp a little after it is asked to, so the first replies may have none.
        let told: Vec<_> = run.completed_operations().filter(|o| o.receive_lateness_ns.is_some()).collect();
        assert!(!told.is_empty());
        for operation in told {
            let service = operation.ended_at.since(operation.sent_at.unwrap());
            let lay = Duration::from_nanos(operation.receive_lateness_ns.unwrap());
            assert!(lay <= service, "{lay:?} of {service:?}");
        }
    }
}

#[test]
fn a_server_time_beyond_the_service_time_is_cut_to_it() {
    let server = Server::start(|asked, stream| {
        let times = ["3600000000000", "18446744073709551615", "-1", "soon", "1000"];
        write(stream, &asked.right_reply(&format!("Netburn-Server-Time: {}\r\n", times[asked.order % 5])))
    });
    let run = Run::until(20, server.address(), population(every_second(100), 1, 1000, 1), false);
    for (index, operation) in run.completed_operations().enumerate() {
        let service = operation.ended_at.since(operation.sent_at.unwrap());
        match index % 5 {
            0 | 1 => assert_eq!(operation.server_time_ns.map(Duration::from_nanos), Some(service)),
            2 | 3 => assert_eq!(operation.server_time_ns, None, "not a number of nanoseconds"),
            _ => assert_eq!(operation.server_time_ns, Some(1000)),
        }
    }
}

#[test]
fn the_time_to_connect_is_the_networks_and_not_the_drivers() {
    // Every reply ends its connection, so every operation connects. None may be sent before it was due, and each is
    // sent before the server reads it, although the server had to accept it first.
    let server = Server::start(|asked, stream| write(stream, &asked.right_reply("Connection: close\r\n")));
    let run = Run::until(20, server.address(), population(every_second(100), 1, 1000, 1), false);
    assert_eq!(run.completed(), run.begun());
    assert_eq!(u64::try_from(server.connections()).unwrap(), run.begun());
    for (operation, asked) in run.completed_operations().zip(server.asked()) {
        let read = Moment::START + asked.at.duration_since(run.start);
        assert!(operation.sent_at.unwrap() < read);
    }
}

#[test]
fn a_fast_download_counts_every_byte_while_a_call_goes_on_beside_it() {
    let server = Server::right();
    let mut download = population(back_to_back(1), 1, 10 << 20, 1);
    download.name = "download".into();
    let call = population(every_second(50), 1, 2500, 500);
    let run = Run::of_plan(
        &plan(vec![download, call]),
        usize::MAX,
        &target(server.address()),
        true,
        &StopHandle::new().unwrap(),
    );
    let bytes = |index| run.intervals.iter().filter(|i| i.population == index).map(|i| i.bytes).sum::<u64>();
    let completed =
        |index| u64::try_from(run.completed_operations().filter(|o| o.population == index).count()).unwrap();
    assert_eq!(completed(1), 50);
    assert_eq!(bytes(1), 50 * 2500);
    assert_eq!(bytes(0), completed(0) * (10 << 20));
    assert!(completed(0) > 0);
}

#[test]
fn every_second_says_what_the_driving_cost() {
    let server = Server::right();
    let run = Run::until(10, server.address(), population(every_second(40), 1, 1000, 1), false);
    assert!(run.start_lateness.is_some(), "how late the load began is said once");
    let usage = run.usage.first().unwrap();
    assert_eq!((usage.client, usage.second), (0, 0));
    assert!(usage.driver_cpu >= 0.0 && usage.driver_cpu <= 1.0, "{usage:?}");
    assert!(usage.machine_cpu.is_some_and(|share| (0.0..=1.0).contains(&share)), "{usage:?}");
    assert!(usage.resident_bytes.is_some_and(|bytes| bytes > 0));
}

#[test]
fn every_second_says_how_the_connections_stand() {
    let server = Server::start(|asked, stream| write(stream, &asked.right_reply("")));
    let mut plan = plan(vec![population(every_second(50), 1, 1000, 100)]);
    plan.duration = Duration::from_secs(2);
    let run = Run::of_plan(&plan, usize::MAX, &target(server.address()), true, &StopHandle::new().unwrap());
    // The plan has two seconds. The second may end before it is told of, but the first may not.
    let first = &run.telemetry[0];
    assert_eq!((first.client, first.second), (0, 0));
    let connections = first.connections.unwrap();
    assert_eq!((connections.open, connections.sampled), (1, 1), "calls share one connection");
    // Each request is a segment at most, for several that are due together share one; and what is sent again counts again.
    let segments = connections.segments.unwrap() - connections.retransmits.unwrap();
    assert!((1..=run.scheduled()).contains(&segments), "{connections:?}");
    assert!(connections.min_rtt_us <= connections.rtt_us && connections.rtt_us <= connections.max_rtt_us);
    assert!(connections.rtt_us.is_some_and(|rtt| rtt > 0) && connections.cwnd.is_some_and(|cwnd| cwnd > 0));
}

#[test]
fn of_many_connections_only_some_are_asked() {
    // Twice 35 pieces at once, each on a connection of its own, which stays open.
    let server = Server::start(|asked, stream| write(stream, &asked.right_reply("")));
    let pieces = population(every_second(1), 35, 100_000, 1);
    let mut plan = plan(vec![pieces.clone(), Population { name: "u".into(), ..pieces }]);
    plan.duration = Duration::from_secs(2);
    let run = Run::of_plan(&plan, usize::MAX, &target(server.address()), false, &StopHandle::new().unwrap());
    let connections = run.telemetry[0].connections.unwrap();
    assert_eq!((connections.open, connections.sampled), (70, 64));
    // Each of the 64 has sent one request, which is one segment, or the next second's already.
    assert!(
        (64..=128).contains(&(connections.segments.unwrap() - connections.retransmits.unwrap())),
        "{connections:?}"
    );
}
