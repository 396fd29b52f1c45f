//! Rows of styled text → SVG. Every run is placed by its column and stretched to its exact width, so that columns line up
//! whatever monospaced font the reader has.

use std::fmt::Write;

use super::ansi::{Colour, Row, Run, Style};

/// A character cell, in pixels; its height is a comfortable 1.4 of the letters' size.
const CELL_WIDTH: f64 = 8.4;
const CELL_HEIGHT: f64 = 20.0;
const FONT_SIZE: f64 = 14.0;
/// From the top of a cell to the line that letters stand on.
const BASELINE: f64 = 14.5;
const PADDING: f64 = 16.0;
/// The bar at the top, with three dots, that says "this is a terminal".
const BAR: f64 = 32.0;

const BACKGROUND: &str = "#0d1117";
const FOREGROUND: &str = "#e6edf3";
/// Colours 0–15. Each but black is legible on the background (a contrast of 4.5 or more, WCAG 2.1 §1.4.3).
const THEME: [&str; 16] = [
    "#484f58", "#ff7b72", "#56d364", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd", "#c9d1d9", "#8b949e", "#ffa198",
    "#7ee787", "#f2cc60", "#a5d6ff", "#e2c5ff", "#b3f0ff", "#ffffff",
];

/// The picture of these rows on a terminal of so many columns.
pub(super) fn render(rows: &[Row], columns: usize) -> String {
    let width = cells(columns, CELL_WIDTH) + 2.0 * PADDING;
    let height = BAR + cells(rows.len(), CELL_HEIGHT) + PADDING;
    let mut svg = String::new();
    // Writing to a string does not fail.
    let _ = write!(
        svg,
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0}" height="{height:.0}" viewBox="0 0 {width:.1} {height:.1}">
<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>
<g fill="#30363d"><circle cx="18" cy="16" r="5"/><circle cx="36" cy="16" r="5"/><circle cx="54" cy="16" r="5"/></g>
<g font-family="ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono','Liberation Mono',monospace" font-size="{FONT_SIZE}" fill="{FOREGROUND}" xml:space="preserve">
"##
    );
    for (i, row) in rows.iter().enumerate() {
        let top = BAR + cells(i, CELL_HEIGHT);
        for run in row {
            draw(&mut svg, run, top);
        }
    }
    svg + "</g>\n</svg>\n"
}

