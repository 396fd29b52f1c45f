//! `netburn report`: a run again, from its file.

use std::path::Path;

use burn_model::judge::{Judgement, judge};
use burn_model::run::RunRecord;

use super::{Failure, drawing, kept, output, page, say, show};
use crate::cli::{ColorChoice, Format, Report, Rows};
use crate::exit::Exit;
use crate::operations::{self, ExportError};
use crate::run_file;

pub(super) fn report(args: &Report, color: ColorChoice) -> Result<Exit, Failure> {
    let file = kept::find(&args.run)?;
    let run = run_file::read(&file).map_err(Failure::usage)?;
    let judgement = judge(&run);
    let exit = Exit::of(judgement.verdict, args.strict);
    if let Some(page) = &args.format.html {
        page::write(page, &burn_report::html::render(&run, &judgement), false)?;
        return Ok(exit);
    }
    let output = args.output.as_deref().unwrap_or(Path::new("-"));
    if let Some(drawing) = drawing::bytes(&args.drawing, args.width, &run, &judgement)? {
        output::write(output, &drawing)?;
        return Ok(exit);
    }
    // What a terminal would colour has no place in a file.
    let color = if args.output.is_some() && color == ColorChoice::Auto { ColorChoice::Never } else { color };
    let bytes = match args.format.wanted() {
        Format::Text => show::text(&run, &judgement, color).into_bytes(),
        Format::Json => burn_report::json::render(&run, &judgement, exit.code()).into_bytes(),
        Format::Csv(Rows::Applications) => burn_report::csv::render(&run, &judgement).into_bytes(),
        Format::Csv(Rows::Seconds) => burn_report::csv::render_seconds(&run).into_bytes(),
        Format::OpenMetrics => burn_report::openmetrics::render(&run, &judgement).map_err(Failure::usage)?.into_bytes(),
        Format::Hdr => burn_report::hdr::render(&run, &judgement).map_err(Failure::usage)?.into_bytes(),
        Format::Flent => burn_report::flent::render(&run, &judgement).map_err(Failure::usage)?,
        Format::Parquet => {
            operations(&file, &run, &judgement, output)?;
            return Ok(exit);
        }
    };
    output::write(output, &bytes)?;
    Ok(exit)
}

/// The single operations, which no record keeps: from the file once more, piece by piece.
fn operations(path: &Path, run: &RunRecord, judgement: &Judgement, output: &Path) -> Result<(), Failure> {
    if run.header().is_none() {
        return Err(Failure::usage(format!(
            "{}: its plan is out of bounds, so that nothing in it has a name",
            path.display()
        )));
    }
    output::stream(output, |out| {
        let exported = operations::export(path, judgement, out).map_err(|error| match error {
            ExportError::Read(_) | ExportError::NoneKept { .. } => Failure::usage(error),
            ExportError::Write(_) => Failure::could_not(&error.into()),
        })?;
        if exported.left_out > 0 {
            say(
                false,
                &format!("The run kept only some of its operations: {} more are not in the table.", exported.left_out),
            );
        }
        if exported.strays > 0 {
            say(
                false,
                &format!("{} operations of applications that the plan does not have are left out.", exported.strays),
            );
        }
        Ok(())
    })
}
