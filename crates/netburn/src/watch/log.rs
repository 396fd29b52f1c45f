//! One line a run: what happened, when, in words. Plain text, whatever it is written to.

use std::io::{Write, stderr, stdout};

use jiff::Timestamp;

use crate::control::testimony::legible;

/// The longest line, in characters.
const LONGEST: usize = 1000;

/// Tells what came of a run.
pub(crate) fn tell(text: &str) {
    // Whoever closed the pipe does not want it, and the watch goes on.
    let _ = write(&mut stdout().lock(), text);
}

/// Tells what is beside the runs: what went wrong, and what will be done about it.
pub(crate) fn note(text: &str) {
    let _ = write(&mut stderr().lock(), text);
}

fn write(out: &mut impl Write, text: &str) -> std::io::Result<()> {
    let line = line(Timestamp::now(), text);
    out.write_all(line.as_bytes())?;
    out.flush()
}

fn line(at: Timestamp, text: &str) -> String {
    format!("{} {}\n", stamp(at), legible(text, LONGEST))
}

/// A moment as logs and documents have it: RFC 3339 in UTC, to the second.
pub(crate) fn stamp(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line_whatever_is_in_it() {
        // 2026-11-21 is 20778 days after 1970-01-01; 10 h are 36,000 s.
        let at = Timestamp::from_second(20_778 * 86_400 + 36_000).unwrap();
        assert_eq!(line(at, "fail: a\nb \u{1b}[31m"), "2026-11-21T10:00:00Z fail: a b  [31m\n");
        assert_eq!(line(at, &"x".repeat(5000)).len(), 21 + LONGEST + 1);
    }
}
