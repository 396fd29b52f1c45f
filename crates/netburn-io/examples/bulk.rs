//! How fast and how cheaply the driver takes bulk: `connections` downloads, each one object after the other.
//!
//! ```text
//! cargo run --release --example bulk -- --url http://127.0.0.1:8080/netburn/v1/bytes/1048576 --bytes 1048576 --connections 1 --seconds 5
//! ```
//!
//! Prints one JSON document. What the process as a whole cost is for whoever started it to measure; the driving
//! thread's own share stands in `cpu_cores`.
#![expect(clippy::print_stdout, reason = "the figures are what the example is for")]

mod shared;

use std::time::{Duration, Instant};

use burn_model::plan::Arrival;
use shared::{Arguments, Failure, Sum, population};

fn main() -> Result<(), Failure> {
    let arguments = Arguments::read(&["url", "bytes", "connections", "seconds"])?;
    let (target, bytes) = arguments.target()?;
    let connections = u32::try_from(arguments.number("connections", Some(1))?.max(1))?;
    let length = Duration::from_secs(arguments.number("seconds", Some(5))?);
    let arrival = Arrival::Closed { people: connections, reading_time: Duration::ZERO };
    let before = Instant::now();
    let sum = Sum::of(&target, vec![population(0, arrival, bytes, connections)], length)?;
    let all = before.elapsed();
    println!(
        "{}",
        serde_json::json!({
            // Bytes are counted as they arrive, and none after the end: the plan's length is what they took.
            "bytes": sum.bytes, "seconds": length.as_secs_f64(), "elapsed_seconds": all.as_secs_f64(),
            "completed": sum.completed, "failed": sum.failed, "not_sent": sum.not_sent,
            "cpu_cores": sum.cpu, "resident_bytes": sum.resident_bytes,
        })
    );
    Ok(())
}
