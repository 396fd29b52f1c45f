//! When each operation should start, and what became of it.
//!
//! The engine is a state machine that is driven from outside: it never looks at a clock, opens nothing, sleeps
//! nowhere, and draws its randomness from the plan's seed. `now` is an argument; "when must I be called
//! again" is an answer. So a test runs hours in milliseconds, and a storage tester drives the same engine.
//!
//! | part | its one job |
//! |---|---|
//! | [`engine`] | the face to the driver: all populations of a client, second by second |
//! | [`operation`] | what engine and driver say to each other of an operation |
//! | `population` | one population: due, waiting for a slot, under way, ended |
//! | `flights` | the operations of a population that have a slot |
//! | `schedule` | when the operations of an open population are due, from their index |
//! | `crowd` | when the people of a closed population start their next operation |
//! | `recorder` | what happened in a second, as it goes into the run file |
//! | `playback` | the model of a player |
//! | `random` | seeded draws that are the same on every machine |
//! | `outbox` | what the driver has not taken yet |

mod crowd;
pub mod engine;
mod flights;
pub mod operation;
mod outbox;
mod playback;
mod population;
mod random;
mod recorder;
mod schedule;
