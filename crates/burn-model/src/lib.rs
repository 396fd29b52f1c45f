//! What was asked, what was measured, and whether it was met.
//!
//! The model speaks of *operations*: things a person waits for, started on a schedule, that complete or do
//! not. It knows nothing of HTTP, disks, files, clocks or sockets: a network tester and a storage tester
//! share it. Everything here is a pure function of what a run recorded, so a report made years later from
//! the run file says what the run said when it ended.
//!
//! The way through: a [`plan::Plan`] says what was asked; [`record::RunEvent`]s say what happened, in the
//! order it happened; [`run::RunRecord`] is their fold; [`judge::judge`] turns it into a
//! [`judge::Judgement`].

pub mod binomial;
pub mod brief;
pub mod clock;
pub mod compare;
pub mod curve;
pub mod distribution;
pub mod goal;
pub mod inflation;
pub mod judge;
pub mod metric;
mod numbers;
pub mod plan;
pub mod rank_test;
pub mod record;
pub mod run;
pub mod samples;
pub mod score;
pub mod time;
pub mod trend;
pub mod units;
