//! `netburn report`: a run again, from its file.

use std::path::Path;

use burn_model::judge::{Judgement, judge};
use burn_model::run::RunRecord;

use super::{Failure, output, show};
use crate::cli::{ColorChoice, Report};
use crate::exit::Exit;
use crate::run_file;

pub(super) fn report(args: &Report, color: ColorChoice) -> Result<Exit, Failure> {
    let run = run_file::read(&args.run).map_err(Failure::usage)?;
    let judgement = judge(&run);
    let exit = Exit::of(judgement.verdict, args.strict);
    // What a terminal would colour has no place in a file.
    let color = if args.output.is_some() && color == ColorChoice::Auto { ColorChoice::Never } else { color };
    let bytes = bytes(args, &run, &judgement, exit, color);
    output::write(args.output.as_deref().unwrap_or(Path::new("-")), &bytes)?;
    Ok(exit)
}

/// The report in the form that was asked for.
fn bytes(args: &Report, run: &RunRecord, judgement: &Judgement, exit: Exit, color: ColorChoice) -> Vec<u8> {
    if args.json {
        burn_report::json::render(run, judgement, exit.code()).into_bytes()
    } else if args.csv {
        burn_report::csv::render(run, judgement).into_bytes()
    } else {
        show::text(run, judgement, color).into_bytes()
    }
}
