//! What a person may type about runs that took place.

use std::path::PathBuf;

use clap::Args;

use super::format::FormatArgs;

/// `netburn report`.
#[derive(Debug, Args)]
pub(crate) struct Report {
    /// A run file
    #[arg(value_name = "RUN")]
    pub(crate) run: PathBuf,
    /// In which form.
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// Write it to this file instead of stdout
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
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
