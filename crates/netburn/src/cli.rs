//! The command line: what a person may type, and nothing of what it does.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use burn_model::units::{ByteSize, parse_duration};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::fleet::address::JoinLink;

use crate::facts::VERSION_LINE;

/// Is the network good enough for everybody who uses it at once, and if not, what is to blame?
#[derive(Debug, Parser)]
#[command(name = "netburn", version = version(), about, max_term_width = 80, arg_required_else_help = true)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Command,
    /// When to use colour.
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorChoice,
}

/// What `--version` prints after the name.
fn version() -> &'static str {
    VERSION_LINE.strip_prefix("netburn ").unwrap_or(&VERSION_LINE)
}

const EXIT_CODES: &str = "Exit codes: 0 pass or marginal (with --strict, marginal is 1), 1 fail, 2 usage, \
                          3 inconclusive, 4 could not run or could not keep the record.";

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set or TERM is dumb.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show it on this machine: four clients on an emulated access point, with the big download on the same
    /// radio, then on the other one
    Demo(Demo),
    /// Run a scenario and judge it
    Run(Run),
    /// Take part in somebody's run with this device, by the link that their netburn shows
    Join(Join),
    /// Serve clients on a real network, until Ctrl-C
    Serve(Serve),
    /// Measure from this device alone, against a running server or any web server
    Client(Client),
    /// Show a run again from its file
    Report(Report),
    /// Hold runs of two set-ups against each other
    Compare(Compare),
    /// Say whether a scenario is right, without running it
    Check(Check),
    /// The devices of a scenario, without a run
    Fleet(Fleet),
    /// What this device's Wi-Fi is connected to, and what its access point offers
    Wifi(Wifi),
    /// List the workloads that are shipped, with their goals
    Workloads(Workloads),
    /// Do one client's part of a run; a controller starts this
    #[command(hide = true)]
    Agent(Agent),
}

/// How a result is shown, wherever there is one.
#[derive(Clone, Debug, Args)]
pub(crate) struct Show {
    /// Print one JSON document instead of text, also on failure
    #[arg(long, short = 'J')]
    pub(crate) json: bool,
    /// Exit with 1 also where the verdict is marginal
    #[arg(long)]
    pub(crate) strict: bool,
    /// No progress, no notes: only the result
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

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
    /// How to show it.
    #[command(flatten)]
    pub(crate) show: Show,
}

/// `netburn join`.
#[derive(Debug, Args)]
#[command(after_help = "Exit codes: 0 this device has done its part, 2 the link is wrong, 4 it could not join, \
                        lost the controller, or was told to leave (Ctrl-C) before the run was over.")]
pub(crate) struct Join {
    /// The link: https://HOST:PORT/j/CODE.FINGERPRINT
    #[arg(value_name = "LINK")]
    pub(crate) link: JoinLink,
    /// As which device of the scenario; the code says it already, and is refused for another
    #[arg(long = "as", value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Only errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// `netburn serve`.
#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Where to listen; port 0 takes any free one
    #[arg(long, value_name = "ADDR:PORT", default_value = "[::]:4040", value_parser = listen_address)]
    pub(crate) listen: SocketAddr,
    /// The most bytes of one reply
    #[arg(long, value_name = "SIZE", value_parser = str::parse::<ByteSize>)]
    pub(crate) max_reply: Option<ByteSize>,
    /// The most connections at once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) max_connections: Option<u32>,
    /// TCP congestion control to send with, instead of the system's
    #[arg(long, value_name = "NAME")]
    pub(crate) congestion: Option<String>,
    /// End when stdin is closed: for a controller that must not leave a server behind
    #[arg(long, hide = true)]
    pub(crate) until_stdin_closes: bool,
    /// Stdin is a Unix-domain socket: connections that begin with TLS go there
    #[arg(long, hide = true, requires = "until_stdin_closes")]
    pub(crate) door: bool,
    /// Only errors
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// An address of this machine with a port; names are not taken, for one may have several addresses.
fn listen_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "write it like [::]:4040 (all addresses), 0.0.0.0:4040 or 192.168.1.10:4040".to_owned())
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

