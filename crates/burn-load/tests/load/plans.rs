//! Plans for the tests, each valid by the model's own rules.

use std::time::Duration;

use burn_model::plan::{Arrival, ClientPlan, Operation, Plan, Population, Rate};

pub(crate) fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

pub(crate) fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

/// `rate` operations a second, the first one at once.
pub(crate) fn constant(rate: u64) -> Arrival {
    Arrival::Constant { rate: Rate::per_second(rate), phase: Duration::ZERO }
}

/// `people` who read for `reading_time` in the mean.
pub(crate) fn closed(people: u32, reading_time: Duration) -> Arrival {
    Arrival::Closed { people, reading_time }
}

/// Operations of 1000 bytes; 1000 in flight; a deadline of 30 s and a drain of 30 s.
pub(crate) fn population(arrival: Arrival) -> Population {
    let in_flight = if let Arrival::Closed { people, .. } = arrival { people } else { 1000 };
    Population {
        name: "application".into(),
        arrival,
        operation: Operation { parts: 1, part_bytes: 1000 },
        in_flight,
        deadline: secs(30),
        drain: secs(30),
        goals: vec![],
        media: None,
    }
}

/// One client that runs `population` for `duration`, with every operation kept.
pub(crate) fn plan(duration: Duration, population: Population) -> Plan {
    plan_of(duration, vec![population])
}

pub(crate) fn plan_of(duration: Duration, populations: Vec<Population>) -> Plan {
    let plan = Plan {
        name: "test".into(),
        seed: 42,
        warm_up: Duration::ZERO,
        duration,
        keep_operations: true,
        clients: vec![ClientPlan { name: "client".into(), populations }],
    };
    plan.validate().unwrap();
    plan
}
