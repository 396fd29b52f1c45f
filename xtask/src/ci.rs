//! `cargo xtask ci`: every check that a change must pass, in the order in which a failure is cheapest to learn of.
//!
//! The tests, the browser and the virtual machine come last, so that their closing lines stand at the end of the log, with one sum of all tests below.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

/// One check: what it is called, and the `cargo` command that makes it.
struct Check {
    name: &'static str,
    arguments: &'static [&'static str],
    environment: &'static [(&'static str, &'static str)],
}

// The arrows between the crates and the rules for tracked files are tests of this package (`xtask/tests/repository`), so that
// `cargo test` alone finds a break of them too.
const CHECKS: [Check; 7] = [
    Check { name: "format", arguments: &["fmt", "--all", "--check"], environment: &[] },
    Check {
        name: "lints",
        arguments: &["clippy", "--locked", "--workspace", "--all-targets", "--", "-D", "warnings"],
        environment: &[],
    },
    Check {
        name: "documentation",
        arguments: &["doc", "--locked", "--workspace", "--no-deps", "--document-private-items"],
        environment: &[("RUSTDOCFLAGS", "-D warnings")],
    },
    Check { name: "tests", arguments: &["test", "--locked", "--workspace", "--no-fail-fast"], environment: &[] },
    Check {
        name: "exports",
        arguments: &["run", "--quiet", "--locked", "--package", "xtask", "--", "exports"],
        environment: &[],
    },
    Check {
        name: "pages",
        arguments: &["run", "--quiet", "--locked", "--package", "xtask", "--", "page"],
        environment: &[],
    },
    // Last, for it is the dearest: a minute or two of an emulated machine.
    Check {
        name: "Wi-Fi",
        arguments: &["run", "--quiet", "--locked", "--package", "xtask", "--", "wifi"],
        environment: &[],
    },
];

/// Runs all checks, and stops at the first that fails.
pub(crate) fn run() -> Result<()> {
    let began = Instant::now();
    let mut tests = Tally::default();
    for (i, check) in CHECKS.iter().enumerate() {
        say(&format!("== {} of {}: {} (cargo {})", i + 1, CHECKS.len(), check.name, check.arguments.join(" ")))?;
        let check_began = Instant::now();
        let passed = check.run(&mut tests)?;
        if !passed {
            if tests.programs > 0 {
                say(&format!("== {tests}"))?;
            }
            bail!("ci FAILED at '{}' after {}; the cause stands above", check.name, seconds(began.elapsed()));
        }
        say(&format!("== {}: passed in {}\n", check.name, seconds(check_began.elapsed())))?;
    }
    // A run that tested nothing proves nothing, whatever its exit code.
    if tests.passed == 0 {
        bail!("ci FAILED: no test ran");
    }
    say(&format!("== {tests}"))?;
    say(&format!("== ci passed: {} checks in {}", CHECKS.len(), seconds(began.elapsed())))
}

impl Check {
    /// Shows the command's output as it comes, and counts the closing lines of test programs in it.
    fn run(&self, tests: &mut Tally) -> Result<bool> {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut child = Command::new(cargo)
            .args(self.arguments)
            .envs(self.environment.iter().copied())
            .env("CARGO_TERM_COLOR", "never")
            .env("CARGO_TERM_PROGRESS_WHEN", "never")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start cargo for '{}'", self.name))?;
        if let Some(output) = child.stdout.take() {
            for line in BufReader::new(output).split(b'\n') {
                let line = line.context("cannot read what cargo says")?;
                let line = String::from_utf8_lossy(&line);
                tests.read(&line);
                say(&line)?;
            }
        }
        Ok(child.wait().context("cannot wait for cargo")?.success())
    }
}

/// The sum of the closing lines of all test programs.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    programs: u32,
    passed: u32,
    failed: u32,
    ignored: u32,
}

impl Tally {
    /// Adds `line`, if it closes a test program: `test result: ok. 9 passed; 0 failed; 1 ignored; …`.
    fn read(&mut self, line: &str) {
        let Some(counts) = line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". ")) else { return };
        self.programs += 1;
        for part in counts.1.split("; ") {
            let Some((number, what)) = part.split_once(' ') else { continue };
            let Ok(number) = number.parse::<u32>() else { continue };
            match what {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }
}

impl std::fmt::Display for Tally {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { programs, passed, failed, ignored } = self;
        write!(f, "tests: {passed} passed, {failed} failed, {ignored} ignored, in {programs} programs")
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn say(line: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{line}").context("cannot write to standard output")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_of_test_programs_add_up_and_other_lines_count_nothing() {
        let mut tally = Tally::default();
        for line in [
            "running 3 tests",
            "test a ... ok",
            "test result: ok. 9 passed; 0 failed; 1 ignored; 0 measured; 4 filtered out; finished in 0.01s",
            "test result: FAILED. 2 passed; 3 failed; 0 ignored; 0 measured; 0 filtered out; finished in 2.00s",
            "the test result: ok. 5 passed; 0 failed",
            "",
        ] {
            tally.read(line);
        }
        // 9 + 2 passed, 0 + 3 failed, 1 + 0 ignored, in two programs.
        assert_eq!(tally, Tally { programs: 2, passed: 11, failed: 3, ignored: 1 });
        assert_eq!(tally.to_string(), "tests: 11 passed, 3 failed, 1 ignored, in 2 programs");
    }
}
