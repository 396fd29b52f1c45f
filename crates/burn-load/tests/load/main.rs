//! The engine in virtual time: minutes of a simulated network in milliseconds, against answers known by hand.

#![expect(clippy::unwrap_used, reason = "also in what the tests share: a test that cannot go on should stop")]

mod closed;
mod ending;
mod known_answers;
mod plans;
mod properties;
mod queues;
mod records;
mod seen;
mod sim;
mod stream;
