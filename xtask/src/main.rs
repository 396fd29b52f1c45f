//! The one menu of this workspace: `cargo xtask ci | bench | picture`.
//!
//! What a developer runs and what continuous integration runs is the same thing, and it stands here and not in
//! shell scripts: `./test` and `.ci/run` only see to it that the machine has what the menu needs.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

mod ci;

#[derive(Parser)]
#[command(name = "cargo xtask", about, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Every check that a change must pass: format, lints, documentation, tests. Stops at the first failure.
    Ci,
}

#[expect(clippy::print_stderr, reason = "this is a program's front door: what went wrong is said here")]
fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Ci => ci::run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
