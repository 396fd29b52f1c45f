//! When each operation should start, and what became of it.
//!
//! The engine is a state machine that is driven from outside: it never looks at a clock, opens nothing, sleeps
//! nowhere, and draws its randomness from the plan's seed. `now` is an argument; "when must I be called
//! again" is an answer. So a test runs hours in milliseconds, and a storage tester drives the same engine.

pub mod engine;
