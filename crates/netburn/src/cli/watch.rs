//! What a person may type for a watch.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use burn_model::units::parse_duration;
use clap::Args;

/// `netburn watch`.
#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Watch {
    /// The scenario: a light one (docs/SCENARIOS.md). It is read anew for each run
    #[arg(value_name = "SCENARIO.toml")]
    pub(crate) scenario: PathBuf,
    /// How often it is run; at least as long as a run takes, and a second
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) every: Duration,
    /// How long after a run that saw a change the confirming one is made
    #[arg(long, value_name = "TIME", value_parser = parse_duration, default_value = "1m")]
    pub(crate) confirm_after: Duration,
    /// Judge for this long instead of what the scenario says
    #[arg(long = "for", value_name = "TIME", value_parser = parse_duration)]
    pub(crate) duration: Option<Duration>,
    /// Take marginal as bad
    #[arg(long)]
    pub(crate) strict: bool,
    /// Serve figures for Prometheus at http://ADDR:PORT/metrics; 127.0.0.1 keeps strangers out
    #[arg(long, value_name = "ADDR:PORT")]
    pub(crate) metrics: Option<SocketAddr>,
    /// Run this program when a verdict has changed and a second run has confirmed it; the alarm is on its stdin
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) on_change: Option<OsString>,
    /// An argument for that program; say it once for each. No shell reads them
    #[arg(long, value_name = "ARG", requires = "on_change", allow_hyphen_values = true)]
    pub(crate) on_change_arg: Vec<OsString>,
    /// Send the alarm as JSON to this http:// or https:// URL too; @FILE reads the URL from a file
    #[arg(long, value_name = "URL")]
    pub(crate) post: Option<String>,
    /// Folder for the run files and for what the watch knows [default: ~/.local/state/netburn/runs]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Remove run files of this watch that are older, like 90d; without it all are kept
    #[arg(long, value_name = "TIME", value_parser = parse_age)]
    pub(crate) keep: Option<Duration>,
    /// Remove run files of this watch beyond the newest so many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) keep_runs: Option<u32>,
    /// Copy nothing to a device where netburn is missing or another version
    #[arg(long)]
    pub(crate) no_push: bool,
}

const EXIT_CODES: &str = "Exit codes: 0 ended by Ctrl-C, SIGTERM or the terminal's closing, 2 usage, 4 could not begin. \
                          What its runs find does not end it.";

/// A duration that may be in days, `90d`, or in anything that other durations are in.
fn parse_age(text: &str) -> Result<Duration, String> {
    let days = text.trim().strip_suffix('d').map(str::trim_end).and_then(|days| days.parse::<u64>().ok());
    match days.map(|days| days.checked_mul(86_400)) {
        Some(Some(seconds)) => Ok(Duration::from_secs(seconds)),
        Some(None) => Err("that is longer than time".to_owned()),
        None => parse_duration(text).map_err(|error| format!("{error}, or whole days like 90d")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_may_be_in_days() {
        assert_eq!(parse_age("90d"), Ok(Duration::from_secs(7_776_000)));
        assert_eq!(parse_age("2 d"), Ok(Duration::from_secs(172_800)));
        assert_eq!(parse_age("12h"), Ok(Duration::from_secs(43_200)));
        assert!(parse_age("99999999999999999999d").is_err());
        assert!(parse_age("18446744073709551615d").is_err());
        assert!(parse_age("90").unwrap_err().contains("90d"));
    }
}
