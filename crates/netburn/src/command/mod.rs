//! What a person may type: one module for each command.

mod agent;
mod check;
mod client;
mod compare;
mod demo;
mod drawing;
mod fleet;
mod join;
mod kept;
mod notes;
mod output;
mod page;
mod report;
mod rounds;
mod run;
mod runs;
mod serve;
mod show;
mod trend;
mod watch;
mod wifi;
mod workloads;

use std::fmt::Display;
use std::io::{ErrorKind, Write, stderr, stdout};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

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
        Self { exit: Exit::CouldNot, message: told_once(error.chain().map(ToString::to_string)) }
    }
}

/// An error and its causes in one line. Many of ours name their cause in their own words; it is not repeated then.
fn told_once(chain: impl Iterator<Item = String>) -> String {
    chain.fold(String::new(), |told, cause| {
        if told.is_empty() {
            cause
        } else if told.contains(&cause) {
            told
        } else {
            format!("{told}: {cause}")
        }
    })
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
        Command::Demo(args) => (args.show.json, kept::with_index(args.out.as_deref(), || demo::demo(&args, color))),
        Command::Run(args) => {
            let run = || args.vs.as_ref().map_or_else(|| run::run(&args, color), |vs| rounds::run(&args, vs, color));
            (args.show.json, kept::with_index(args.out.as_deref(), run))
        }
        Command::Join(args) => (false, join::join_run(&args)),
        Command::Serve(args) => (false, serve::serve(&args)),
        Command::Client(args) => {
            (args.show.json, kept::with_index(args.out.as_deref(), || client::client(&args, color)))
        }
        Command::Report(args) => (args.format.json, report::report(&args, color)),
        Command::Compare(args) => (args.json, compare::compare(&args, color)),
        Command::Runs(args) => (args.json, runs::runs(&args, color)),
        Command::Trend(args) => (args.json, trend::trend(&args, color)),
        Command::Watch(args) => (false, watch::watch(&args)),
        Command::Check(args) => (false, check::check(&args)),
        Command::Wifi(args) => (args.json, wifi::wifi(&args)),
        Command::Fleet(args) => {
            let crate::cli::FleetCommand::Check(check) = &args.command;
            (check.json, fleet::fleet(&args))
        }
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
    // Whoever asked for a result and has none must not be told that all went well.
    let exit = if RESULT_LOST.load(Ordering::Relaxed) && exit != Exit::Usage { Exit::CouldNot } else { exit };
    exit.into()
}

/// A result could not be printed. What a command prints is its last word but for its exit code, so this is asked once, at the end.
static RESULT_LOST: AtomicBool = AtomicBool::new(false);

/// The command line is wrong, or only asked for help.
fn complain(error: &clap::Error) -> ExitCode {
    let _ = error.print();
    if !error.use_stderr() {
        return Exit::Good.into();
    }
    // Whoever asked for JSON gets a document, also where the rest of the line was wrong.
    if std::env::args().any(|arg| arg == "--json" || arg == "-J") {
        print(&burn_report::json::render_error(&in_one_line(&error.to_string()), Exit::Usage.code()));
    }
    Exit::Usage.into()
}

/// What is wrong with a command line, without the advice under it: `a value is required: --for <TIME>`.
fn in_one_line(complaint: &str) -> String {
    let lines: Vec<&str> = complaint.lines().take_while(|line| !line.trim().is_empty()).map(str::trim).collect();
    let line = match lines.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        [first, rest @ ..] => format!("{first} {}", rest.join(", ")),
    };
    line.trim_start_matches("error: ").to_owned()
}

/// Prints a result. Whoever closed the pipe does not want it, and that is no error.
fn print(text: &str) {
    let mut out = stdout().lock();
    let newline = if text.ends_with('\n') { "" } else { "\n" };
    match write!(out, "{text}{newline}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            RESULT_LOST.store(true, Ordering::Relaxed);
            say_error(&format!("cannot write the result: {error}"));
        }
        _ => {}
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cause_that_an_error_names_itself_is_not_told_twice() {
        let told = |chain: &[&str]| told_once(chain.iter().map(ToString::to_string));
        assert_eq!(told(&["cannot write: disk full; free some", "disk full"]), "cannot write: disk full; free some");
        assert_eq!(told(&["cannot start the server", "no such file"]), "cannot start the server: no such file");
    }

    #[test]
    fn a_complaint_of_several_lines_keeps_what_it_is_about() {
        let complaint =
            "error: the following required arguments were not provided:\n  --run <NAME>\n  --server <URL>\n\nUsage: …";
        let line = "the following required arguments were not provided: --run <NAME>, --server <URL>";
        assert_eq!(in_one_line(complaint), line);
        assert_eq!(
            in_one_line("error: unexpected argument '--fro' found\n\nUsage: …"),
            "unexpected argument '--fro' found"
        );
    }
}
