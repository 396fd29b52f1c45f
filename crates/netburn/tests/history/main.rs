//! The runs that were kept: found, listed, named, noted and followed, whatever becomes of the index.
//!
//! Each test has a folder of its own; run files are made by the program's own writer from events that were recorded once.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod harm;
mod kept;
mod listing;
mod names;
mod notes;
mod place;
mod trend;
