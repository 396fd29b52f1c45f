//! Text for 80 columns: a name on the left, what there is to say on the right.

const COLUMNS: usize = 80;
/// Where the right part begins.
const RIGHT: usize = 16;

/// `  name        text`, with the text's further lines under its first.
pub(super) fn row(name: &str, text: &str) -> String {
    wrapped(&format!("  {name:<width$}", width = RIGHT - 2), RIGHT, text)
}

/// A paragraph.
pub(super) fn paragraph(text: &str) -> String {
    wrapped("", 0, text)
}

/// A point of a list.
pub(super) fn point(text: &str) -> String {
    wrapped("  - ", 4, text)
}

/// `first`, then the words of `text` in lines that begin at column `indent`.
fn wrapped(first: &str, indent: usize, text: &str) -> String {
    let mut out = first.to_owned();
    let mut column = out.chars().count();
    let mut begun = false;
    for word in text.split(' ') {
        let width = word.chars().count();
        if begun && column + 1 + width > COLUMNS {
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            column = indent;
        } else if begun {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
        begun = true;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_goes_on_under_its_beginning_and_stays_within_80_columns() {
        let text = row("name", &"word ".repeat(40));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() > 2 && lines.iter().all(|line| line.chars().count() <= COLUMNS), "{text}");
        assert!(lines.first().is_some_and(|line| line.starts_with("  name          word")), "{text}");
        assert!(lines.iter().skip(1).all(|line| line.starts_with(&" ".repeat(RIGHT))), "{text}");
    }

    #[test]
    fn a_word_that_fits_nowhere_is_not_broken() {
        assert_eq!(paragraph(&"x".repeat(90)), "x".repeat(90));
    }
}