fn draw(svg: &mut String, run: &Run, top: f64) {
    let (foreground, background) = colours(run.style);
    let left = PADDING + cells(run.column, CELL_WIDTH);
    if let Some(background) = background {
        let width = cells(run.text.chars().count(), CELL_WIDTH);
        let _ = writeln!(
            svg,
            r#"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{CELL_HEIGHT}" fill="{background}"/>"#
        );
    }
    // Gaps are not drawn: what stands behind each is placed by its own column.
    for (skipped, word) in pieces(&run.text) {
        let left = left + cells(skipped, CELL_WIDTH);
        let width = cells(word.chars().count(), CELL_WIDTH);
        let baseline = top + BASELINE;
        let mut attributes = String::new();
        if foreground != FOREGROUND {
            let _ = write!(attributes, r#" fill="{foreground}""#);
        }
        for (set, attribute) in [
            (run.style.bold, r#" font-weight="bold""#),
            (run.style.dim, r#" opacity="0.65""#),
            (run.style.italic, r#" font-style="italic""#),
            (run.style.underline, r#" text-decoration="underline""#),
        ] {
            if set {
                attributes += attribute;
            }
        }
        let _ = writeln!(
            svg,
            r#"<text x="{left:.1}" y="{baseline:.1}" textLength="{width:.1}" lengthAdjust="spacingAndGlyphs"{attributes}>{}</text>"#,
            escaped(word)
        );
    }
}

/// The pieces of `text` between gaps of two spaces or more, each with its column.
fn pieces(text: &str) -> Vec<(usize, &str)> {
    let mut pieces = Vec::new();
    let mut column = 0;
    for part in text.split("  ") {
        let trimmed = part.trim_start_matches(' ');
        let piece = trimmed.trim_end_matches(' ');
        if !piece.is_empty() {
            pieces.push((column + (part.len() - trimmed.len()), piece));
        }
        column += part.chars().count() + 2;
    }
    pieces
}

/// What is drawn with, and what behind it.
fn colours(style: Style) -> (String, Option<String>) {
    let foreground = style.foreground.map_or_else(|| FOREGROUND.to_owned(), hexadecimal);
    let background = style.background.map(hexadecimal);
    if style.inverse {
        return (background.unwrap_or_else(|| BACKGROUND.to_owned()), Some(foreground));
    }
    (foreground, background)
}

fn hexadecimal(colour: Colour) -> String {
    let (red, green, blue) = match colour {
        Colour::Exact(red, green, blue) => (red, green, blue),
        Colour::Indexed(index) => match index {
            0..=15 => return THEME[usize::from(index)].to_owned(),
            // xterm's 256 colours: a cube with the levels 0, 95, 135, …, 255, then greys 8, 18, …, 238.
            16..=231 => {
                let level = |digit: u8| if digit == 0 { 0 } else { 55 + 40 * digit };
                let digits = index - 16;
                (level(digits / 36), level(digits / 6 % 6), level(digits % 6))
            }
            232..=255 => {
                let grey = 8 + 10 * (index - 232);
                (grey, grey, grey)
            }
        },
    };
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[expect(clippy::cast_precision_loss, reason = "a count of characters on a screen")]
fn cells(count: usize, size: f64) -> f64 {
    count as f64 * size
}

#[cfg(test)]
mod tests {
    use super::super::draw;
    use super::*;

    #[test]
    fn a_picture_is_as_large_as_its_rows_and_columns() {
        // Width 10 × 8.4 + 2 × 16 = 116; height 32 + 2 × 20 + 16 = 88.
        let svg = draw("a\nb\n", 10);
        assert!(svg.starts_with(r#"<svg xmlns="http://www.w3.org/2000/svg" width="116" height="88""#), "{svg}");
        assert!(svg.ends_with("</g>\n</svg>\n"));
    }

    #[test]
    fn text_stands_at_its_column_with_its_colour_and_weight() {
        // Column 3: 16 + 3 × 8.4 = 41.2, 4 characters wide: 33.6; the first row's letters stand at 32 + 14.5 = 46.5.
        let svg = draw("ab \u{1b}[1;31mFAIL\u{1b}[0m", 80);
        let expected = r##"<text x="41.2" y="46.5" textLength="33.6" lengthAdjust="spacingAndGlyphs" fill="#ff7b72" font-weight="bold">FAIL</text>"##;
        assert!(svg.contains(expected), "{svg}");
    }

    #[test]
    fn inverse_text_swaps_its_colours() {
        let svg = draw("\u{1b}[7mx", 80);
        assert!(svg.contains(r##"height="20" fill="#e6edf3"/>"##), "{svg}");
        assert!(svg.contains(r##"fill="#0d1117">x</text>"##), "{svg}");
    }

    #[test]
    fn what_means_something_in_svg_is_escaped_and_nothing_is_loaded() {
        let svg = draw("<script>&\"'", 80);
        assert!(svg.contains("&lt;script&gt;&amp;\"'</text>"), "{svg}");
        // The only address is the name of the format.
        assert_eq!(svg.matches("://").count(), 1);
        assert_eq!(svg.matches("href").count() + svg.matches("url(").count(), 0);
    }

    #[test]
    fn gaps_split_text_and_single_spaces_do_not() {
        assert_eq!(pieces("  a b   c  "), [(2, "a b"), (8, "c")]);
        assert_eq!(pieces("é  x"), [(0, "é"), (3, "x")]);
        assert_eq!(pieces("    "), []);
    }

    #[test]
    fn indexed_colours_follow_the_cube_and_the_greys() {
        // 208 = 16 + 5×36 + 2×6 + 0: levels 255, 135, 0. 244 is the 13th grey: 8 + 12 × 10 = 128.
        assert_eq!(hexadecimal(Colour::Indexed(208)), "#ff8700");
        assert_eq!(hexadecimal(Colour::Indexed(244)), "#808080");
        assert_eq!(hexadecimal(Colour::Indexed(255)), "#eeeeee");
        assert_eq!(hexadecimal(Colour::Exact(1, 2, 255)), "#0102ff");
        assert_eq!(hexadecimal(Colour::Indexed(2)), "#56d364");
    }
}
