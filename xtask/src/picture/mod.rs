//! `cargo xtask picture`: captured terminal text, with its colours, as a crisp picture for the README.
//!
//! The picture is one self-contained SVG: it loads nothing, it scales, and its text can be searched and read aloud.

use std::io::Read;
use std::path::PathBuf;

use anyhow::{Context, Result};

mod ansi;
mod svg;

/// What to draw, and where to.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Text as a terminal got it, escape sequences and all; `-` reads standard input.
    text: PathBuf,
    /// The SVG to write.
    picture: PathBuf,
    /// How wide the terminal was, in characters; longer lines are wrapped, as a terminal does.
    #[arg(long, default_value_t = 80, value_parser = clap::value_parser!(u16).range(1..=400))]
    columns: u16,
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let Arguments { text, picture, columns } = arguments;
    let mut bytes = Vec::new();
    if text.as_os_str() == "-" {
        std::io::stdin().read_to_end(&mut bytes).context("cannot read standard input")?;
    } else {
        bytes = std::fs::read(text).with_context(|| format!("cannot read {}", text.display()))?;
    }
    let svg = draw(&String::from_utf8_lossy(&bytes), usize::from(*columns));
    std::fs::write(picture, svg).with_context(|| format!("cannot write {}", picture.display()))
}

/// The picture of `text` on a terminal of so many columns.
fn draw(text: &str, columns: usize) -> String {
    svg::render(&ansi::screen(text, columns), columns)
}
