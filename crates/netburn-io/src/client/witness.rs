//! The server's own account of a run, on the run's time line.

use std::time::{Duration, Instant};

use burn_model::clock::Comparison;
use burn_model::record::{RunEvent, ServerUsageRecord, WitnessRecord};
use burn_model::time::Moment;

use crate::protocol::{ApplicationSecond, Label, RunToken, ServerSecond, WITNESS_PATH, Witness};

use super::clock::Clock;
use super::exchange::{Exchange, ExchangeError};
use super::preflight::{PreflightError, greet, proven_body};
use super::request;
use super::target::{RequestKind, Target};

/// Bytes of an account at most.
const MAX_WITNESS: usize = 64 * 1024 * 1024;
/// Greetings that compare the clocks. The one with the least round trip counts.
const GREETINGS: usize = 9;

/// The server's account could not be had.
#[derive(Debug, thiserror::Error)]
pub enum WitnessError {
    /// The server did not answer, or is not the one that served the run.
    #[error(transparent)]
    Server(#[from] PreflightError),
    /// The account cannot be read.
    #[error("the server's account of the run cannot be read: {0}")]
    Unreadable(#[from] serde_json::Error),
}

impl From<ExchangeError> for WitnessError {
    fn from(error: ExchangeError) -> Self {
        Self::Server(error.into())
    }
}

/// Asks the server what it saw of `client`'s applications, as [`RunEvent::Witness`]es on the run's time line, whose
/// [`Moment::START`] is `start`; and, with `include_server`, of itself, as [`RunEvent::ServerUsage`].
///
/// The server's clock is compared with ours by a few greetings: it read what it says somewhere between our asking and
/// its answer, so the middle of the shortest round trip is off by half that round trip at most. What was over
/// before the start is left out.
///
/// Blocks for `timeout` at most.
///
/// # Errors
/// Where the server cannot be reached in time, or does not give an account that can be read.
pub fn fetch_witness(
    target: &Target,
    start: Instant,
    client: u32,
    include_server: bool,
    timeout: Duration,
) -> Result<Vec<RunEvent>, WitnessError> {
    target.check().map_err(PreflightError::from)?;
    let RequestKind::Generated { token } = target.request else { return Err(PreflightError::NotAServer.into()) };
    let mut exchange = Exchange::connect(target.address, timeout)?;
    let line = ServerClock::compare(&mut exchange, target, token, Clock::starting_at(start))?;
    // Only what is asked for is sent: with many clients and long runs the whole account is large.
    let own = Label { client, population: 0 };
    let head = exchange.ask(&request::for_path(target, WITNESS_PATH, token, Some(own)))?;
    let body = proven_body(&mut exchange, &head, target.address, token, MAX_WITNESS)?;
    let witness: Witness = serde_json::from_slice(&body)?;
    drop(body);
    let applications = witness.applications.iter().filter(|row| row.label.client == client);
    let applications = applications.filter_map(|row| line.application(row)).map(|row| RunEvent::Witness(Box::new(row)));
    let server = witness.server.iter().filter(|_| include_server).filter_map(|row| line.server(row));
    Ok(applications.chain(server.map(RunEvent::ServerUsage)).collect())
}

/// The server's clock against the run's time line, which is "ours" here.
#[derive(Clone, Copy, Debug)]
struct ServerClock(Comparison);

impl ServerClock {
    fn compare(
        exchange: &mut Exchange,
        target: &Target,
        token: RunToken,
        clock: Clock,
    ) -> Result<Self, PreflightError> {
        let mut greeting = || -> Result<Comparison, PreflightError> {
            let asked = clock.now().as_nanos();
            let reading = greet(exchange, target, token)?.now_ns;
            Ok(Comparison::of(asked, reading, clock.now().as_nanos()))
        };
        let mut best = greeting()?;
        for _ in 1..GREETINGS {
            best = best.min(greeting()?);
        }
        Ok(Self(best))
    }

    /// The moment at which the server's clock read `reading`; [`Moment::START`] for what was before it.
    const fn moment(self, reading: u64) -> Moment {
        Moment::from_nanos(self.0.here(reading))
    }

    /// Both ends of a row; `None` for one that was over before the start, or ends before it begins.
    fn span(self, from_ns: u64, to_ns: u64) -> Option<(Moment, Moment)> {
        let (from, to) = (self.moment(from_ns), self.moment(to_ns));
        (from < to).then_some((from, to))
    }

    fn application(self, row: &ApplicationSecond) -> Option<WitnessRecord> {
        let (from, to) = self.span(row.from_ns, row.to_ns)?;
        Some(WitnessRecord {
            client: row.label.client,
            population: row.label.population,
            from,
            to,
            uncertainty: self.0.uncertainty,
            replies: row.replies,
            bytes: row.bytes,
            busy: Duration::from_nanos(row.busy_ns),
            rwnd_limited: Duration::from_nanos(row.rwnd_limited_ns.min(row.busy_ns)),
            sndbuf_limited: Duration::from_nanos(row.sndbuf_limited_ns.min(row.busy_ns)),
            connections: row.connections,
        })
    }

    fn server(self, row: &ServerSecond) -> Option<ServerUsageRecord> {
        let (from, to) = self.span(row.from_ns, row.to_ns)?;
        Some(ServerUsageRecord {
            from,
            to,
            busiest_thread_cpu: row.busiest_thread_cpu.clamp(0.0, 1.0),
            machine_cpu: row.machine_cpu.map(|share| share.clamp(0.0, 1.0)),
            longest_pause: Duration::from_nanos(row.longest_pause_ns),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Label;

    /// The server's clock read 70 s when the run was 10 s old: its zero lies 60 s before the run's start.
    const LINE: ServerClock =
        ServerClock(Comparison { offset_ns: 60_000_000_000, uncertainty: Duration::from_micros(50) });

    fn row(from_s: u64, to_s: u64) -> ApplicationSecond {
        ApplicationSecond {
            label: Label { client: 3, population: 1 },
            from_ns: from_s * 1_000_000_000,
            to_ns: to_s * 1_000_000_000,
            replies: 5,
            bytes: 6,
            busy_ns: 7,
            rwnd_limited_ns: 8,
            sndbuf_limited_ns: 4,
            connections: None,
        }
    }

    #[test]
    fn a_row_is_moved_to_the_runs_time_line() {
        // 65 s and 66 s of the server are 5 s and 6 s of the run.
        let record = LINE.application(&row(65, 66)).unwrap();
        assert_eq!((record.from, record.to), (Moment::from_secs(5), Moment::from_secs(6)));
        assert_eq!((record.client, record.population, record.replies, record.bytes), (3, 1, 5, 6));
        assert_eq!(record.uncertainty, Duration::from_micros(50));
        // 72 s is past the comparison: 12 s of the run.
        assert_eq!(LINE.moment(72_000_000_000), Moment::from_secs(12));
    }

    #[test]
    fn a_limit_is_part_of_the_busy_time() {
        let record = LINE.application(&row(65, 66)).unwrap();
        assert_eq!(record.rwnd_limited, Duration::from_nanos(7), "8 of 7 busy ns cannot be");
        assert_eq!(record.sndbuf_limited, Duration::from_nanos(4));
    }

    #[test]
    fn what_was_over_before_the_start_or_ends_before_it_begins_is_left_out() {
        assert_eq!(LINE.application(&row(58, 59)), None);
        assert_eq!(LINE.application(&row(59, 60)), None, "it ended at the very start");
        assert_eq!(
            LINE.application(&row(59, 61)).map(|record| (record.from, record.to)),
            Some((Moment::START, Moment::from_secs(1)))
        );
        assert_eq!(LINE.application(&row(66, 65)), None);
    }
}
