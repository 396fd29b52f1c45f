//! Scenario files: what they say, what is said about wrong ones, and that no text does harm.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking")]

mod fleet;
mod hostile;
mod language;
mod manual;
mod mistakes;
mod presets;
mod shipped;
