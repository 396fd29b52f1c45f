//! The command line: what a person may type, and nothing of what it does.

mod devices;
mod drawing;
mod format;
mod history;
mod results;
mod run;
mod scenario;
mod watch;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use devices::{Agent, Fleet, FleetCheck, FleetCommand, Join, Serve, Wifi, WifiTopic};
pub(crate) use drawing::DrawingArgs;
pub(crate) use format::{Format, Rows};
pub(crate) use history::{Folder, Runs, RunsCommand, Trend, Which};
pub(crate) use results::{Compare, Report};
pub(crate) use run::{Client, Demo, Run};
pub(crate) use scenario::{Check, Workloads};
pub(crate) use watch::Watch;

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

/// What `--version` prints after the name: one line, by which two programs on two machines are told apart.
fn version() -> &'static str {
    VERSION_LINE.strip_prefix("netburn ").unwrap_or(&VERSION_LINE)
}

const EXIT_CODES: &str = "Exit codes: 0 pass or marginal (with --strict, marginal is 1), 1 fail, 2 usage, \
                          3 inconclusive, 4 could not run, keep the record or write the result.";

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
    /// The runs that were kept: list, tag, note, remove
    Runs(Runs),
    /// How the verdicts and figures of a scenario moved from run to run
    Trend(Trend),
    /// Run a scenario again and again, and tell somebody when its verdict changes
    Watch(Watch),
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
    /// Write it as a page for a browser too: one file that needs no other and no network
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
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
