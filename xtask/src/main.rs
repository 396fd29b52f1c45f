//! The one menu of this workspace: `cargo xtask ci | bench | dist | wifi | exports | page | made-up | picture`.
//!
//! What a developer runs and what continuous integration runs is the same thing, and it stands here and not in
//! shell scripts: `./test` and `.ci/run` only see to it that the machine has what the menu needs.

use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, Subcommand};

mod apt;
mod bench;
mod ci;
mod dist;
mod exports;
mod made_up;
mod page;
mod picture;
mod wifi;

#[derive(Parser)]
#[command(name = "cargo xtask", about, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Every check that a change must pass: format, lints, documentation, tests, exports, pages, Wi-Fi. Stops at the
    /// first failure.
    Ci,
    /// Our client and server beside wrk, ab, oha and iperf3 on this machine, in one run.
    Bench(bench::Arguments),
    /// The program as single files for x86_64, aarch64 and armv7 Linux, which a run copies to devices.
    Dist(dist::Arguments),
    /// netburn on a real 802.11 stack: a station that roams in the middle of a call, in a virtual machine.
    Wifi,
    /// What `netburn report` exports, read by the tools that it is for: flent, DuckDB, Prometheus's parser, HdrHistogram.
    Exports,
    /// The file of a run that never took place, for trying what reads run files.
    MadeUp(made_up::Arguments),
    /// Pages as netburn writes them, tested in a browser; or a picture of one.
    Page(page::Arguments),
    /// Captured terminal text as an SVG picture.
    Picture(picture::Arguments),
    /// Part of `bench`: keeps one core busy for so many milliseconds.
    #[command(hide = true)]
    Busy { milliseconds: u64 },
    /// Part of `bench`: how late the kernel's timer wakes a process, in nanoseconds, one line for each tick.
    #[command(hide = true)]
    Ticks { per_second: u32, milliseconds: u64 },
}

#[expect(clippy::print_stderr, reason = "this is a program's front door: what went wrong is said here")]
fn main() -> ExitCode {
    let result = match Arguments::parse().task {
        Task::Ci => ci::run(),
        Task::Bench(arguments) => bench::run(&arguments),
        Task::Dist(arguments) => dist::run(&arguments),
        Task::Wifi => wifi::run(),
        Task::Exports => exports::run(),
        Task::MadeUp(arguments) => made_up::run(&arguments),
        Task::Page(arguments) => page::run(&arguments),
        Task::Picture(arguments) => picture::run(&arguments),
        Task::Busy { milliseconds } => {
            bench::spin::busy(Duration::from_millis(milliseconds));
            Ok(())
        }
        Task::Ticks { per_second, milliseconds } => {
            bench::spin::print_ticks(per_second, Duration::from_millis(milliseconds))
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
