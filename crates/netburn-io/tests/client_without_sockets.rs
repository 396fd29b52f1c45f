//! A client that may open no more files. Alone in its process, because the limit is the process's.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use burn_load::engine::Engine;
use burn_model::plan::{Arrival, ClientPlan, Operation, Plan, Population, Rate};
use burn_model::record::{NotSentReason, RunEvent};
use netburn_io::client::{DriveOptions, RequestKind, StopHandle, Target, drive};
use netburn_io::protocol::RunToken;
use nix::sys::resource::{Resource, getrlimit, setrlimit};

#[test]
fn operations_that_get_no_socket_are_counted_as_never_sent() {
    // Connections are accepted by the kernel and never answered.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let plan = Plan {
        name: "t".into(),
        seed: 1,
        warm_up: Duration::ZERO,
        duration: Duration::from_secs(1),
        keep_operations: false,
        clients: vec![ClientPlan {
            name: "c".into(),
            populations: vec![Population {
                name: "t".into(),
                arrival: Arrival::Constant { rate: Rate::per_second(100), phase: Duration::ZERO },
                operation: Operation { parts: 2, part_bytes: 1000 },
                in_flight: 100,
                deadline: Duration::from_secs(5),
                drain: Duration::ZERO,
                goals: vec![],
                media: None,
            }],
        }],
    };
    plan.validate().unwrap();
    let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap();
    setrlimit(Resource::RLIMIT_NOFILE, 40, hard).unwrap();

    let target =
        Target { address, host: "t".into(), request: RequestKind::Generated { token: RunToken::from_bits(1) } };
    let options = DriveOptions { target, client: 0, start: Instant::now(), pipelining: false };
    let (mut scheduled, mut not_sent, mut at_the_end, mut in_flight) = (0, 0, 0, 0);
    let engine = Engine::new(&plan, 0).unwrap();
    drive(engine, &options, &StopHandle::new().unwrap(), &mut |event| {
        if let RunEvent::Interval(interval) = event {
            assert!(interval.tally.is_conserved());
            scheduled += interval.tally.scheduled;
            not_sent += interval.tally.not_sent.get(&NotSentReason::NoSocket).copied().unwrap_or(0);
            at_the_end += interval.tally.not_sent.get(&NotSentReason::RunEnded).copied().unwrap_or(0);
            in_flight = interval.tally.in_flight_after;
        }
    })
    .unwrap();
    assert_eq!(scheduled, 100);
    // Two sockets for each operation, and a few files are open already: fewer than twenty operations get both.
    assert!(in_flight > 0 && in_flight < 20, "{in_flight} operations got their sockets");
    assert_eq!(not_sent, 100 - in_flight - at_the_end, "all others were never sent, none failed");
    assert!(not_sent > 0);
}
