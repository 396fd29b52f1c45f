//! Reports of a household that was judged by hand: every figure here is written down, none computed.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod beside;
mod comma_separated;
mod comparing;
mod documents;
mod drawings;
mod exports_page;
mod fair_share;
mod figures;
mod flent;
mod groups;
mod hdr;
mod household;
mod live;
mod openmetrics;
mod page_types;
mod pages;
mod parsed;
mod progress;
mod side_by_side;
mod terminal;
mod two_seconds;
mod verdict;
mod widths;
