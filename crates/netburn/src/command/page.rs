//! A result as a page for a browser.

use std::path::Path;

use super::{Failure, output, say, say_error};
use crate::exit::Exit;

/// Whether a page that is wanted can be written when its run is over.
pub(super) fn check(file: Option<&Path>) -> Result<(), Failure> {
    file.map_or(Ok(()), output::check)
}

/// Writes a page, and says where it is.
pub(super) fn write(file: &Path, page: &str, quiet: bool) -> Result<(), Failure> {
    output::write(file, page.as_bytes())?;
    say(quiet || file == Path::new("-"), &format!("Page: {}", file.display()));
    Ok(())
}

/// Writes a page beside a result that was shown already, where one is wanted. Where that fails the person is told, and the program
/// ends as such.
pub(super) fn also(file: Option<&Path>, page: impl FnOnce() -> String, quiet: bool, exit: Exit) -> Exit {
    match file.map_or(Ok(()), |file| write(file, &page(), quiet)) {
        Ok(()) => exit,
        Err(failure) => {
            say_error(&failure.message);
            failure.exit
        }
    }
}
