//! The fleet as its user meets it: real processes, real sockets, and networks that fail.
//!
//! Tests wait for conditions, never for a time to pass.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot go on has failed")]

mod check;
mod lobby;
mod ssh;
mod sshd;
mod together;
mod wait;
