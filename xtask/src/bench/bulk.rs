//! Bulk: what a gigabyte costs each side in processor time, and how fast it goes.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::markdown::Table;
use super::peers::{Client, Job, PAIRS, Server};
use super::process::Running;
use super::servers::Serving;
use super::statistics::{median, order, range, ratio};
use super::{Effort, Programs, figure, note};

/// Objects of 1 MiB and 128 KiB, on one connection and on ten.
const CELLS: [(u32, u32); 4] = [(1 << 20, 1), (1 << 20, 10), (128 << 10, 1), (128 << 10, 10)];

/// All rounds of one client against one server in one cell.
#[derive(Clone, Debug, Default)]
struct Series {
    gbps: Vec<f64>,
    client_cpu: Vec<f64>,
    server_cpu: Vec<f64>,
    client_memory: Vec<f64>,
}

/// What came of the whole comparison.
pub(crate) struct Bulk {
    /// In the order of [`CELLS`], then of [`PAIRS`]; `None` where a program is missing.
    series: Vec<Vec<Option<Series>>>,
    /// Peak memory of each server over all of it, in bytes.
    server_memory: Vec<(Server, Option<u64>)>,
}

/// Runs every pair in every cell, several rounds, the pairs taking turns.
pub(crate) fn run(programs: &Programs, effort: &Effort) -> Result<Bulk> {
    let sizes: Vec<u32> = CELLS.iter().map(|(bytes, _)| *bytes).collect();
    let mut servers = Vec::new();
    for kind in Server::ALL {
        if let Some(program) = programs.server(kind) {
            servers.push(Serving::start(kind, program, &sizes)?);
        }
    }
    let contestants: Vec<Option<(Client, &PathBuf, &Serving)>> = PAIRS
        .iter()
        .map(|(client, server)| {
            let serving = servers.iter().find(|serving| serving.kind == *server)?;
            Some((*client, programs.client(*client)?, serving))
        })
        .collect();

    let mut series = vec![vec![None; PAIRS.len()]; CELLS.len()];
    for (cell, (object_bytes, connections)) in CELLS.into_iter().enumerate() {
        for round in 0..effort.rounds {
            note(&format!("bulk: {}, round {} of {}", cell_name(cell), round + 1, effort.rounds));
            for i in order(PAIRS.len(), round) {
                let Some((client, program, serving)) = contestants[i] else { continue };
                let job = Job { port: serving.port, object_bytes, connections, seconds: effort.bulk_seconds };
                let series = series[cell][i].get_or_insert_with(Series::default);
                one(client, program, serving, &job, series)
                    .with_context(|| format!("{} from {}, {}", client.name(), serving.kind.name(), cell_name(cell)))?;
            }
        }
    }
    let server_memory = servers.iter().map(|serving| (serving.kind, serving.process.peak_memory())).collect();
    Ok(Bulk { series, server_memory })
}

fn one(client: Client, program: &Path, serving: &Serving, job: &Job, series: &mut Series) -> Result<()> {
    let server_before = serving.process.cpu()?;
    let finished = Running::start(client.command(program, job, serving.kind))?.finish(job.limit())?;
    let server_cpu = serving.process.cpu()?.saturating_sub(server_before);
    let transfer = client.transfer(&finished.printed, job)?;
    let gigabytes = transfer.bytes / 1e9;
    series.gbps.push(transfer.gbps());
    series.client_cpu.push(finished.cpu.as_secs_f64() / gigabytes);
    series.server_cpu.push(server_cpu.as_secs_f64() / gigabytes);
    series.client_memory.extend(finished.peak_memory.map(mebibytes));
    Ok(())
}

impl Bulk {
    pub(crate) fn markdown(&self) -> String {
        let mut text = String::new();
        for cell in 0..CELLS.len() {
            text += &format!("### {}\n\n{}\n", cell_name(cell), self.table(cell).render());
        }
        text += &format!("### Against the best peer\n\n{}\n", self.ratios().render());
        text + &format!("### Memory in bulk\n\n{}", self.memory().render())
    }

    fn table(&self, cell: usize) -> Table {
        let mut table = Table::new([
            "client ← server",
            "goodput, Gbps",
            "least–most",
            "client CPU s/GB",
            "server CPU s/GB",
            "client MiB",
        ]);
        for ((client, server), series) in PAIRS.iter().zip(&self.series[cell]) {
            let name = format!("{} ← {}", client.name(), server.name());
            let Some(series) = series else {
                let missing = std::iter::repeat_n("missing".to_owned(), 5);
                table.row(std::iter::once(name).chain(missing).collect());
                continue;
            };
            let spread = range(&series.gbps).map_or_else(|| "–".to_owned(), |(a, b)| format!("{a:.1}–{b:.1}"));
            table.row(vec![
                name,
                figure(median(&series.gbps), 2),
                spread,
                figure(median(&series.client_cpu), 4),
                figure(median(&series.server_cpu), 4),
                figure(median(&series.client_memory), 1),
            ]);
        }
        table
    }

