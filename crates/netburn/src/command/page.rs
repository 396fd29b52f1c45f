//! A result as a page for a browser.

use std::path::Path;

use super::{Failure, output, say};

/// Writes a page, and says where it is.
pub(super) fn write(file: &Path, page: &str, quiet: bool) -> Result<(), Failure> {
    output::write(file, page.as_bytes())?;
    say(quiet || file == Path::new("-"), &format!("Page: {}", file.display()));
    Ok(())
}
