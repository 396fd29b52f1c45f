//! Takes the script and the style sheet that draw a page's figures from `ui/dist`, where `npm run build` put them. No build of
//! ours calls npm: where they are not there, the program is built all the same, and its pages have static drawings.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> Result<(), Box<dyn Error>> {
    let from = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("../../ui/dist");
    let to = PathBuf::from(env::var("OUT_DIR")?);
    // The folder is committed, for a file that is missing would have cargo build anew each time; what comes into it is not.
    println!("cargo::rerun-if-changed={}", from.display());
    let mut missing = false;
    for name in ["page.js", "page.css"] {
        let text = match fs::read_to_string(from.join(name)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(format!("cannot read {}: {error}", from.join(name).display()).into()),
        };
        missing |= text.is_empty();
        fs::write(to.join(name), text)?;
    }
    if missing {
        println!(
            "cargo::warning=pages will have static drawings only: ui/dist is empty (cd ui && npm ci && npm run build)"
        );
    }
    Ok(())
}
