//! One figure of a run by itself, for an article.

use clap::Args;

/// A figure instead of the whole report.
#[derive(Debug, Default, Args)]
#[group(multiple = false, conflicts_with = "FormatArgs")]
pub(crate) struct DrawingArgs {
    /// List the figures that a run has
    #[arg(long)]
    pub(crate) figures: bool,
    /// One figure as an SVG file
    #[arg(long, value_name = "FIGURE")]
    pub(crate) svg: Option<String>,
    /// One figure as a picture
    #[arg(long, value_name = "FIGURE")]
    pub(crate) png: Option<String>,
}
