//! Terminal text → rows of runs of like characters. Colours and weights (SGR, ECMA-48 §8.3.117) are understood; every other escape
//! sequence is dropped, since a report that is printed once moves no cursor.

use std::iter::Peekable;
use std::str::Chars;

/// How characters look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) foreground: Option<Colour>,
    pub(super) background: Option<Colour>,
    pub(super) bold: bool,
    pub(super) dim: bool,
    pub(super) italic: bool,
    pub(super) underline: bool,
    pub(super) inverse: bool,
}

/// A colour as a program asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    /// One of 256: 0–15 the theme's own, then a cube of 6×6×6, then 24 greys.
    Indexed(u8),
    Exact(u8, u8, u8),
}

/// Characters in one row that look alike, from this column on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) column: usize,
    pub(super) text: String,
    pub(super) style: Style,
}

/// One row of a terminal.
pub(super) type Row = Vec<Run>;

/// What stands on a terminal of so many columns after `text`; empty rows at the end are left out.
pub(super) fn screen(text: &str, columns: usize) -> Vec<Row> {
    let mut screen = Screen { rows: vec![Row::new()], column: 0, columns: columns.max(1), style: Style::default() };
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\n' => screen.new_row(),
            '\t' => {
                for _ in 0..8 - screen.column % 8 {
                    screen.put(' ');
                }
            }
            '\u{1b}' => screen.escape(&mut rest),
            character if character.is_control() => {}
            character => screen.put(character),
        }
    }
    while screen.rows.last().is_some_and(|row| row.iter().all(|run| run.text.trim().is_empty())) {
        screen.rows.pop();
    }
    screen.rows
}

struct Screen {
    rows: Vec<Row>,
    column: usize,
    columns: usize,
    style: Style,
}

impl Screen {
    fn new_row(&mut self) {
        self.rows.push(Row::new());
        self.column = 0;
    }

    fn put(&mut self, character: char) {
        if self.column >= self.columns {
            self.new_row();
        }
        let (column, style) = (self.column, self.style);
        self.column += 1;
        let Some(row) = self.rows.last_mut() else { return };
        match row.last_mut() {
            Some(run) if run.style == style => run.text.push(character),
            _ => row.push(Run { column, text: character.into(), style }),
        }
    }

    /// Reads what follows an escape character: a control sequence, an operating system command, or two characters.
    fn escape(&mut self, rest: &mut Peekable<Chars<'_>>) {
        match rest.next() {
            Some('[') => {
                let mut parameters = String::new();
                for character in rest.by_ref() {
                    // ECMA-48 §5.4: parameter and intermediate bytes are below '@', and the final byte is not.
                    if ('@'..='~').contains(&character) {
                        if character == 'm' {
                            self.style = restyled(self.style, &parameters);
                        }
                        return;
                    }
                    parameters.push(character);
                }
            }
            // Ended by BEL or by ESC \; a title or a link, of which the text itself follows as text.
            Some(']') => {
                while let Some(character) = rest.next() {
                    if character == '\u{7}' {
                        return;
                    }
                    if character == '\u{1b}' {
                        rest.next_if_eq(&'\\');
                        return;
                    }
                }
            }
            // Choosing a character set takes one character more.
            Some('(' | ')') => {
                rest.next();
            }
            _ => {}
        }
    }
}

/// `style` after a "select graphic rendition" with these parameters. Unknown ones change nothing.
fn restyled(mut style: Style, parameters: &str) -> Style {
    // No parameter at all means 0.
    let mut codes =
        parameters.split([';', ':']).map(|code| if code.is_empty() { Some(0) } else { code.parse::<u8>().ok() });
    while let Some(code) = codes.next() {
        let Some(code) = code else { continue };
        match code {
            0 => style = Style::default(),
            1 => style.bold = true,
            2 => style.dim = true,
            3 => style.italic = true,
            4 => style.underline = true,
            7 => style.inverse = true,
            22 => (style.bold, style.dim) = (false, false),
            23 => style.italic = false,
            24 => style.underline = false,
            27 => style.inverse = false,
            30..=37 => style.foreground = Some(Colour::Indexed(code - 30)),
            38 => style.foreground = extended(&mut codes).or(style.foreground),
            39 => style.foreground = None,
            40..=47 => style.background = Some(Colour::Indexed(code - 40)),
            48 => style.background = extended(&mut codes).or(style.background),
            49 => style.background = None,
            90..=97 => style.foreground = Some(Colour::Indexed(code - 90 + 8)),
            100..=107 => style.background = Some(Colour::Indexed(code - 100 + 8)),
            _ => {}
        }
    }
    style
}

