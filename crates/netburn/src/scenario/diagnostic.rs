//! Problems of a scenario file: found at a span of bytes, shown as file, line, column, source line and caret.

use std::collections::HashSet;
use std::fmt::{self, Write as _};
use std::ops::Range;

use super::ScenarioErrors;
use crate::suggest;

/// Bytes of the text, from and to.
pub(super) type Span = Range<usize>;

/// A person mends the first few problems and looks again; a hostile file could hold millions.
const MOST_KEPT: usize = 50;
/// How many problems may be found before unknown words are no longer guessed at.
const MOST_GUESSED: usize = 500;
/// The most characters of a source line that are shown.
const MOST_SHOWN: usize = 100;
/// How many characters of a long line are shown before the caret.
const BEFORE_CARET: usize = 40;
/// The most characters of what the author wrote that are repeated in a message.
const MOST_QUOTED: usize = 60;

/// One problem of a scenario, or one warning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The file's name, as the caller gave it.
    pub file: String,
    /// Where in the file; `None` where it is about the whole file or about the command line.
    pub place: Option<Place>,
    /// What is wrong.
    pub message: String,
    /// What was probably meant, or what is allowed.
    pub hint: Option<String>,
}

/// A place in a text, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
    /// The line's text, or the part of a long one that matters. Holds no control character.
    excerpt: String,
    /// Characters of the excerpt before the caret.
    indent: usize,
    /// How many carets.
    width: usize,
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.file.is_empty() {
            f.write_str(&printable(&self.file))?;
            if let Some(place) = &self.place {
                write!(f, ":{}:{}", place.line, place.column)?;
            }
            f.write_str(": ")?;
        }
        f.write_str(&self.message)?;
        let Some(place) = &self.place else {
            return self.hint.as_ref().map_or(Ok(()), |hint| write!(f, "; {hint}"));
        };
        let number = place.line.to_string();
        let margin = " ".repeat(number.len());
        write!(f, "\n{margin} |\n{number} | {}\n{margin} | ", place.excerpt)?;
        write!(f, "{}{}", " ".repeat(place.indent), "^".repeat(place.width))?;
        self.hint.as_ref().map_or(Ok(()), |hint| write!(f, " {hint}"))
    }
}

impl Place {
    fn of(text: &str, span: &Span) -> Self {
        let start = floor_boundary(text, span.start);
        let end = floor_boundary(text, span.end).max(start);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |at| start + at);
        let line = text[..start].matches('\n').count() + 1;
        let before = text[line_start..start].chars().count();
        let marked = text[start..end.min(line_end)].trim_end().chars().count().max(1);

        let skipped = if before > MOST_SHOWN - BEFORE_CARET { before - BEFORE_CARET } else { 0 };
        let shown = text[line_start..line_end].trim_end().chars().skip(skipped);
        // One character for each, so that the caret stands under what it means.
        let excerpt: String =
            shown.take(MOST_SHOWN).map(|c| if c == '\t' { ' ' } else { one_printable(c).unwrap_or('�') }).collect();
        let indent = before - skipped;
        Self { line, column: before + 1, excerpt, indent, width: marked.min(MOST_SHOWN.saturating_sub(indent)).max(1) }
    }
}

fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// What was found so far.
#[derive(Debug, Default)]
pub(super) struct Problems {
    found: Vec<Problem>,
}

#[derive(Debug)]
struct Problem {
    at: Option<Span>,
    message: String,
    hint: Option<String>,
}

impl Problems {
    /// Notes a problem; `at` is `None` where it has no place in the file.
    pub(super) fn report(&mut self, at: impl Into<Option<Span>>, message: impl Into<String>) {
        self.found.push(Problem { at: at.into(), message: message.into(), hint: None });
    }

    /// Notes a problem and what would mend it.
    pub(super) fn report_with(
        &mut self,
        at: impl Into<Option<Span>>,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.found.push(Problem { at: at.into(), message: message.into(), hint: Some(hint.into()) });
    }

