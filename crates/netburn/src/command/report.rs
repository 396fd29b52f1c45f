//! `netburn report`: a run again, from its file.

use burn_model::judge::judge;

use super::{Failure, print, show};
use crate::cli::{ColorChoice, Report};
use crate::exit::Exit;
use crate::run_file;

pub(super) fn report(args: &Report, color: ColorChoice) -> Result<Exit, Failure> {
    let run = run_file::read(&args.run).map_err(Failure::usage)?;
    let judgement = judge(&run);
    let exit = Exit::of(judgement.verdict, args.strict);
    if args.json {
        print(&burn_report::json::render(&run, &judgement, exit.code()));
    } else if args.csv {
        print(&burn_report::csv::render(&run, &judgement));
    } else {
        print(&show::text(&run, &judgement, color));
    }
    Ok(exit)
}