/// `netburn report`.
#[derive(Debug, Args)]
pub(crate) struct Report {
    /// A run file
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// One JSON document
    #[arg(long, short = 'J', group = "format")]
    pub(crate) json: bool,
    /// One row per application
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
    /// Text, as the run printed it (the default)
    #[arg(long, group = "format")]
    pub(crate) text: bool,
    /// Exit with 1 also where the verdict is marginal
    #[arg(long)]
    pub(crate) strict: bool,
}

/// `netburn compare`.
#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// Run files of the first set-up
    #[arg(value_name = "RUN", required = true)]
    pub(crate) first: Vec<PathBuf>,
    /// Run files of the set-up that is held against it
    #[arg(long, value_name = "RUN", required = true, num_args = 1..)]
    pub(crate) vs: Vec<PathBuf>,
    /// One JSON document
    #[arg(long, short = 'J')]
    pub(crate) json: bool,
}

/// `netburn check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The scenario
    #[arg(value_name = "SCENARIO.toml")]
    pub(crate) scenario: PathBuf,
}

/// `netburn wifi`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
#[command(after_help = "It never scans and needs no privilege. Exit codes: 0 told (also where nothing is connected), \
                        2 there is no such interface, 4 there is no Wi-Fi, or it could not be asked.")]
pub(crate) struct Wifi {
    /// Something else about Wi-Fi.
    #[command(subcommand)]
    pub(crate) topic: Option<WifiTopic>,
    /// Only this interface [default: all that are Wi-Fi]
    #[arg(long, value_name = "NAME")]
    pub(crate) interface: Option<String>,
    /// Print one JSON document instead of text, also on failure
    #[arg(long, short = 'J')]
    pub(crate) json: bool,
}

/// What may be asked about Wi-Fi beside this device's own.
#[derive(Debug, Subcommand)]
pub(crate) enum WifiTopic {
    /// What a router's label, such as AC1900 or AX3000, most likely means, and why it says little
    Explain {
        /// The label, as it is on the box
        #[arg(value_name = "LABEL")]
        label: String,
    },
}

/// `netburn fleet`.
#[derive(Debug, Args)]
pub(crate) struct Fleet {
    /// What to do with them.
    #[command(subcommand)]
    pub(crate) command: FleetCommand,
}

/// What to do with the devices of a scenario.
#[derive(Debug, Subcommand)]
pub(crate) enum FleetCommand {
    /// Log in to each, see that this netburn runs there and reaches the server, and say what would spoil a run
    Check(FleetCheck),
}

/// `netburn fleet check`.
#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes: 0 all devices are fit to run, 1 something would spoil a run, 2 usage, 4 nothing could be checked."
)]
pub(crate) struct FleetCheck {
    /// The scenario
    #[arg(value_name = "SCENARIO.toml")]
    pub(crate) scenario: PathBuf,
    /// Print one JSON document instead of a table
    #[arg(long, short = 'J')]
    pub(crate) json: bool,
    /// Copy nothing to a device where netburn is missing or another version: say so instead
    #[arg(long)]
    pub(crate) no_push: bool,
    /// Look for the cause where a login takes longer than this [default: 2s]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) slow: Option<Duration>,
    /// No progress: only the result
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// `netburn workloads`.
#[derive(Debug, Args)]
pub(crate) struct Workloads {}

/// `netburn agent`.
#[derive(Debug, Args)]
pub(crate) struct Agent {
    /// Speak framed messages over stdin and stdout
    #[arg(long, required_unless_present = "digest")]
    pub(crate) stdio: bool,
    /// Print the SHA-256 of this very program, for a device that has no other tool to tell it
    #[arg(long, conflicts_with = "stdio")]
    pub(crate) digest: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