    /// Notes that `word` is not among `known`, and which of them was probably meant.
    pub(super) fn report_unknown<'a>(
        &mut self,
        at: Span,
        what: &str,
        word: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) {
        let hint = self.may_guess().then(|| suggest::hint(word, known));
        self.found.push(Problem { at: Some(at), message: format!("{what} {}", quoted(word)), hint });
    }

    /// Looking for what was meant costs time, which a file of nothing but unknown words must not multiply.
    pub(super) fn may_guess(&self) -> bool {
        self.found.len() < MOST_GUESSED
    }

    pub(super) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.found.len()
    }

    /// Each problem with its place, in the file's order, those without a place first; and how many were dropped.
    pub(super) fn into_diagnostics(mut self, file: &str, text: &str) -> (Vec<Diagnostic>, usize) {
        self.found.sort_by_key(|problem| problem.at.as_ref().map(|span| span.start));
        // What is wrong with a workload is found again in each workload that is like it.
        let mut seen = HashSet::new();
        self.found.retain(|problem| seen.insert((problem.at.clone(), problem.message.clone())));
        let further = self.found.len().saturating_sub(MOST_KEPT);
        self.found.truncate(MOST_KEPT);
        let diagnostics = self.found.into_iter().map(|problem| Diagnostic {
            file: file.to_owned(),
            place: problem.at.map(|span| Place::of(text, &span)),
            message: printable(&problem.message),
            hint: problem.hint.map(|hint| printable(&hint)),
        });
        (diagnostics.collect(), further)
    }

    pub(super) fn into_errors(self, file: &str, text: &str) -> ScenarioErrors {
        let (problems, further) = self.into_diagnostics(file, text);
        ScenarioErrors { problems, further }
    }
}

/// What the author wrote, in quotes, shortened.
pub(super) fn quoted(text: &str) -> String {
    let mut shown: String = text.chars().take(MOST_QUOTED).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    format!("'{shown}'")
}

/// `text` with whatever could steer a terminal made visible: a file may come from anywhere.
pub(super) fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match one_printable(c) {
            Some(c) => out.push(c),
            None => {
                // Writing to a String cannot fail.
                let _ = write!(out, "{}", c.escape_default());
            }
        }
    }
    out
}

/// `None` for control characters, and for those that reverse or hide text (Unicode's "Trojan Source" set).
fn one_printable(c: char) -> Option<char> {
    let hides = matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    (!hides && !c.is_control()).then_some(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, span: Span, hint: Option<&str>) -> String {
        let mut problems = Problems::default();
        match hint {
            Some(hint) => problems.report_with(span, "what is wrong", hint),
            None => problems.report(span, "what is wrong"),
        }
        problems.into_errors("home.toml", text).to_string()
    }

    #[test]
    fn a_problem_shows_its_line_with_a_caret_under_what_it_means() {
        let text = "seed = 1\ndurration = \"60 s\"\n";
        let expected =
            "home.toml:2:1: what is wrong\n  |\n2 | durration = \"60 s\"\n  | ^^^^^^^^^ did you mean 'duration'?";
        assert_eq!(shown(text, 9..18, Some("did you mean 'duration'?")), expected);
    }

    #[test]
    fn columns_count_characters_and_a_tab_is_one() {
        // Five characters stand before the x: é, a tab, a quotation mark, µ, a space.
        let text = "é\t\"µ x\n";
        assert_eq!(shown(text, 7..8, None), "home.toml:1:6: what is wrong\n  |\n1 | é \"µ x\n  |      ^");
    }

    #[test]
    fn a_long_line_is_cut_around_the_caret_and_a_span_over_lines_ends_with_the_first() {
        let text = format!("{}x\ny", "a".repeat(1000));
        let shown = shown(&text, 1000..1003, None);
        let lines: Vec<_> = shown.lines().collect();
        assert_eq!(lines[0], "home.toml:1:1001: what is wrong");
        assert_eq!(lines[2], format!("1 | {}x", "a".repeat(40)));
        assert_eq!(lines[3], format!("  | {}^", " ".repeat(40)));
    }

    #[test]
    fn places_past_the_end_or_within_a_character_are_shown_all_the_same() {
        assert!(shown("", 0..0, None).contains(":1:1:"));
        assert!(shown("ab", 70..90, None).contains(":1:3:"));
        assert!(shown("é", 1..1, None).contains(":1:1:"));
    }

    #[test]
    fn nothing_in_a_file_can_steer_the_terminal() {
        let mut problems = Problems::default();
        problems.report(0..3, "unknown key '\u{1b}[31m\u{202e}'");
        let shown = problems.into_errors("a\u{7}.toml", "\u{1b}[31m\u{202e}").to_string();
        assert!(!shown.chars().any(|c| c != '\n' && one_printable(c).is_none()), "{shown:?}");
    }

    #[test]
    fn problems_come_in_the_order_of_the_file_and_only_the_first_fifty() {
        let mut problems = Problems::default();
        for at in (0..60).rev() {
            problems.report(at..at + 1, format!("problem {at}"));
        }
        problems.report(None, "of the whole");
        let errors = problems.into_errors("f", &"x".repeat(60));
        assert_eq!((errors.problems.len(), errors.further), (50, 11));
        assert_eq!(errors.problems[0].message, "of the whole");
        assert_eq!(errors.problems[1].message, "problem 0");
        assert!(errors.to_string().ends_with("… and 11 more"));
    }
}
