//! Notes and warnings in as many columns as a report has.

use burn_report::layout::width;

/// What everything is laid out for.
const COLUMNS: usize = 80;
/// What the second line of a note begins with.
const INDENT: &str = "  ";

/// A note whose first line is prose, broken between words. Lines under it show a part of a file, and stand as they are. A word that
/// is longer than a line (a path) stays whole, so that it can be copied.
pub(super) fn note(text: &str) -> String {
    let (prose, rest) = text.split_once('\n').map_or((text, None), |(prose, rest)| (prose, Some(rest)));
    let mut lines = fold(prose, COLUMNS, INDENT);
    lines.extend(rest.map(str::to_owned));
    lines.join("\n")
}

/// A text in lines of so many columns, of which all but the first are indented. Unlike [`burn_report::layout::wrap`] it breaks no word: it
/// is for what a person may copy.
fn fold(text: &str, columns: usize, indent: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_ascii_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line) + 1 + width(word) <= columns => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) => lines.push(format!("{indent}{word}")),
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_broken_between_words_and_never_within_one() {
        assert_eq!(fold("one two three four", 9, "  "), ["one two", "  three", "  four"]);
        assert_eq!(fold("/a/path/longer/than/a/line is whole", 10, "  "), ["/a/path/longer/than/a/line", "  is whole"]);
        assert_eq!(fold("", 9, "  "), [""; 0]);
    }

    #[test]
    fn what_is_shown_of_a_file_stands_as_it_is() {
        let excerpt = "  |\n8 | run = [  'voip'  ]\n  |          ^^^^^^";
        assert_eq!(note(&format!("Warning: short\n{excerpt}")), format!("Warning: short\n{excerpt}"));
    }

    #[test]
    fn no_line_of_a_note_is_wider_than_a_report() {
        let noted = note(&format!("Warning: {}", "eleven cols ".repeat(20)));
        // 8 for the first word, and six times a blank and 11: 80 columns are full.
        assert_eq!(noted.lines().map(width).max(), Some(80));
    }
}
