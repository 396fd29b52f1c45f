//! Driver lateness: how long after its moment an operation is sent, with the machine idle and with a core kept busy.
//!
//! Beside ours stands the kernel's own timer, asked in the same way by a process that does nothing else: what a
//! program that sleeps can reach on this machine at this hour.

use std::time::Duration;

use anyhow::{Context, Result};

use super::markdown::Table;
use super::ours::{self, Load};
use super::peers::Server;
use super::process::Running;
use super::servers::Serving;
use super::statistics::{median, range};
use super::{Effort, Programs, figure, note, spin};

const RATES: [u32; 3] = [50, 1_000, 10_000];
/// Bytes of an operation: a call's.
const OBJECT_BYTES: u32 = 2_500;

/// One run's lateness, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lateness {
    pub(crate) p50_us: f64,
    pub(crate) p99_us: f64,
    pub(crate) max_us: f64,
    /// Operations that failed or were not sent, and so stand in none of the above.
    pub(crate) lost: f64,
}

impl Lateness {
    /// Of single values; `None` of none.
    pub(crate) fn of(values: &[Duration]) -> Option<Self> {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        // Nearest rank: the least value that at least so many percent do not exceed.
        let at = |percent: usize| {
            let rank = (sorted.len() * percent).div_ceil(100).max(1);
            Some(sorted.get(rank - 1)?.as_secs_f64() * 1e6)
        };
        Some(Self { p50_us: at(50)?, p99_us: at(99)?, max_us: at(100)?, lost: 0.0 })
    }
}

/// Who is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Netburn,
    KernelTimer,
}

/// All rounds of one cell.
struct Series {
    per_second: u32,
    busy: bool,
    who: Who,
    rounds: Vec<Lateness>,
}

/// What came of it.
pub(crate) struct Report {
    series: Vec<Series>,
    client_memory: Option<u64>,
}

/// Runs both at each rate, idle and busy, several rounds, taking turns.
pub(crate) fn run(programs: &Programs, effort: &Effort) -> Result<Report> {
    let server = Serving::start(Server::Netburn, &programs.ours.netburn, &[OBJECT_BYTES])?;
    let time = Duration::from_secs(u64::from(effort.lateness_seconds));
    let mut report = Report { series: Vec::new(), client_memory: None };
    for busy in [false, true] {
        for per_second in RATES {
            let mut both =
                [Who::Netburn, Who::KernelTimer].map(|who| Series { per_second, busy, who, rounds: Vec::new() });
            for round in 0..effort.rounds {
                note(&format!("lateness: {per_second}/s, {}, round {} of {}", state(busy), round + 1, effort.rounds));
                // Ends by itself too, should we be killed.
                let spinning = busy.then(|| Running::start(spin::busy_command((time + LIMIT) * 2)?)).transpose()?;
                for series in &mut both {
                    let load = Load { flows: 1, per_second, object_bytes: OBJECT_BYTES, time };
                    series.rounds.push(one(programs, &server, series.who, &load, &mut report.client_memory)?);
                }
                drop(spinning);
            }
            report.series.extend(both);
        }
    }
    Ok(report)
}

/// What a client may take beyond its time.
pub(crate) const LIMIT: Duration = Duration::from_secs(20);

fn one(programs: &Programs, server: &Serving, who: Who, load: &Load, memory: &mut Option<u64>) -> Result<Lateness> {
    match who {
        Who::Netburn => {
            let command = ours::lateness_command(&programs.ours.lateness, server.port, load);
            let finished = Running::start(command)?.finish(load.time + LIMIT)?;
            *memory = (*memory).max(finished.peak_memory);
            ours::lateness(&finished.printed)
        }
        Who::KernelTimer => {
            let finished =
                Running::start(spin::ticks_command(load.per_second, load.time)?)?.finish(load.time + LIMIT)?;
            let nanos = finished.printed.lines().map(str::parse::<u64>).collect::<Result<Vec<_>, _>>();
            let late: Vec<Duration> =
                nanos.context("ticks printed no numbers")?.into_iter().map(Duration::from_nanos).collect();
            Lateness::of(&late).context("no tick in that time")
        }
    }
}

impl Report {
    pub(crate) fn markdown(&self) -> String {
        let mut table = Table::new(["operations/s", "machine", "who", "p50, µs", "p99, µs", "max, µs", "lost"]);
        for Series { per_second, busy, who, rounds } in &self.series {
            let of = |value: fn(&Lateness) -> f64| rounds.iter().map(value).collect::<Vec<f64>>();
            let who = match who {
                Who::Netburn => "netburn",
                Who::KernelTimer => "kernel timer alone",
            };
            table.row(vec![
                per_second.to_string(),
                state(*busy).to_owned(),
                who.to_owned(),
                figure(median(&of(|one| one.p50_us)), 0),
                figure(median(&of(|one| one.p99_us)), 0),
                figure(range(&of(|one| one.max_us)).map(|(_, most)| most), 0),
                figure(range(&of(|one| one.lost)).map(|(_, most)| most), 0),
            ]);
        }
        let memory = self.client_memory.map(|bytes| format!("{} KiB", bytes / 1024));
        format!(
            "{}\np50 and p99 are medians over the rounds, max and lost (failed or not sent) are the greatest of any round. The client's memory at its peak: {}.\n",
            table.render(),
            memory.as_deref().unwrap_or("not seen")
        )
    }
}

const fn state(busy: bool) -> &'static str {
    if busy { "one core busy" } else { "idle" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_by_nearest_rank() {
        // 1 … 200 µs: rank ⌈200 × 0.50⌉ = 100, ⌈200 × 0.99⌉ = 198, the last 200.
        let values: Vec<Duration> = (1..=200).rev().map(Duration::from_micros).collect();
        let Lateness { p50_us, p99_us, max_us, .. } = Lateness::of(&values).unwrap();
        for (got, expected) in [(p50_us, 100.0), (p99_us, 198.0), (max_us, 200.0)] {
            assert!((got - expected).abs() < 1e-6, "{got} {expected}");
        }
        assert_eq!(Lateness::of(&[]), None);
        let one = Lateness::of(&[Duration::from_micros(7)]).unwrap();
        assert!((one.p99_us - one.p50_us).abs() < 1e-9);
    }

    #[test]
    fn the_table_shows_medians_and_the_greatest_maximum() {
        let round = |p50_us, max_us| Lateness { p50_us, p99_us: p50_us * 2.0, max_us, lost: 0.0 };
        let rounds = vec![round(40.0, 900.0), round(60.0, 100.0), round(41.0, 200.0)];
        let series = vec![Series { per_second: 50, busy: true, who: Who::Netburn, rounds }];
        let text = Report { series, client_memory: Some(8 << 20) }.markdown();
        let row: Vec<_> = text.lines().nth(2).unwrap().split('|').map(str::trim).collect();
        assert_eq!(row[1..8], ["50", "one core busy", "netburn", "41", "82", "900", "0"]);
        assert!(text.contains("8192 KiB"), "{text}");
    }
}
