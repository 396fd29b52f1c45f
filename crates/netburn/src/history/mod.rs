//! The runs that were kept, and how they are found again.
//!
//! The run files of a folder are the truth, with the notes that a person left beside them ([`notes`]). An SQLite index
//! in the same folder only makes finding them quick: it is brought up to date at every question, made anew wherever it
//! is missing, broken or old, and done without where it cannot be used. Nothing is ever known to the index alone, so nothing
//! is lost with it, and nothing that goes wrong with it keeps a run from being made, kept or found.

mod files;
mod filter;
mod fold;
mod index;
pub mod name;
pub mod notes;
mod rows;
mod schema;
mod store;

pub use filter::{Filter, MomentError, parse_moment};
pub use fold::Kept;
pub use store::{Store, StoreError, Unreadable};
