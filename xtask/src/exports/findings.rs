//! What was found to hold, and what not: a line for each.

use std::io::Write;

use anyhow::{Context, Result};

/// The lines so far.
#[derive(Default)]
pub(super) struct Findings {
    held: u32,
    failed: u32,
}

impl Findings {
    /// Says what comes next.
    pub(super) fn chapter(&self, title: &str) -> Result<()> {
        say(title)
    }

    /// Notes whether `what` holds.
    pub(super) fn check(&mut self, holds: bool, what: &str) -> Result<()> {
        *(if holds { &mut self.held } else { &mut self.failed }) += 1;
        say(&format!("  {} {what}", if holds { "ok    " } else { "FAILED" }))
    }

    /// Notes whether two are the same.
    pub(super) fn same<T: PartialEq + std::fmt::Debug>(&mut self, found: &T, expected: &T, what: &str) -> Result<()> {
        if found == expected {
            return self.check(true, what);
        }
        self.check(false, &format!("{what}: found {found:?}, expected {expected:?}"))
    }

    /// Notes whether a number is within `share` of another, or nearer than `grain`.
    pub(super) fn near(&mut self, found: f64, expected: f64, (share, grain): (f64, f64), what: &str) -> Result<()> {
        let holds = (found - expected).abs() <= (expected.abs() * share).max(grain);
        if holds {
            return self.check(true, what);
        }
        self.check(false, &format!("{what}: found {found}, expected {expected}"))
    }

    /// How many there were, and how many failed.
    pub(super) const fn counts(&self) -> (u32, u32) {
        (self.held + self.failed, self.failed)
    }

    /// The closing line, as test programs have it, so that `ci` counts these among all tests.
    pub(super) fn close(&self) -> Result<()> {
        let Self { held, failed } = self;
        let word = if *failed == 0 { "ok" } else { "FAILED" };
        say(&format!("test result: {word}. {held} passed; {failed} failed; 0 ignored; 0 measured; 0 filtered out"))
    }
}

fn say(line: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{line}").context("cannot write to standard output")
}
