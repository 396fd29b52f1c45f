//! What stands above a drawing: the name of each curve with a piece of it, and what the signs mean.

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr;

use super::classes::{mark_word, style_class, tone_class};
use super::escape::{escaped, shortened};
use super::measure::{LEFT, LETTERS, LINE, room};
use crate::figure::{Figure, MarkKind, Style};

/// A name, at most.
const NAME_COLUMNS: usize = 28;

/// A drawing's legend.
pub(super) struct Legend {
    entries: Vec<Entry>,
    lines: f64,
}

struct Entry {
    name: String,
    piece: Piece,
    /// From the left.
    x: f64,
    /// Which line.
    line: f64,
}

/// What stands before a name.
enum Piece {
    /// A piece of a curve: its classes and its shape.
    Curve(String, &'static str),
    Sign(MarkKind),
}

impl Piece {
    const fn width(&self) -> f64 {
        match self {
            Self::Curve(..) => 26.0,
            Self::Sign(_) => 14.0,
        }
    }
}

impl Legend {
    /// Of a figure, in lines of this width.
    pub(super) fn of(figure: &Figure, width: f64) -> Self {
        let curves = figure.curves.iter().map(|curve| {
            let classes = format!("{} {}", tone_class(curve.tone), style_class(curve.style));
            // Of points two are shown, of a line a piece.
            let shape = if curve.style == Style::Points { "h0m10 0h0" } else { "h20" };
            (shortened(&curve.name, NAME_COLUMNS), Piece::Curve(classes, shape))
        });
        let signs = figure.signs().map(|(kind, meaning)| (meaning.to_owned(), Piece::Sign(kind)));
        let (mut x, mut line) = (0.0, 0.0);
        let mut entries = Vec::new();
        for (name, piece) in curves.chain(signs) {
            let takes = piece.width() + room(name.width()) + 14.0;
            if x > 0.0 && x + takes > width {
                (x, line) = (0.0, line + 1.0);
            }
            entries.push(Entry { name, piece, x, line });
            x += takes;
        }
        Self { lines: if entries.is_empty() { 0.0 } else { line + 1.0 }, entries }
    }

    pub(super) fn height(&self) -> f64 {
        self.lines * LINE
    }

    pub(super) fn draw(&self, body: &mut String, top: f64) {
        for Entry { name, piece, x, line } in &self.entries {
            let (x, y) = (LEFT + x, top + line * LINE);
            let (class, path) = match piece {
                Piece::Curve(classes, shape) => (format!("curve {classes}"), format!("M{x:.1} {:.1}{shape}", y - 4.0)),
                Piece::Sign(kind) => (format!("mark sign {}", mark_word(*kind)), sign(*kind, x + 4.0, y)),
            };
            let _ = write!(
                body,
                "<path class=\"{class}\" fill=\"none\" stroke=\"currentColor\" d=\"{path}\"/>\
                 <text x=\"{:.1}\" y=\"{y:.1}\" font-size=\"{LETTERS}\">{}</text>",
                x + piece.width(),
                escaped(name)
            );
        }
    }
}

/// A diamond for a roam, a cross for a lost client, a triangle for failures: eight wide, and as high above a place.
pub(super) fn sign(kind: MarkKind, at: f64, bottom: f64) -> String {
    match kind {
        MarkKind::Roam => format!("M{at:.1} {:.1}l4 4l-4 4l-4 -4Z", bottom - 8.0),
        MarkKind::Lost => format!("M{:.1} {:.1}l8 8m-8 0l8 -8", at - 4.0, bottom - 8.0),
        MarkKind::Failure => format!("M{:.1} {:.1}h8l-4 7Z", at - 4.0, bottom - 8.0),
    }
}
