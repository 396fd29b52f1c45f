//! What a person may type: one module for each command.

mod agent;
mod check;
mod client;
mod demo;
mod report;
mod run;
mod serve;
mod show;
mod workloads;

use std::fmt::Display;
use std::io::{Write, stderr, stdout};
use std::process::ExitCode;

use clap::Parser;

use crate::cli::{Cli, Command};
use crate::exit::Exit;

/// A command that came to nothing: what to tell the person, and how to end.
#[derive(Debug)]
struct Failure {
    exit: Exit,
    message: String,
}

impl Failure {
    /// What was typed, or a file that was named, is wrong.
    fn usage(message: impl Display) -> Self {
        Self { exit: Exit::Usage, message: message.to_string() }
    }

    /// It was right, but could not be done.
    fn could_not(error: &anyhow::Error) -> Self {
        Self { exit: Exit::CouldNot, message: format!("{error:#}") }
    }
}

/// Runs the program on the command line that it was started with.
#[must_use]
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return complain(&error),
    };
    let color = cli.color;
    let (json, outcome) = match cli.command {
        Command::Demo(args) => (args.show.json, demo::demo(&args, color)),
        Command::Run(args) => (args.show.json, run::run(&args, color)),
        Command::Serve(args) => (false, serve::serve(&args)),
        Command::Client(args) => (args.show.json, client::client(&args, color)),
        Command::Report(args) => (args.json, report::report(&args, color)),
        Command::Check(args) => (false, check::check(&args)),
        Command::Workloads(_) => (false, workloads::workloads()),
        Command::Agent(args) => (false, agent::agent(&args)),
    };
    let exit = outcome.unwrap_or_else(|failure| {
        say_error(&failure.message);
        if json {
            print(&burn_report::json::render_error(&failure.message, failure.exit.code()));
        }
        failure.exit
    });
    exit.into()
}

/// The command line is wrong, or only asked for help.
fn complain(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if !error.use_stderr() {
        return Exit::Good.into();
    }
    // Whoever asked for JSON gets a document, also where the rest of the line was wrong.
    if std::env::args().any(|arg| arg == "--json" || arg == "-J") {
        let message = error.to_string();
        let message = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
        print(&burn_report::json::render_error(message, Exit::Usage.code()));
    }
    Exit::Usage.into()
}

/// Prints a result. Whoever closed the pipe does not want it, and that is no error.
fn print(text: &str) {
    let mut out = stdout().lock();
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    let _ = write!(out, "{text}{newline}");
    let _ = out.flush();
}

/// Tells the person what went wrong.
fn say_error(message: &str) {
    let _ = writeln!(stderr(), "netburn: {message}");
}

/// Tells the person something beside the result.
fn say(quiet: bool, message: &str) {
    if !quiet {
        let _ = writeln!(stderr(), "{message}");
    }
}
