//! What a person may type about the runs that were kept.

use std::ffi::OsString;
use std::path::PathBuf;

use burn_model::judge::Verdict;
use clap::{Args, Subcommand, ValueEnum};
use jiff::Timestamp;

use crate::history::notes::{parse_note, parse_tag};
use crate::history::parse_moment;

/// `netburn runs`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
#[command(after_help = "Wherever a run is asked for, it may be its file, 'last', 'last~2', the first digits of its \
                        id, or its file's name in the folder. More: docs/HISTORY.md.")]
pub(crate) struct Runs {
    /// Something else with them.
    #[command(subcommand)]
    pub(crate) command: Option<RunsCommand>,
    /// Which of them.
    #[command(flatten)]
    pub(crate) which: Which,
    /// All of them, not only the last 20
    #[arg(long, conflicts_with = "limit")]
    pub(crate) all: bool,
    /// The last so many
    #[arg(long, value_name = "N", default_value_t = 20)]
    pub(crate) limit: usize,
    /// Print one JSON document instead of a list
    #[arg(long, short = 'J')]
    pub(crate) json: bool,
    /// Where they are.
    #[command(flatten)]
    pub(crate) folder: Folder,
}

/// `netburn trend`.
#[derive(Debug, Args)]
pub(crate) struct Trend {
    /// The scenario: its name, or its file
    #[arg(value_name = "SCENARIO")]
    pub(crate) scenario: String,
    /// Only runs started then or later: 2026-11-20, 2026-11-20T18:00 (UTC), or 3d, 2h ago
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) since: Option<Timestamp>,
    /// Only runs started before
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) until: Option<Timestamp>,
    /// One JSON document
    #[arg(long, short = 'J')]
    pub(crate) json: bool,
    /// Where they are.
    #[command(flatten)]
    pub(crate) folder: Folder,
}

/// Which folder.
#[derive(Debug, Args)]
pub(crate) struct Folder {
    /// The folder of the run files [default: ~/.local/state/netburn/runs]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// Which runs.
#[derive(Debug, Args)]
pub(crate) struct Which {
    /// Only of this scenario: its name, or its file
    #[arg(long, value_name = "NAME")]
    pub(crate) scenario: Option<String>,
    /// Only those in which this client took part
    #[arg(long, value_name = "NAME")]
    pub(crate) client: Option<String>,
    /// Only those that ended so; several like fail,marginal
    #[arg(long, value_name = "VERDICT", value_delimiter = ',')]
    pub(crate) verdict: Vec<VerdictName>,
    /// Only those with this tag; given several times, with all of them
    #[arg(long, value_name = "WORD")]
    pub(crate) tag: Vec<String>,
    /// Only those started then or later: 2026-11-20, 2026-11-20T18:00 (UTC), or 3d, 2h ago
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) since: Option<Timestamp>,
    /// Only those started before
    #[arg(long, value_name = "TIME", value_parser = moment)]
    pub(crate) until: Option<Timestamp>,
}

/// What may be done with runs that were kept.
#[derive(Debug, Subcommand)]
pub(crate) enum RunsCommand {
    /// Tag a run with words, by which it is found again
    Tag {
        /// Which run
        #[arg(value_name = "RUN")]
        run: OsString,
        /// The tags
        #[arg(value_name = "WORD", required = true, value_parser = parse_tag)]
        words: Vec<String>,
        /// Take these tags away instead
        #[arg(long)]
        remove: bool,
        /// Where it is.
        #[command(flatten)]
        folder: Folder,
    },
    /// Note something about a run; an empty text takes the note away
    Note {
        /// Which run
        #[arg(value_name = "RUN")]
        run: OsString,
        /// The note
        #[arg(value_name = "TEXT", value_parser = parse_note)]
        text: String,
        /// Where it is.
        #[command(flatten)]
        folder: Folder,
    },
    /// Remove runs: their files, with the notes beside them
    Rm {
        /// Which runs
        #[arg(value_name = "RUN", required = true)]
        runs: Vec<OsString>,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
        /// Where they are.
        #[command(flatten)]
        folder: Folder,
    },
    /// Make the index anew from the run files
    Rebuild {
        /// Where they are.
        #[command(flatten)]
        folder: Folder,
    },
}

/// A verdict as it is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum VerdictName {
    /// Every goal was met.
    Pass,
    /// A goal was missed.
    Marginal,
    /// The run could not tell.
    Inconclusive,
    /// A bad bound was passed.
    Fail,
}

impl From<VerdictName> for Verdict {
    fn from(name: VerdictName) -> Self {
        match name {
            VerdictName::Pass => Self::Pass,
            VerdictName::Marginal => Self::Marginal,
            VerdictName::Inconclusive => Self::Inconclusive,
            VerdictName::Fail => Self::Fail,
        }
    }
}

fn moment(text: &str) -> Result<Timestamp, String> {
    parse_moment(text, Timestamp::now()).map_err(|error| error.to_string())
}
