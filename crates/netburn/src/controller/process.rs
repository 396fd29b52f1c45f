//! This program's own processes: how they are started, and what they say last.

use std::os::unix::process::CommandExt;
use std::process::Command;

use anyhow::{Context, Result};
use netburn_lab::end_with_spawning_thread;
use tokio::io::AsyncReadExt;
use tokio::process::ChildStderr;

use crate::control::testimony::legible;

/// This very program, in a process group of its own: a Ctrl-C is for the controller, which ends the others in order. One
/// that hangs does not hear that its stdin is closed, so the kernel ends it where the controller cannot.
pub(crate) fn own_program() -> Result<Command> {
    let path = std::env::current_exe().context("cannot find this program's own file to start agents from")?;
    let mut command = Command::new(path);
    command.process_group(0);
    // The controller's one thread spawns all children, and lives as long as the run.
    end_with_spawning_thread(&mut command);
    Ok(command)
}

/// The last line that a process wrote to stderr, cut to a length that a message can hold.
pub(crate) async fn last_words(mut stderr: ChildStderr) -> String {
    let mut kept = Vec::new();
    let mut buffer = vec![0; 4096];
    while let Ok(n @ 1..) = stderr.read(&mut buffer).await {
        kept.extend_from_slice(buffer.get(..n).unwrap_or_default());
        let excess = kept.len().saturating_sub(4096);
        kept.drain(..excess);
    }
    let text = String::from_utf8_lossy(&kept);
    legible(text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim(), 300)
}
