//! What draws the figures in the page, where this program was built with it.

/// The script that draws the figures; empty where the program was built without it.
pub const SCRIPT: &str = "";

/// Its style sheet.
pub const STYLE: &str = "";
