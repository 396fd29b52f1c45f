//! What we stand on is written down in `docs/decisions/0001-dependencies.md`, comes from the registry, and may be used.
use std::collections::BTreeSet;

use super::{top, workspace};

const PAGE: &str = "docs/decisions/0001-dependencies.md";

/// Licences that agree with MIT OR Apache-2.0 for the whole.
const LICENCES: [&str; 13] = [
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    // Of tiny-keccak alone, which cargo counts although only wasm would build it.
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    // These two are of fonts, which a program may carry.
    "OFL-1.1",
    "Ubuntu-font-1.0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether a licence expression (SPDX, or with the slashes of old manifests) can be met with [`LICENCES`] alone.
fn may_be_used(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ");
    // Every part of an AND, and one part of an OR; parentheses group the one level that manifests use.
    let parts = expression.split(" AND ");
    parts.into_iter().all(|part| {
        let part = part.trim().trim_start_matches('(').trim_end_matches(')');
        part.split(" OR ").any(|licence| LICENCES.contains(&licence.trim()))
    })
}

#[test]
fn every_crate_that_we_use_has_its_line_and_every_line_its_crate() {
    let metadata = workspace();
    let ours: BTreeSet<String> = metadata.workspace_packages().iter().map(|p| p.name.to_string()).collect();
    let all = metadata.workspace_packages();
    let used: BTreeSet<&str> = all.iter().flat_map(|p| &p.dependencies).map(|d| d.name.as_str()).collect();
    let used: BTreeSet<&str> = used.into_iter().filter(|name| !ours.contains(*name)).collect();
    let page = std::fs::read_to_string(top().join(PAGE)).expect("the page of decisions");
    let lines = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let explained: BTreeSet<&str> = lines.map(|(name, _)| name).collect();
    assert_eq!(used, explained, "left: used by the workspace; right: explained in {PAGE}");
}

#[test]
fn every_crate_comes_from_the_registry_under_a_licence_that_agrees_with_ours() {
    for package in workspace().packages {
        let Some(source) = &package.source else { continue };
        assert!(source.repr.starts_with("registry+"), "{} comes from {source}", package.name);
        let licence = package.license.as_deref().unwrap_or("none that it states");
        assert!(may_be_used(licence), "{} {} is under {licence}", package.name, package.version);
    }
}

#[test]
fn licence_expressions_are_read_as_spdx_means_them() {
    for good in ["MIT", "MIT/Apache-2.0", "GPL-3.0 OR MIT", "(MIT OR Apache-2.0) AND Unicode-3.0", "Unlicense OR MIT"] {
        assert!(may_be_used(good), "{good}");
    }
    for bad in ["GPL-3.0", "MIT AND GPL-3.0", "(GPL-3.0 OR MPL-2.0) AND MIT", "MITX", "", "none that it states"] {
        assert!(!may_be_used(bad), "{bad}");
    }
}
