//! What a person may type about scenarios.

use std::path::PathBuf;

use clap::Args;

/// `netburn check`.
#[derive(Debug, Args)]
pub(crate) struct Check {
    /// The scenario
    #[arg(value_name = "SCENARIO.toml")]
    pub(crate) scenario: PathBuf,
}

/// `netburn workloads`.
#[derive(Debug, Args)]
pub(crate) struct Workloads {}
