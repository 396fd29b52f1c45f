//! The arrows between the workspace's crates are the ones that ARCHITECTURE.md draws, and the pure crates stay pure.

use std::collections::{BTreeMap, BTreeSet};

use cargo_metadata::{DependencyKind, PackageId};

use super::workspace;

/// Who may depend on whom, among ourselves. A crate that is missing here fails the test: a new room in the house is
/// a decision, and its doors are too.
const ARROWS: [(&str, &[&str]); 8] = [
    ("burn-load", &["burn-model"]),
    ("burn-model", &[]),
    ("burn-report", &["burn-model"]),
    ("netburn", &["burn-load", "burn-model", "burn-report", "netburn-io", "netburn-lab", "netburn-wifi"]),
    ("netburn-io", &["burn-load", "burn-model"]),
    ("netburn-lab", &[]),
    ("netburn-wifi", &[]),
    ("xtask", &["burn-load", "burn-model"]),
];

/// Crates in which the same input gives the same output.
const PURE: [&str; 3] = ["burn-load", "burn-model", "burn-report"];

/// Doors to the world outside: an async runtime, a socket, the operating system, a random source that is not a seed.
/// `libc` is not here: it is a table of constants to crates that never open anything (`cpufeatures`, for one).
const OUTSIDE: [&str; 20] = [
    "async-io",
    "async-std",
    "axum",
    "calloop",
    "futures-executor",
    "getrandom",
    "h2",
    "hyper",
    "io-uring",
    "mio",
    "nix",
    "polling",
    "quinn",
    "rand",
    "reqwest",
    "rustix",
    "smol",
    "socket2",
    "tokio",
    "windows-sys",
];

#[test]
fn crates_depend_on_each_other_as_drawn_and_in_no_other_way() {
    let metadata = workspace();
    let members: BTreeSet<String> = metadata.workspace_packages().iter().map(|p| p.name.to_string()).collect();
    let drawn: BTreeMap<&str, BTreeSet<&str>> =
        ARROWS.iter().map(|(from, to)| (*from, to.iter().copied().collect())).collect();
    assert_eq!(members.iter().map(String::as_str).collect::<BTreeSet<_>>(), drawn.keys().copied().collect());

    for package in metadata.workspace_packages() {
        let name = package.name.as_str();
        let ours = |wanted: DependencyKind| -> BTreeSet<&str> {
            let dependencies = package.dependencies.iter().filter(|d| d.kind == wanted);
            dependencies.map(|d| d.name.as_str()).filter(|d| members.contains(*d)).collect()
        };
        assert_eq!(ours(DependencyKind::Normal), drawn[name], "what {name} depends on");
        assert!(ours(DependencyKind::Build).is_empty(), "{name} builds with one of ours");
        // A test may stand in an emulated network, but may not turn an arrow round.
        let mut in_tests = drawn[name].clone();
        in_tests.insert("netburn-lab");
        let stray: Vec<_> = ours(DependencyKind::Development).difference(&in_tests).copied().collect();
        assert!(stray.is_empty(), "the tests of {name} depend on {stray:?}");
    }
}

#[test]
fn pure_crates_reach_no_runtime_no_socket_and_no_operating_system() {
    let metadata = workspace();
    let graph = metadata.resolve.as_ref().expect("a resolved graph");
    let names: BTreeMap<&PackageId, &str> = metadata.packages.iter().map(|p| (&p.id, p.name.as_str())).collect();
    let arrows: BTreeMap<&PackageId, Vec<&PackageId>> = graph
        .nodes
        .iter()
        .map(|node| {
            let normal = node.deps.iter().filter(|d| d.dep_kinds.iter().any(|k| k.kind == DependencyKind::Normal));
            (&node.id, normal.map(|d| &d.pkg).collect())
        })
        .collect();

    for pure in PURE {
        let start =
            &metadata.workspace_packages().iter().find(|p| p.name.as_str() == pure).expect("a member").id.clone();
        // Each package that is reached, with the one through which it was reached first.
        let mut reached: BTreeMap<&PackageId, &PackageId> = BTreeMap::new();
        let mut open = vec![start];
        while let Some(package) = open.pop() {
            for next in &arrows[package] {
                if reached.insert(next, package).is_none() {
                    open.push(next);
                }
            }
        }
        assert!(!reached.is_empty(), "{pure} reaches nothing at all: the walk is broken");
        for (package, through) in reached {
            assert!(!OUTSIDE.contains(&names[package]), "{pure} reaches {} through {}", names[package], names[through]);
        }
    }
}
