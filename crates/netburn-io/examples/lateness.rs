//! How late the driver acts: `flows` open-loop applications of `rate` operations a second each, against a running server.
//!
//! ```text
//! cargo run --release --example lateness -- --url http://127.0.0.1:8080/netburn/v1/bytes/2500 --bytes 2500 --rate 1000 --seconds 10
//! ```
//!
//! Prints one JSON document. `p50_us`, `p99_us` and `max_us` are of driver lateness (sent less ready); the receive
//! lateness and the service time stand beside it.
#![expect(clippy::print_stdout, reason = "the figures are what the example is for")]

mod shared;

use std::time::Duration;

use burn_model::plan::{Arrival, Rate};
use burn_model::samples::Samples;
use shared::{Arguments, Failure, Sum, population};

fn main() -> Result<(), Failure> {
    let arguments = Arguments::read(&["url", "bytes", "rate", "flows", "seconds"])?;
    let (target, bytes) = arguments.target()?;
    let rate = Rate::per_second(arguments.number("rate", None)?);
    let flows = arguments.number("flows", Some(1))?.max(1);
    let length = Duration::from_secs(arguments.number("seconds", Some(10))?);
    // Spread over one period, as calls are that begin at any moment.
    let period = rate.offset(1);
    let flow = |index: u64| {
        let phase = Duration::from_secs_f64(period.as_secs_f64() * to_f64(index) / to_f64(flows));
        population(index, Arrival::Constant { rate, phase }, bytes, 10_000)
    };
    let sum = Sum::of(&target, (0..flows).map(flow).collect(), length)?;
    let figures = |samples: &Samples| [0.5, 0.99, 1.0].map(|quantile| micros(samples, quantile));
    let [p50, p99, max] = figures(&sum.driver_lateness);
    let [receive_p50, receive_p99, receive_max] = figures(&sum.receive_lateness);
    let [service_p50, service_p99, service_max] = figures(&sum.service_time);
    println!(
        "{}",
        serde_json::json!({
            "p50_us": p50, "p99_us": p99, "max_us": max,
            "receive_p50_us": receive_p50, "receive_p99_us": receive_p99, "receive_max_us": receive_max,
            "service_p50_us": service_p50, "service_p99_us": service_p99, "service_max_us": service_max,
            "completed": sum.completed, "failed": sum.failed, "not_sent": sum.not_sent,
            "cpu_cores": sum.cpu, "resident_bytes": sum.resident_bytes,
        })
    );
    Ok(())
}

/// The least value that at least this share of the samples does not exceed, in microseconds; `None` of none.
fn micros(samples: &Samples, quantile: f64) -> Option<f64> {
    let mut left = to_f64(samples.len()) * quantile;
    let mut found = None;
    for (value, count) in samples.iter() {
        found = Some(value.as_secs_f64() * 1e6);
        left -= to_f64(count);
        if left <= 0.0 {
            break;
        }
    }
    found
}

#[expect(clippy::cast_precision_loss, reason = "counts of a bench are far below 2^53")]
const fn to_f64(count: u64) -> f64 {
    count as f64
}
