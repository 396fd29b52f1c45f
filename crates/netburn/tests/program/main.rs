//! The program as its user meets it: the real binary, real processes, real sockets on loopback.
//!
//! Tests wait for conditions (a line in the run file, a process that is gone), never for a time to pass.

mod faults;
mod harness;
mod lab;
mod results;
