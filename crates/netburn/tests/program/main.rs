//! The program as its user meets it: the real binary, real processes, real sockets on loopback.
//!
//! Tests wait for conditions (a line in the run file, a process that is gone), never for a time to pass.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod drawings;
mod faults;
mod golden;
mod harness;
mod lab;
mod live;
mod pages;
mod results;
mod rounds;
mod solo;
mod wifi;