/// What follows 38 or 48: `5;INDEX` or `2;RED;GREEN;BLUE`.
fn extended(codes: &mut impl Iterator<Item = Option<u8>>) -> Option<Colour> {
    let mut next = || codes.next().flatten();
    match next()? {
        5 => Some(Colour::Indexed(next()?)),
        2 => Some(Colour::Exact(next()?, next()?, next()?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(column: usize, text: &str, style: Style) -> Run {
        Run { column, text: text.into(), style }
    }

    const PLAIN: Style = Style {
        foreground: None,
        background: None,
        bold: false,
        dim: false,
        italic: false,
        underline: false,
        inverse: false,
    };

    #[test]
    fn text_without_colour_is_one_run_in_each_row() {
        assert_eq!(screen("ab\n\ncd\n\n", 80), [vec![run(0, "ab", PLAIN)], vec![], vec![run(0, "cd", PLAIN)]]);
        assert_eq!(screen("", 80), Vec::<Row>::new());
    }

    #[test]
    fn colours_hold_until_they_are_reset_and_add_up() {
        let green = Style { foreground: Some(Colour::Indexed(2)), ..PLAIN };
        let bold_green = Style { bold: true, ..green };
        assert_eq!(
            screen("a\u{1b}[32mb\u{1b}[1mc\nd\u{1b}[22me\u{1b}[mf", 80),
            [
                vec![run(0, "a", PLAIN), run(1, "b", green), run(2, "c", bold_green)],
                vec![run(0, "d", bold_green), run(1, "e", green), run(2, "f", PLAIN)],
            ]
        );
    }

    #[test]
    fn bright_indexed_and_exact_colours_are_understood_and_nonsense_is_ignored() {
        let foreground = |sequence: &str| screen(&format!("\u{1b}[{sequence}mx"), 80)[0][0].style.foreground;
        assert_eq!(foreground("91"), Some(Colour::Indexed(9)));
        assert_eq!(foreground("38;5;208"), Some(Colour::Indexed(208)));
        assert_eq!(foreground("38;2;1;2;3"), Some(Colour::Exact(1, 2, 3)));
        assert_eq!(foreground("31;39"), None);
        for nonsense in ["38", "38;5", "38;9;1", "999", "x", ";;"] {
            assert_eq!(foreground(nonsense), None, "{nonsense}");
        }
        assert_eq!(screen("\u{1b}[41mx", 80)[0][0].style.background, Some(Colour::Indexed(1)));
    }

    #[test]
    fn other_escapes_and_control_characters_leave_no_trace() {
        let link = "\u{1b}]8;;http://a/\u{7}a\u{1b}]8;;\u{1b}\\b";
        for text in [link, "\u{1b}[2Ka\u{1b}[?25lb\r", "\u{1b}(Bab\u{1b}[", "ab\u{1b}", "ab\u{1b}]0;title"] {
            let rows = screen(text, 80);
            let seen: String = rows.concat().iter().map(|run| run.text.as_str()).collect();
            assert_eq!(seen, "ab", "{text:?}");
        }
    }

    #[test]
    fn long_lines_wrap_and_tabs_go_to_the_next_eighth_column() {
        assert_eq!(screen("abcdef", 4), [vec![run(0, "abcd", PLAIN)], vec![run(0, "ef", PLAIN)]]);
        // A full row and then a line break is one row, not two.
        assert_eq!(screen("abcd\nef", 4).len(), 2);
        assert_eq!(screen("a\tb", 80), [vec![run(0, "a       b", PLAIN)]]);
    }
}
