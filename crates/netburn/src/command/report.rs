//! `netburn report`: a run again, from its file.

use std::path::Path;

use burn_model::judge::{Judgement, judge};
use burn_model::run::RunRecord;

use super::{Failure, drawing, output, page, show};
use crate::cli::{ColorChoice, Format, Report, Rows};
use crate::exit::Exit;
use crate::run_file;

pub(super) fn report(args: &Report, color: ColorChoice) -> Result<Exit, Failure> {
    let run = run_file::read(&args.run).map_err(Failure::usage)?;
    let judgement = judge(&run);
    let exit = Exit::of(judgement.verdict, args.strict);
    if let Some(file) = &args.format.html {
        page::write(file, &burn_report::html::render(&run, &judgement), false)?;
        return Ok(exit);
    }
    // What a terminal would colour has no place in a file.
    let color = if args.output.is_some() && color == ColorChoice::Auto { ColorChoice::Never } else { color };
    let bytes = match drawing::bytes(&args.drawing, args.width, &run, &judgement)? {
        Some(drawing) => drawing,
        None => bytes(args.format.wanted(), &run, &judgement, exit, color)?,
    };
    output::write(args.output.as_deref().unwrap_or(Path::new("-")), &bytes)?;
    Ok(exit)
}

/// The run in the form that was asked for.
fn bytes(
    format: Format,
    run: &RunRecord,
    judgement: &Judgement,
    exit: Exit,
    color: ColorChoice,
) -> Result<Vec<u8>, Failure> {
    let text = match format {
        Format::Text => show::text(run, judgement, color),
        Format::Json => burn_report::json::render(run, judgement, exit.code()),
        Format::Csv(Rows::Applications) => burn_report::csv::render(run, judgement),
        Format::Csv(Rows::Seconds) => burn_report::csv::render_seconds(run),
        Format::OpenMetrics => burn_report::openmetrics::render(run, judgement).map_err(Failure::usage)?,
        Format::Hdr => burn_report::hdr::render(run, judgement).map_err(Failure::usage)?,
        Format::Flent => return burn_report::flent::render(run, judgement).map_err(Failure::usage),
    };
    Ok(text.into_bytes())
}
