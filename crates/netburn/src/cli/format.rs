//! The forms in which a run can be told again.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Which form is wanted: one at a time.
#[derive(Debug, Default, Args)]
#[group(multiple = false)]
pub(crate) struct FormatArgs {
    /// Text, as the run printed it (the default)
    #[arg(long)]
    text: bool,
    /// One JSON document
    #[arg(long, short = 'J')]
    pub(crate) json: bool,
    /// A page for a browser, in this file: one file that needs no other and no network
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// A table: a row per application, or with --csv=seconds a row per application and second
    #[arg(long, value_name = "ROWS", num_args = 0..=1, require_equals = true, hide_possible_values = true,
          default_missing_value = "applications")]
    csv: Option<Rows>,
    /// Time series with stamps, for Prometheus (promtool tsdb create-blocks-from openmetrics)
    #[arg(long)]
    openmetrics: bool,
    /// A .flent.gz for flent, with its stock plots (-p totals, ping, download …)
    #[arg(long)]
    flent: bool,
    /// An HDR interval log: the response times of each application as a histogram, in nanoseconds
    #[arg(long)]
    hdr: bool,
    /// Every single operation as a Parquet table, where the run kept them (run --keep-operations)
    #[arg(long)]
    parquet: bool,
}

/// What a row of a table is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Rows {
    /// An application.
    Applications,
    /// A second of an application.
    Seconds,
}

/// A form of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// For people, on a terminal.
    Text,
    /// For programs.
    Json,
    /// For spreadsheets.
    Csv(Rows),
    /// For Prometheus.
    OpenMetrics,
    /// For flent.
    Flent,
    /// For HdrHistogram's tools.
    Hdr,
    /// For pandas and DuckDB.
    Parquet,
}

impl FormatArgs {
    /// The one that was asked for.
    pub(crate) const fn wanted(&self) -> Format {
        if self.json {
            Format::Json
        } else if let Some(rows) = self.csv {
            Format::Csv(rows)
        } else if self.openmetrics {
            Format::OpenMetrics
        } else if self.flent {
            Format::Flent
        } else if self.hdr {
            Format::Hdr
        } else if self.parquet {
            Format::Parquet
        } else {
            Format::Text
        }
    }
}
