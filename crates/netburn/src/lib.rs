//! Is the network good enough for everybody who uses it at once, and if not, what is to blame?
//!
//! The program around the measuring parts: a [`scenario`] file becomes a plan (pure); a [`controller`] brings up
//! server, lab and [`agent`]s, conducts the run over [`control`] messages and keeps its [record](run_file);
//! [`command`] has one module for each thing that a person may type.

mod addresses;
pub mod agent;
mod cli;
mod command;
pub mod control;
pub mod controller;
mod exit;
pub mod facts;
pub mod fleet;
pub mod history;
mod live;
pub mod operations;
mod pixels;
pub mod run_file;
pub mod scenario;
mod suggest;
mod telemetry;
mod watch;

pub use command::main;
