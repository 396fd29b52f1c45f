//! What a person may type for a run.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use burn_model::units::parse_duration;
use clap::Args;

use super::Show;
use super::devices::listen_address;

/// `netburn demo`.
#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// How long each of the two set-ups is judged [default: 50s]
    #[arg(long = "for", value_name = "TIME", value_parser = parse_duration)]
    pub(crate) duration: Option<Duration>,
    /// Folder for the run files [default: ~/.local/state/netburn/runs]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Run the four clients over loopback, where the machine grants no network namespaces; nothing is shaped then
    #[arg(long)]
    pub(crate) no_lab: bool,
    /// How to show it.
    #[command(flatten)]
    pub(crate) show: Show,
}

/// `netburn run`.
#[derive(Debug, Args)]
pub(crate) struct Run {
    /// The scenario: who takes part, doing what (docs/SCENARIOS.md)
    #[arg(value_name = "SCENARIO.toml")]
    pub(crate) scenario: PathBuf,
    /// Folder for the run file [default: ~/.local/state/netburn/runs]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Judge for this long instead of what the scenario says
    #[arg(long = "for", value_name = "TIME", value_parser = parse_duration)]
    pub(crate) duration: Option<Duration>,
    /// Use this seed instead of the scenario's
    #[arg(long)]
    pub(crate) seed: Option<u64>,
    /// Write every single operation to the run file too
    #[arg(long)]
    pub(crate) keep_operations: bool,
    /// First measure each client alone for 10 s, then all together, and say whether each keeps a fair share of what it
    /// had alone
    #[arg(long)]
    pub(crate) solo_first: bool,
    /// Copy nothing to a device where netburn is missing or another version: say so instead
    #[arg(long)]
    pub(crate) no_push: bool,
    /// Start without devices that have not joined by themselves after this time; otherwise the run waits 10 min for
    /// all of them
    #[arg(long, value_name = "TIME", value_parser = parse_duration, num_args = 0..=1, require_equals = true, default_missing_value = "60s")]
    pub(crate) start_anyway: Option<Duration>,
    /// Where devices join by themselves, where the server is not started by this run: port 4041 of all addresses, or any
    /// free one, unless said here
    #[arg(long, value_name = "ADDR:PORT", value_parser = listen_address)]
    pub(crate) lobby: Option<SocketAddr>,
    /// Run this other set-up too, in turns with the first, and hold it against it
    #[arg(long, value_name = "SCENARIO.toml")]
    pub(crate) vs: Option<PathBuf>,
    /// With --vs: how many runs of each
    #[arg(long, value_name = "N", default_value_t = 6, requires = "vs", value_parser = clap::value_parser!(u32).range(1..=32))]
    pub(crate) rounds: u32,
    /// With --vs: wait for somebody to change the set-up, wherever it changes
    #[arg(long, requires = "vs")]
    pub(crate) pause: bool,
    /// How to show it.
    #[command(flatten)]
    pub(crate) show: Show,
}

/// `netburn client`.
#[derive(Debug, Args)]
pub(crate) struct Client {
    /// A running `netburn serve`
    #[arg(long, value_name = "http://HOST:PORT", required_unless_present = "url", conflicts_with = "url")]
    pub(crate) server: Option<String>,
    /// Any web server: fetch this one URL as every object (nothing proves then who answers)
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    /// What to run, of `netburn workloads`: one, or several like browsing,voip
    #[arg(long, value_name = "NAME", value_delimiter = ',', required = true)]
    pub(crate) run: Vec<String>,
    /// How long it is judged
    #[arg(long = "for", value_name = "TIME", value_parser = parse_duration, default_value = "20s")]
    pub(crate) duration: Duration,
    /// All randomness of the run comes from here
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Folder for the run file [default: ~/.local/state/netburn/runs]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How to show it.
    #[command(flatten)]
    pub(crate) show: Show,
}
