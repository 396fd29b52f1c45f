//! `netburn watch`: a light run again and again, and a word to somebody when its verdict changes.
//!
//! What is decided is pure and tested in virtual time: `schedule` (when a run starts), `confirm` (what counts as a change, and
//! when it is told), `outbox` (alarms on their way), `retention` (which runs may go). What it knows is in `ledger`, and
//! survives a restart. Around it: `attempt` (a run, as a process of its own), `program` and `post` (who is told), `shelf` (its run files), `scrape`
//! (`/metrics`), and `service`, the one loop. docs/WATCH.md is its manual.

mod alarm;
mod attempt;
mod condition;
mod confirm;
mod figures;
mod finding;
mod ledger;
mod log;
mod outbox;
#[cfg(test)]
mod packaged;
mod post;
mod program;
mod retention;
mod schedule;
mod scrape;
mod service;
mod shelf;

pub(crate) use attempt::{Attempt, can_be_watched, planned};
pub(crate) use post::Target;
pub(crate) use program::Program;
pub(crate) use retention::Retention;
pub(crate) use schedule::{Schedule, TooOften};
pub(crate) use service::{Settings, watch};
