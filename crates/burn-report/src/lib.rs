//! A judged run as bytes: terminal text, an HTML page, JSON, CSV, and a line of progress while it runs.
//!
//! Everything here is a pure function of a [`RunRecord`](burn_model::run::RunRecord) and its
//! [`Judgement`](burn_model::judge::Judgement). Nothing is computed that is not in them: a figure that a report shows
//! is a figure that was judged. What cannot be known is shown as absent, never as zero.
//!
//! Names and sentences may come from another host or from a file that somebody sent. They are data: no byte of them
//! moves a terminal's cursor, starts a spreadsheet formula or breaks a table.

#![forbid(unsafe_code)]

mod by_second;
mod comparison;
pub mod csv;
pub mod figure;
pub mod flent;
pub mod hdr;
pub mod html;
pub mod json;
mod kept;
pub mod layout;
pub mod live;
mod names;
mod numbers;
pub mod openmetrics;
mod rows;
mod said;
mod start;
pub mod svg;
pub mod text;
pub mod words;

pub use kept::KeptRun;
pub use start::NoStart;
