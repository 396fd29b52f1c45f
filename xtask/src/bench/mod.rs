//! `cargo xtask bench`: our client and server beside wrk, ab, oha and iperf3, and our controller with its agents, on this
//! machine, in one run.
//!
//! Everything stays on 127.0.0.1, and every run of a program is bounded in time. A program that is missing is named
//! as missing in the tables.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};

mod bulk;
mod fleet;
mod flows;
mod fold;
mod lateness;
mod machine;
mod markdown;
mod network;
mod ours;
mod peers;
mod process;
mod servers;
pub(crate) mod spin;
mod statistics;
mod transfer;

pub(crate) use ours::netburn_for_tests;
use peers::{Client, Server};

/// What to measure, and where to write it.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// One short round of everything: shows that it works, not how fast.
    #[arg(long)]
    quick: bool,
    /// Measure this part alone; may be given several times.
    #[arg(long, value_enum)]
    only: Vec<Part>,
    /// Put the tables into this Markdown file too, between its markers.
    #[arg(long, value_name = "FILE")]
    write: Option<PathBuf>,
    /// A folder to look in first for peers, such as the one of `cargo install oha --locked --root target/peers`.
    #[arg(long, value_name = "FOLDER", default_value = "target/peers/bin")]
    peers: Vec<PathBuf>,
}

/// A part of the comparison, which is a section of the page as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Processor time per gigabyte, goodput and memory.
    Bulk,
    /// How late operations start.
    Lateness,
    /// How many calls one core carries.
    Flows,
    /// What a controller costs with 10, 50 and 200 agents.
    Fleet,
    /// What it takes to make the report of ten million operations again.
    Fold,
}

impl Part {
    const ALL: [Self; 5] = [Self::Bulk, Self::Lateness, Self::Flows, Self::Fleet, Self::Fold];

    const fn name(self) -> &'static str {
        match self {
            Self::Bulk => "bulk",
            Self::Lateness => "lateness",
            Self::Flows => "flows",
            Self::Fleet => "fleet",
            Self::Fold => "fold",
        }
    }
}

/// How long and how often.
pub(crate) struct Effort {
    pub(crate) rounds: usize,
    pub(crate) bulk_seconds: u32,
    pub(crate) lateness_seconds: u32,
    pub(crate) fleet_rounds: usize,
    pub(crate) fleet_seconds: u32,
    fold_rounds: usize,
    fold: [fold::Made; 3],
}

impl Effort {
    const FULL: Self = Self {
        rounds: 5,
        bulk_seconds: 3,
        lateness_seconds: 10,
        fleet_rounds: 3,
        fleet_seconds: 15,
        fold_rounds: 3,
        fold: fold::Made::FULL,
    };
    const QUICK: Self = Self {
        rounds: 1,
        bulk_seconds: 1,
        lateness_seconds: 2,
        fleet_rounds: 1,
        fleet_seconds: 15,
        fold_rounds: 1,
        fold: fold::Made::QUICK,
    };
}

/// Where the programs are that were found.
pub(crate) struct Programs {
    pub(crate) ours: ours::Ours,
    clients: Vec<(Client, Option<PathBuf>)>,
    servers: Vec<(Server, Option<PathBuf>)>,
}

impl Programs {
    fn find(netburn: PathBuf, folders: &[PathBuf]) -> Result<Self> {
        let ours = ours::Ours::build(netburn)?;
        let peer = |name| peers::find(name, folders);
        let clients =
            [Client::Wrk, Client::Ab, Client::Oha, Client::Iperf3].map(|client| (client, peer(client.name())));
        let servers = [Server::Nginx, Server::Iperf3].map(|server| (server, peer(server.name())));
        let mut clients = clients.to_vec();
        clients.push((Client::Netburn, Some(ours.bulk.clone())));
        let mut servers = servers.to_vec();
        servers.push((Server::Netburn, Some(ours.netburn.clone())));
        Ok(Self { ours, clients, servers })
    }

    fn client(&self, wanted: Client) -> Option<&PathBuf> {
        self.clients.iter().find(|(client, _)| *client == wanted)?.1.as_ref()
    }

    fn server(&self, wanted: Server) -> Option<&PathBuf> {
        self.servers.iter().find(|(server, _)| *server == wanted)?.1.as_ref()
    }
}

/// Measures, prints the tables, and writes them where that was asked for.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let effort = if arguments.quick { Effort::QUICK } else { Effort::FULL };
    // Found out now, not after half an hour.
    if let Some(page) = &arguments.write {
        let text = std::fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
        for name in Part::ALL.map(Part::name) {
            markdown::replace_section(&text, name, "")?;
        }
    }
    let chosen = |part: &Part| arguments.only.is_empty() || arguments.only.contains(part);
    let parts: Vec<Part> = Part::ALL.into_iter().filter(chosen).collect();
    let netburn = ours::netburn_for_release()?;
    // The fleet and the fold need neither the peers nor what drives our client beside them.
    let programs = if parts.iter().all(|part| matches!(part, Part::Fleet | Part::Fold)) {
        None
    } else {
        Some(Programs::find(netburn.clone(), &arguments.peers)?)
    };
    // After the build, which may want the machine's network.
    let network = network::enter_own();
    for part in parts {
        let how = format!(
            "{}- network: {network}; congestion control: {}\n- command: `cargo xtask bench{}`; medians of {} rounds\n\n",
            machine::describe(),
            network::congestion_control(),
            if arguments.quick { " --quick" } else { "" },
            match part {
                Part::Fleet => effort.fleet_rounds,
                Part::Fold => effort.fold_rounds,
                Part::Bulk | Part::Lateness | Part::Flows => effort.rounds,
            }
        );
        let tables = match (part, &programs) {
            (Part::Bulk, Some(programs)) => bulk::run(programs, &effort)?.markdown(),
            (Part::Lateness, Some(programs)) => lateness::run(programs, &effort)?.markdown(),
            (Part::Flows, Some(programs)) => flows::run(programs, &effort)?,
            (Part::Fleet, _) => fleet::run(&netburn, &effort)?,
            (Part::Fold, _) => fold::run(&netburn, &effort)?,
            (_, None) => bail!("'{}' was measured without its programs", part.name()),
        };
        let section = format!("{how}{tables}");
        writeln!(std::io::stdout(), "\n## {}\n\n{section}", part.name()).context("cannot write to standard output")?;
        // After each part, so that a fault in a later one does not cost the earlier ones.
        if let Some(page) = &arguments.write {
            let text = std::fs::read_to_string(page).with_context(|| format!("cannot read {}", page.display()))?;
            let text = markdown::replace_section(&text, part.name(), &section)?;
            std::fs::write(page, text).with_context(|| format!("cannot write {}", page.display()))?;
        }
    }
    Ok(())
}

/// A figure with so many decimals, or a dash where there is none.
fn figure(value: Option<f64>, decimals: usize) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.decimals$}"))
}

/// Says on standard error how far it is.
fn note(text: &str) {
    // Progress that cannot be shown is no reason to stop.
    let _ = writeln!(std::io::stderr(), "bench: {text}");
}
