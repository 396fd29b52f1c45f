//! What a person may type about runs that took place.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::drawing::DrawingArgs;
use super::format::FormatArgs;

/// `netburn report`.
#[derive(Debug, Args)]
pub(crate) struct Report {
    /// A run: its file, 'last', 'last~2', the first digits of its id, or its file's name
    #[arg(value_name = "RUN")]
    pub(crate) run: OsString,
    /// In which form.
    #[command(flatten)]
    pub(crate) format: FormatArgs,
    /// One figure.
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
    /// How wide a picture is, in pixels
    #[arg(long, value_name = "PIXELS", requires = "png", default_value_t = crate::pixels::USUAL_WIDTH,
          value_parser = clap::value_parser!(u32).range(100..=8000))]
    pub(crate) width: u32,
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
    /// Runs of the first set-up: files, 'last~2', the first digits of their ids
    #[arg(value_name = "RUN", required = true)]
    pub(crate) first: Vec<OsString>,
    /// Runs of the set-up that is held against it
    #[arg(long, value_name = "RUN", required = true, num_args = 1..)]
    pub(crate) vs: Vec<OsString>,
    /// One JSON document
    #[arg(long, short = 'J')]
    pub(crate) json: bool,
    /// Write it as a page for a browser too: one file that needs no other and no network
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
}