    /// Our client and server together against the best peer anywhere in the same cell, and our server against nginx
    /// under the same client.
    fn ratios(&self) -> Table {
        let mut table = Table::new([
            "ratio of medians",
            "goodput to the best peer's",
            "client CPU to the best peer's",
            "client CPU to the best HTTP peer's",
            "server CPU to nginx's, under wrk",
        ]);
        for (cell, pairs) in self.series.iter().enumerate() {
            let of = |wanted: fn(Client, Server) -> bool, value: fn(&Series) -> Option<f64>| -> Vec<f64> {
                let chosen = PAIRS.iter().zip(pairs).filter(|((client, server), _)| wanted(*client, *server));
                chosen.filter_map(|(_, series)| value(series.as_ref()?)).collect()
            };
            let ours = |client, server| (client, server) == (Client::Netburn, Server::Netburn);
            let peer = |client, _| client != Client::Netburn;
            let http = |client, _| client != Client::Netburn && client != Client::Iperf3;
            let first = |values: &[f64]| values.first().copied();
            let least = |values: &[f64]| range(values).map(|(least, _)| least);
            let most = |values: &[f64]| range(values).map(|(_, most)| most);
            let gbps = |series: &Series| median(&series.gbps);
            let cpu = |series: &Series| median(&series.client_cpu);
            let server_cpu = |series: &Series| median(&series.server_cpu);
            let our_cpu = first(&of(ours, cpu));
            let under_wrk = |wanted| first(&of(wanted, server_cpu));
            table.row(vec![
                cell_name(cell),
                figure(ratio(first(&of(ours, gbps)), most(&of(peer, gbps))), 2),
                figure(ratio(our_cpu, least(&of(peer, cpu))), 2),
                figure(ratio(our_cpu, least(&of(http, cpu))), 2),
                figure(
                    ratio(
                        under_wrk(|client, server| (client, server) == (Client::Wrk, Server::Netburn)),
                        under_wrk(|client, server| (client, server) == (Client::Wrk, Server::Nginx)),
                    ),
                    2,
                ),
            ]);
        }
        table
    }

    fn memory(&self) -> Table {
        let mut table = Table::new(["server", "peak MiB"]);
        for (server, bytes) in &self.server_memory {
            table.row(vec![server.name().to_owned(), figure(bytes.map(mebibytes), 1)]);
        }
        table
    }
}

fn cell_name(cell: usize) -> String {
    let (bytes, connections) = CELLS[cell];
    let size = if bytes >= 1 << 20 { format!("{} MiB", bytes >> 20) } else { format!("{} KiB", bytes >> 10) };
    let connections = if connections == 1 { "1 connection".to_owned() } else { format!("{connections} connections") };
    format!("{size}, {connections}")
}

#[expect(clippy::cast_precision_loss, reason = "a size that is printed with one decimal")]
fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(gbps: f64, client_cpu: f64, server_cpu: f64) -> Option<Series> {
        Some(Series {
            gbps: vec![gbps],
            client_cpu: vec![client_cpu],
            server_cpu: vec![server_cpu],
            client_memory: vec![],
        })
    }

    #[test]
    fn ratios_are_against_the_best_of_the_peers_and_missing_ones_are_named() {
        // In the order of PAIRS; oha is missing. Best goodput of a peer 40 (iperf3), least client CPU 0.05 (iperf3),
        // least of an HTTP peer 0.08 (ab from nginx); under wrk our server takes 0.2 and nginx 0.1.
        let pairs = vec![
            series(20.0, 0.02, 0.3),
            series(10.0, 0.10, 0.2),
            series(11.0, 0.09, 0.2),
            None,
            series(90.0, 0.01, 0.1),
            series(12.0, 0.11, 0.1),
            series(13.0, 0.08, 0.1),
            None,
            series(40.0, 0.05, 0.1),
        ];
        let bulk = Bulk { series: vec![pairs; CELLS.len()], server_memory: vec![(Server::Nginx, Some(3 << 19))] };
        let text = bulk.markdown();
        let cells = |line: &str| line.split('|').map(str::trim).map(str::to_owned).collect::<Vec<_>>();
        let ratios = text.lines().skip_while(|line| !line.starts_with("| ratio")).nth(2).map(cells).unwrap();
        // 20/40, 0.02/0.05, 0.02/0.08, 0.2/0.1
        assert_eq!(ratios[1..6], ["1 MiB, 1 connection", "0.50", "0.40", "0.25", "2.00"]);
        let missing = text.lines().find(|line| line.starts_with("| oha ← nginx")).map(cells).unwrap();
        assert_eq!(missing[2..7], ["missing"; 5]);
        assert!(text.contains("| nginx  |      1.5 |"), "{text}");
    }
}
