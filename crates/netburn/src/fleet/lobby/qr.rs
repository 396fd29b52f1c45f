//! QR codes for a terminal: two modules in one character, the lower half in its lower half.
//!
//! Light modules are drawn as bright blocks on black, with colours of their own, so that a camera sees dark on light whether the
//! terminal's own background is dark or light.

use fast_qr::{ECL, QRBuilder};

/// Light modules around the code (ISO/IEC 18004 asks for 4; cameras are content with 2, and a terminal is small).
const MARGIN: usize = 2;
/// White on black, whatever the terminal's own colours are.
const COLOURS: &str = "\x1b[97;40m";
const PLAIN: &str = "\x1b[0m";

/// The text as a QR code of at most `columns`, with a newline after each row.
pub(super) fn picture(text: &str, columns: usize) -> Option<String> {
    let modules = modules(text)?;
    let width = modules.len() + 2 * MARGIN;
    if width > columns {
        return None;
    }
    // Outside of the code all is light.
    let is_dark = |row: usize, column: usize| {
        let within = |at: usize| at.checked_sub(MARGIN);
        let module = within(row).zip(within(column)).and_then(|(row, column)| modules.get(row)?.get(column));
        module.copied().unwrap_or(false)
    };
    let mut picture = String::new();
    for row in (0..width).step_by(2) {
        picture.push_str(COLOURS);
        for column in 0..width {
            // Below the last row is the terminal, drawn as dark.
            let (upper, lower) = (is_dark(row, column), row + 1 >= width || is_dark(row + 1, column));
            picture.push(match (upper, lower) {
                (false, false) => '█',
                (false, true) => '▀',
                (true, false) => '▄',
                (true, true) => ' ',
            });
        }
        picture.push_str(PLAIN);
        picture.push('\n');
    }
    Some(picture)
}

/// The dark modules, row by row.
fn modules(text: &str) -> Option<Vec<Vec<bool>>> {
    // The lowest level of correction: a screen is neither torn nor stained.
    let code = QRBuilder::new(text).ecl(ECL::L).build().ok()?;
    Some((0..code.size).map(|row| code[row].iter().map(|module| module.value()).collect()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINK: &str = "HTTPS://192.168.1.10:4040/J/0123456789.ZZZZZZZZZZZZZZZZZZZZZZZZZW";

    /// What a camera sees of the picture, 4 pixels for each module.
    fn seen(picture: &str) -> Vec<Vec<bool>> {
        let mut rows = Vec::new();
        for line in picture.lines() {
            let cells = line.strip_prefix(COLOURS).unwrap().strip_suffix(PLAIN).unwrap();
            let halves = cells.chars().map(|c| match c {
                '█' => (false, false),
                '▀' => (false, true),
                '▄' => (true, false),
                ' ' => (true, true),
                other => panic!("{other}"),
            });
            let (upper, lower): (Vec<_>, Vec<_>) = halves.unzip();
            rows.extend([upper, lower]);
        }
        rows
    }

    #[test]
    fn a_camera_reads_the_link_from_the_picture() {
        let rows = seen(&picture(LINK, 80).unwrap());
        let side = rows.len() * 4;
        let pixel = |x: usize, y: usize| if rows[y / 4].get(x / 4).copied().unwrap_or(true) { 0 } else { 255 };
        let mut image = rqrr::PreparedImage::prepare_from_greyscale(side, side, pixel);
        let found = image.detect_grids();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].decode().unwrap().1, LINK);
    }

    #[test]
    fn a_link_takes_33_columns_and_17_rows() {
        // 65 characters of the compact mode: version 3 holds 77, in 29 × 29 modules (ISO/IEC 18004, table 7).
        let picture = picture(LINK, 33).unwrap();
        assert_eq!(picture.lines().count(), 17);
        let cells = picture.lines().map(|line| line.chars().count() - COLOURS.len() - PLAIN.len());
        assert!(cells.into_iter().all(|cells| cells == 33));
    }

    #[test]
    fn what_does_not_fit_is_left_out() {
        assert_eq!(picture(LINK, 32), None);
        assert_eq!(picture(&"x".repeat(10_000), 1000), None);
    }
}
