//! Waiting for what another process does.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Looks again and again until there is something to see. The limit is for a test that would otherwise hang.
pub(crate) fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "waited a minute for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// The run file of a folder that has one: beside it is the index of runs.
pub(crate) fn run_file(folder: &Path) -> Option<PathBuf> {
    let mut files = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path());
    files.find(|file| file.extension().is_some_and(|ending| ending == "netburn"))
}

/// The processes that run this very file.
pub(crate) fn running(file: &Path) -> Vec<u32> {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let pids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    pids.filter(|pid| fs::read_link(format!("/proc/{pid}/exe")).is_ok_and(|exe| exe == file)).collect()
}
