//! What node's test runner says at its end.

use std::time::Duration;

/// The counts of one run of tests.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) passed: u32,
    failed: u32,
    ignored: u32,
}

impl Tally {
    /// Adds a line of its summary: `ℹ pass 19`. A test that was cut off has failed.
    pub(super) fn read(&mut self, line: &str) {
        let Some((what, number)) = line.strip_prefix("ℹ ").and_then(|line| line.split_once(' ')) else { return };
        let Ok(number) = number.parse::<u32>() else { return };
        match what {
            "pass" => self.passed += number,
            "fail" | "cancelled" => self.failed += number,
            "skipped" | "todo" => self.ignored += number,
            _ => {}
        }
    }

    /// The counts as Rust's test programs say theirs, so that `ci` adds them up with the others.
    pub(super) fn closing_line(&self, succeeded: bool, took: Duration) -> String {
        let Self { passed, failed, ignored } = self;
        let result = if succeeded && *passed > 0 { "ok" } else { "FAILED" };
        format!(
            "test result: {result}. {passed} passed; {failed} failed; {ignored} ignored; 0 measured; 0 filtered out; \
             finished in {:.2}s",
            took.as_secs_f64()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_summary_is_counted_and_what_tests_print_is_not() {
        let mut tally = Tally::default();
        for line in [
            "✔ every figure is drawn (3.5ms)",
            "ℹ 218268 bytes",
            "pass 7",
            "ℹ tests 12",
            "ℹ pass 8",
            "ℹ fail 1",
            "ℹ cancelled 2",
            "ℹ skipped 1",
            "ℹ duration_ms 54088.05",
        ] {
            tally.read(line);
        }
        assert_eq!(tally, Tally { passed: 8, failed: 3, ignored: 1 });
        assert!(
            tally.closing_line(false, Duration::from_secs(2)).starts_with("test result: FAILED. 8 passed; 3 failed;")
        );
    }

    #[test]
    fn a_run_without_tests_has_failed_whatever_its_exit_code() {
        assert!(Tally::default().closing_line(true, Duration::ZERO).starts_with("test result: FAILED."));
    }
}
