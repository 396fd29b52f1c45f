//! What a person may type about devices: to take part, to serve, to look at them.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use burn_model::units::{ByteSize, parse_duration};
use clap::{Args, Subcommand};

use crate::fleet::address::JoinLink;

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
pub(super) fn listen_address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| "write it like [::]:4040 (all addresses), 0.0.0.0:4040 or 192.168.1.10:4040".to_owned())
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
