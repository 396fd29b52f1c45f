//! What must be true of this repository as a whole, whatever its programs do.
#![expect(clippy::expect_used, reason = "helpers of tests fail by panicking")]

use std::path::PathBuf;

use cargo_metadata::{Metadata, MetadataCommand};

mod arrows;
mod dependencies;
mod tracked_files;

/// The top of the repository.
fn top() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The workspace and all that it stands on, as cargo resolves it.
fn workspace() -> Metadata {
    // For Linux alone: the graph of every platform holds packages that no build here has fetched.
    let platform = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    MetadataCommand::new()
        .manifest_path(top().join("Cargo.toml"))
        .other_options(["--locked".to_owned(), "--filter-platform".to_owned(), platform])
        .exec()
        .expect("cargo metadata works where this test was built")
}
