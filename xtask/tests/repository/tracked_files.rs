//! Rules for the files that are committed.

use std::process::Command;

use super::top;

/// Rust files that may be longer than [`LONG`], each with the reason why it is one room all the same.
const LONG_FILES: [(&str, &str); 0] = [];
const LONG: usize = 500;

/// Every tracked text file that is there, by its path from the top of the repository.
fn tracked_texts() -> Vec<(String, String)> {
    let listed = Command::new("git")
        .args(["-c", "safe.directory=*", "ls-files", "-z"])
        .current_dir(top())
        .output()
        .expect("git is installed, to tell which files are tracked");
    assert!(listed.status.success(), "git ls-files: {}", String::from_utf8_lossy(&listed.stderr));
    let listed = String::from_utf8(listed.stdout).expect("paths are UTF-8");
    let paths = listed.split_terminator('\0');
    let texts: Vec<_> = paths
        .filter_map(|path| Some((path.to_owned(), String::from_utf8(std::fs::read(top().join(path)).ok()?).ok()?)))
        .collect();
    assert!(texts.iter().any(|(path, _)| path == "Cargo.toml"), "the list of tracked files is not this repository's");
    texts
}

/// Whether `text` names `host`: as a whole word, or as the end of a longer host name.
fn names_host(text: &str, host: &str) -> bool {
    text.match_indices(host).any(|(at, _)| {
        let part_of_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let before = text[..at].chars().next_back();
        let mut after = text[at + host.len()..].chars();
        let goes_on = match after.next() {
            Some('.') => after.next().is_some_and(part_of_name),
            Some(c) => part_of_name(c),
            None => false,
        };
        !before.is_some_and(part_of_name) && !goes_on
    })
}

#[test]
fn no_committed_file_names_the_host_of_a_package_registry() {
    // Builds take what they need through their ordinary clients, which know where their registry is, or are told by
    // the machine (a mirror, a proxy). In pieces, so that this file does not name them either.
    let hosts: Vec<String> = [
        ["crates", "io"],
        ["registry.npmjs", "org"],
        ["registry.yarnpkg", "com"],
        ["pypi", "org"],
        ["pythonhosted", "org"],
        ["deb.debian", "org"],
        ["security.debian", "org"],
        ["proxy.golang", "org"],
        ["rubygems", "org"],
        ["docker", "io"],
        ["ghcr", "io"],
    ]
    .iter()
    .map(|pieces| pieces.join("."))
    .collect();
    for (path, text) in tracked_texts() {
        for host in &hosts {
            assert!(!names_host(&text, host), "{path} names {host}");
        }
    }
}

#[test]
fn a_host_is_found_as_a_word_and_not_inside_another_word() {
    for text in ["x.example", "https://x.example/a", "static.x.example", "at x.example.", "x.example:80"] {
        assert!(names_host(text, "x.example"), "{text}");
    }
    for text in ["x.example-index", "xx.example", "x.example.net", "x-x.exampled", "-x.example"] {
        assert!(!names_host(text, "x.example"), "{text}");
    }
}

#[test]
fn no_rust_file_is_longer_than_one_room_without_a_reason() {
    let mut missing: Vec<&str> = LONG_FILES.iter().map(|(path, _)| *path).collect();
    for (path, text) in tracked_texts().iter().filter(|(path, _)| path.ends_with(".rs")) {
        let lines = text.lines().count();
        if lines <= LONG {
            continue;
        }
        let listed = LONG_FILES.iter().any(|(listed, reason)| listed == path && !reason.is_empty());
        assert!(listed, "{path} has {lines} lines: split it, or list it in this test with the reason");
        missing.retain(|listed| listed != path);
    }
    assert!(missing.is_empty(), "no longer over {LONG} lines, or gone; take it off the list: {missing:?}");
}
