//! `netburn watch` as its user meets it: the real program, real runs over loopback, a real command and a real receiver.
//!
//! Tests wait for lines, files and connections, never for a time to pass.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod alarms;
mod ends;
mod figures;
mod harness;
mod mistakes;
mod receiver;
