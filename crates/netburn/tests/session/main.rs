//! The controller's session in virtual time: no process, no socket, no clock.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod course;
mod household;
mod together;
mod whatever;
