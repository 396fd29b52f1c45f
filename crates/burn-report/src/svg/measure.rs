//! How much room letters and lines take.

/// Size of all letters but a heading's.
pub(super) const LETTERS: f64 = 11.0;
/// What a letter takes at most, in the widest of the usual fonts.
const COLUMN: f64 = 6.3;
/// From one line of letters to the next.
pub(super) const LINE: f64 = 15.0;
/// Beside the box: room for numbers.
pub(super) const LEFT: f64 = 56.0;

/// How many columns of letters go into a width.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a drawing is some thousand pixels wide")]
pub(super) fn columns(width: f64) -> usize {
    (width / COLUMN).max(0.0) as usize
}

/// The width of so many columns of letters.
#[expect(clippy::cast_precision_loss, reason = "a text in a drawing is short")]
pub(super) fn room(columns: usize) -> f64 {
    columns as f64 * COLUMN
}
