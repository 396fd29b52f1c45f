//! Runs made up by hand, folded and judged: expected numbers are derived in the tests, never taken from output.
#![expect(clippy::unwrap_used, reason = "a made-up run that cannot be made up is a broken test")]

mod by_second;
mod comparing;
mod fair_share;
mod goals;
mod hostile;
mod known_answers;
mod limits;
mod made_up;
mod start;
mod streams;
mod trust;
