//! The one way out to a terminal: every byte passes here, is made harmless, and fits the width.

use anstyle::{AnsiColor, Style as Ansi};

use crate::layout::{GLUE, clip, width, wrap};
use crate::text::Style;

/// How a piece of text is meant; how that looks is decided here alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tone {
    /// As any other text.
    #[default]
    Plain,
    /// A heading.
    Strong,
    /// Of less weight.
    Faint,
    /// A pass.
    Good,
    /// Marginal.
    Warning,
    /// Inconclusive.
    Unsure,
    /// A failure.
    Bad,
}

impl Tone {
    fn ansi(self) -> Ansi {
        let colored = |color: AnsiColor| Ansi::new().bold().fg_color(Some(color.into()));
        match self {
            Self::Plain => Ansi::new(),
            Self::Strong => Ansi::new().bold(),
            Self::Faint => Ansi::new().dimmed(),
            Self::Good => colored(AnsiColor::Green),
            Self::Warning => colored(AnsiColor::Yellow),
            Self::Unsure => colored(AnsiColor::Magenta),
            Self::Bad => colored(AnsiColor::Red),
        }
    }
}

/// A piece of a line.
#[derive(Clone, Debug, Default)]
pub(super) struct Span {
    pub(super) text: String,
    pub(super) tone: Tone,
}

impl Span {
    pub(super) fn new(text: impl Into<String>, tone: Tone) -> Self {
        Self { text: text.into(), tone }
    }

    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self::new(text, Tone::Plain)
    }
}

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) width: usize,
    pub(super) align: Align,
}

/// Where a cell's text stands in its column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Align {
    Left,
    Right,
}

/// A report as it is written.
pub(super) struct Page {
    color: bool,
    width: usize,
    text: String,
}

impl Page {
    /// Between two columns of a table.
    pub(super) const GAP: usize = 2;
    /// Nothing readable fits into less.
    const LEAST_WIDTH: usize = 20;

    pub(super) fn new(style: Style) -> Self {
        Self { color: style.color, width: style.width.max(Self::LEAST_WIDTH), text: String::new() }
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// An empty line.
    pub(super) fn gap(&mut self) {
        self.text.push('\n');
    }

    /// A section's heading, after an empty line.
    pub(super) fn heading(&mut self, text: &str) {
        self.gap();
        self.line(&[Span::new(text, Tone::Strong)]);
    }

    /// One line, cut at the page's width.
    pub(super) fn line(&mut self, spans: &[Span]) {
        let mut left = self.width;
        let mut pending = 0;
        for span in spans {
            let text = clip(&span.text, left);
            left -= width(&text);
            // Blanks at the end of a line are held back until something follows them.
            let body = text.trim_end_matches([' ', GLUE]);
            if !body.is_empty() {
                self.text.extend(std::iter::repeat_n(' ', pending));
                self.paint(body, span.tone);
                pending = 0;
            }
            pending += width(&text) - width(body);
        }
        self.text.push('\n');
    }

    /// Text wrapped to the page: the first line begins with `lead`, the further ones as far to the right.
    pub(super) fn paragraph(&mut self, lead: &str, text: &str) {
        self.paragraph_after(&Span::plain(lead), text);
    }

    /// As [`paragraph`](Self::paragraph), with a lead of its own tone.
    pub(super) fn paragraph_after(&mut self, lead: &Span, text: &str) {
        let lead_text = clip(&lead.text, self.width / 2);
        let indent = width(&lead_text);
        let lines = wrap(text, self.width - indent);
        for (i, line) in lines.into_iter().enumerate() {
            let start = if i == 0 { Span::new(lead_text.clone(), lead.tone) } else { Span::plain(" ".repeat(indent)) };
            self.line(&[start, Span::plain(line)]);
        }
    }

    /// Sentences, each as a point of a list.
    pub(super) fn points<'a>(&mut self, sentences: impl IntoIterator<Item = &'a String>) {
        for sentence in sentences {
            self.paragraph("  - ", sentence);
        }
    }

    /// One row of a table; a cell that is too long is wrapped within its column.
    pub(super) fn row(&mut self, indent: usize, columns: &[Column], cells: &[Span]) {
        let wrapped: Vec<Vec<String>> =
            columns.iter().zip(cells).map(|(column, cell)| wrap(&cell.text, column.width)).collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
        for i in 0..height {
            let mut spans = vec![Span::plain(" ".repeat(indent))];
            for ((column, cell), lines) in columns.iter().zip(cells).zip(&wrapped) {
                if spans.len() > 1 {
                    spans.push(Span::plain(" ".repeat(Self::GAP)));
                }
                let text = lines.get(i).map_or("", String::as_str);
                let pad = " ".repeat(column.width.saturating_sub(width(text)));
                let text = Span::new(text, cell.tone);
                match column.align {
                    Align::Left => spans.extend([text, Span::plain(pad)]),
                    Align::Right => spans.extend([Span::plain(pad), text]),
                }
            }
            self.line(&spans);
        }
    }

    fn paint(&mut self, text: &str, tone: Tone) {
        let text = text.replace(GLUE, " ");
        if !self.color || tone == Tone::Plain {
            self.text.push_str(&text);
            return;
        }
        let ansi = tone.ansi();
        self.text.push_str(&format!("{}{text}{}", ansi.render(), ansi.render_reset()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(width: usize, color: bool) -> Page {
        Page::new(Style { color, width })
    }

    #[test]
    fn a_cell_that_is_too_long_wraps_within_its_column() {
        let mut page = page(40, false);
        let columns = [Column { width: 4, align: Align::Left }, Column { width: 8, align: Align::Right }];
        page.row(1, &columns, &[Span::plain("tv"), Span::plain("one two three")]);
        // The second column begins after 1 + 4 + 2 columns; "three" is 3 short of its 8: 10 blanks.
        assert_eq!(page.finish(), " tv     one two\n          three\n");
    }

    #[test]
    fn colour_wraps_the_text_alone_and_is_taken_back() {
        let mut page = page(40, true);
        page.line(&[Span::new("FAIL  ", Tone::Bad), Span::plain("why")]);
        // SGR 1 is bold, 31 red, 0 resets: ECMA-48 §8.3.117.
        assert_eq!(page.finish(), "\u{1b}[1m\u{1b}[31mFAIL\u{1b}[0m  why\n");
    }

    #[test]
    fn a_line_is_cut_at_the_width_and_has_no_blanks_at_its_end() {
        let mut page = page(20, false);
        page.line(&[Span::plain("0123456789"), Span::plain("0123456789abc")]);
        page.line(&[Span::plain("x   "), Span::plain("  ")]);
        assert_eq!(page.finish(), "0123456789012345678…\nx\n");
    }
}
