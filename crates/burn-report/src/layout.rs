//! What a terminal shows of a text: which characters, how wide, and where it breaks.
//!
//! Widths are the sum of the characters' own (UAX #11, ambiguous ones narrow), as most terminals count. Sequences that
//! some terminals draw narrower than that (joined emoji, ligatures) only ever leave a column empty.

use unicode_width::UnicodeWidthChar;

/// Stands for a character that must not reach a terminal.
pub(crate) const REPLACEMENT: char = '\u{FFFD}';
/// A space at which a text does not break; it is written as an ordinary one.
pub(crate) const GLUE: char = '\u{A0}';

/// Whether a character could move the cursor, reorder or hide text: controls (an escape sequence starts with one),
/// line separators, and the invisible formatting characters, bidirectional ones included.
pub(crate) const fn is_unsafe(c: char) -> bool {
    matches!(c,
        '\0'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{AD}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}'
        | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// A variation selector: changes how the character before it looks, and on some terminals how wide it is.
const fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{FE00}'..='\u{FE0F}')
}

/// `text` with every unsafe character replaced. Blanks of other kinds become ordinary ones: nobody sees the difference,
/// and a line that ends in one is trimmed.
#[must_use]
pub fn clean(text: &str) -> String {
    text.chars().filter_map(shown).collect()
}

/// What is shown of a character, as in [`clean`].
pub(crate) fn shown(c: char) -> Option<char> {
    match c {
        GLUE => Some(GLUE),
        c if is_unsafe(c) => Some(REPLACEMENT),
        c if is_variation_selector(c) => None,
        c if c.is_whitespace() => Some(' '),
        c => Some(c),
    }
}

/// Columns that a clean text takes.
#[must_use]
pub fn width(text: &str) -> usize {
    text.chars().map(char_width).sum()
}

fn char_width(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// `text`, cleaned, in at most `columns` columns; an ellipsis ends what was cut.
#[must_use]
pub fn clip(text: &str, columns: usize) -> String {
    let text = clean(text);
    if width(&text) <= columns {
        return text;
    }
    if columns == 0 {
        return String::new();
    }
    let mut kept = head(&text, columns - 1).to_owned();
    kept.push('…');
    kept
}

/// As much of the start of a clean text as fits.
fn head(text: &str, columns: usize) -> &str {
    let mut taken = 0;
    let end = text.char_indices().find(|(_, c)| {
        taken += char_width(*c);
        taken > columns
    });
    end.map_or(text, |(i, _)| &text[..i])
}

/// `text`, cleaned, in lines of at most `columns` columns (at least two), broken between words. A word that is longer
/// than a line is broken anywhere.
#[must_use]
pub fn wrap(text: &str, columns: usize) -> Vec<String> {
    let columns = columns.max(2);
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_ascii_whitespace().map(clean) {
        let mut word = word.as_str();
        let gap = usize::from(!line.is_empty());
        if width(&line) + gap + width(word) > columns && !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        while width(word) > columns {
            let (part, rest) = broken(word, columns);
            lines.push(part.to_owned());
            word = rest;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

/// A word that is longer than a line, in two: at the last [`GLUE`] that fits, else anywhere.
fn broken(word: &str, columns: usize) -> (&str, &str) {
    let part = head(word, columns);
    if word[part.len()..].starts_with(GLUE) {
        return (part, &word[part.len() + GLUE.len_utf8()..]);
    }
    match part.rfind(GLUE).filter(|at| *at > 0) {
        Some(at) => (&word[..at], &word[at + GLUE.len_utf8()..]),
        None => word.split_at(part.len()),
    }
}

/// `text` with its spaces made [`GLUE`], so that a number and its unit stay on one line.
pub(crate) fn glue(text: &str) -> String {
    text.replace(' ', "\u{A0}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_move_a_cursor_or_hide_text_is_replaced() {
        assert_eq!(clean("a\x1b[31mb"), "a\u{FFFD}[31mb");
        assert_eq!(clean("line\r\nbreak\u{9B}2J"), "line\u{FFFD}\u{FFFD}break\u{FFFD}2J");
        assert_eq!(clean("\u{202E}live\u{200B}"), "\u{FFFD}live\u{FFFD}");
        assert_eq!(clean("a\u{2006}b\u{3000}c"), "a b c");
        assert_eq!(clean("Küche 居間"), "Küche 居間", "letters of any script stay");
    }

    #[test]
    fn wide_characters_take_two_columns() {
        // 居 and 間 are Wide in UAX #11: two columns each.
        assert_eq!(width("居間"), 4);
        assert_eq!(clip("居間居間", 5), "居間…");
        assert_eq!(clip("居間居間", 4), "居…", "half a character is never shown");
        assert_eq!(clip("laptop", 6), "laptop");
        assert_eq!(clip("laptop", 5), "lapt…");
        assert_eq!(clip("laptop", 0), "");
    }

    #[test]
    fn text_breaks_between_words_and_inside_one_only_where_it_must() {
        assert_eq!(wrap("one two  three\nfour", 9), ["one two", "three", "four"]);
        assert_eq!(wrap("abcdefgh ij", 4), ["abcd", "efgh", "ij"]);
        assert_eq!(wrap("居間居間", 5), ["居間", "居間"]);
        assert_eq!(wrap(&format!("goal {}", glue("500 ms")), 8), ["goal", "500\u{A0}ms"]);
        assert_eq!(wrap(&glue("slowest 4 s 23.7 Mbps"), 17), ["slowest\u{A0}4\u{A0}s\u{A0}23.7", "Mbps"]);
        assert_eq!(wrap(&glue("1234 5678"), 4), ["1234", "5678"]);
        assert!(wrap(" \n ", 9).is_empty());
    }
}
