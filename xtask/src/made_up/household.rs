//! Who takes part and what they do: the household that the program ships, as many times as asked for.

use std::time::Duration;

use anyhow::{Result, ensure};
use burn_model::goal::{Bound, Counts, Goal};
use burn_model::plan::{Arrival, ClientPlan, Media, Operation, Plan, Population, Rate};
use burn_model::units::BitRate;

use super::{Arguments, names};

const KINDS: [&str; 4] = ["laptop", "tv", "phone", "desktop"];

pub(super) fn plan(arguments: &Arguments) -> Result<Plan> {
    ensure!((0.1..=24.0 * 60.0).contains(&arguments.minutes), "--minutes is between 0.1 and 1440");
    let client = |number: u32| {
        let kind = KINDS.get(number as usize % KINDS.len()).copied().unwrap_or_default();
        ClientPlan { name: names::client(kind, number, arguments.hostile), populations: vec![population(kind, number)] }
    };
    let plan = Plan {
        name: if arguments.hostile { names::TEXT.to_owned() } else { "made up".to_owned() },
        seed: arguments.seed,
        warm_up: ms(5_000),
        // Whole seconds, as scenarios mostly have them.
        duration: Duration::from_secs_f64((arguments.minutes * 60.0).round()),
        keep_operations: arguments.keep_operations,
        clients: (0..arguments.clients).map(client).collect(),
    };
    plan.validate()?;
    Ok(plan)
}

fn population(kind: &str, number: u32) -> Population {
    match kind {
        "laptop" => browsing(),
        "tv" => stream(number),
        "phone" => call(number),
        _ => download(),
    }
}

fn browsing() -> Population {
    Population {
        name: "browsing".to_owned(),
        arrival: Arrival::Closed { people: 1, reading_time: ms(1500) },
        operation: Operation { parts: 10, part_bytes: 128 << 10 },
        in_flight: 1,
        deadline: ms(30_000),
        drain: ms(5_000),
        goals: vec![
            response_time(0.95, 500, 2500, Counts::Verdict),
            response_time(0.99, 1000, 4000, Counts::Score),
            verdict(Bound::FailedShare { good: 0.0, bad: 0.02 }),
        ],
        media: None,
    }
}

fn stream(number: u32) -> Population {
    let (bit_rate, part_bytes) = (BitRate::from_mbps(25), 1 << 20);
    Population {
        name: "4kstream".to_owned(),
        arrival: Arrival::Constant {
            rate: Rate::of_bit_rate(bit_rate, part_bytes).unwrap_or(Rate::per_second(3)),
            phase: ms(u64::from(number) * 17 % 300),
        },
        operation: Operation { parts: 1, part_bytes },
        in_flight: 1,
        deadline: ms(30_000),
        drain: Duration::ZERO,
        goals: vec![
            verdict(Bound::WindowGoodput { window: ms(4_000), floor: BitRate::from_mbps(20) }),
            verdict(Bound::StallRatio { good: 0.0, bad: 0.01 }),
            verdict(Bound::StartupTime { good: ms(2_000), bad: ms(10_000) }),
        ],
        media: Some(Media { bit_rate, start: ms(2_000), resume: ms(2_000), cap: ms(30_000) }),
    }
}

fn call(number: u32) -> Population {
    Population {
        name: "voip".to_owned(),
        arrival: Arrival::Constant { rate: Rate::per_second(50), phase: ms(u64::from(number) * 3 % 20) },
        operation: Operation { parts: 1, part_bytes: 2500 },
        in_flight: 500,
        deadline: ms(10_000),
        drain: ms(5_000),
        goals: vec![response_time(0.95, 150, 400, Counts::Verdict), response_time(0.99, 200, 500, Counts::Verdict)],
        media: None,
    }
}

fn download() -> Population {
    Population {
        name: "download".to_owned(),
        arrival: Arrival::Closed { people: 1, reading_time: Duration::ZERO },
        operation: Operation { parts: 1, part_bytes: 10 << 20 },
        in_flight: 1,
        deadline: ms(60_000),
        drain: Duration::ZERO,
        goals: Vec::new(),
        media: None,
    }
}

fn response_time(quantile: f64, good: u64, bad: u64, counts: Counts) -> Goal {
    Goal { bound: Bound::ResponseTime { quantile, good: ms(good), bad: ms(bad) }, counts }
}

const fn verdict(bound: Bound) -> Goal {
    Goal { bound, counts: Counts::Verdict }
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}
