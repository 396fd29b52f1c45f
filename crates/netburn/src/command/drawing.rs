//! One figure of a run by itself: `report --figures`, `--svg`, `--png`.

use burn_model::judge::Judgement;
use burn_model::run::RunRecord;
use burn_report::figure::{Figure, of_run};
use burn_report::svg::standalone;

use super::Failure;
use crate::cli::DrawingArgs;
use crate::{pixels, suggest};

/// Points of a curve: more could not be told apart in a drawing.
const MOST_POINTS: usize = 1500;

/// What was asked for; `None` where it was no figure.
pub(super) fn bytes(
    args: &DrawingArgs,
    width: u32,
    run: &RunRecord,
    judgement: &Judgement,
) -> Result<Option<Vec<u8>>, Failure> {
    let figures = || of_run(run, judgement, MOST_POINTS);
    Ok(Some(match args {
        DrawingArgs { figures: true, .. } => list(&figures()).into_bytes(),
        DrawingArgs { svg: Some(name), .. } => standalone(&named(name, figures())?).into_bytes(),
        DrawingArgs { png: Some(name), .. } => {
            pixels::png(&named(name, figures())?, width).map_err(|error| Failure::could_not(&error))?
        }
        _ => return Ok(None),
    }))
}

fn list(figures: &[Figure]) -> String {
    figures.iter().map(|figure| format!("{}\n", figure.name)).collect()
}

fn named(name: &str, mut figures: Vec<Figure>) -> Result<Figure, Failure> {
    match figures.iter().position(|figure| figure.name == name) {
        Some(place) => Ok(figures.swap_remove(place)),
        None => {
            let hint = suggest::hint(name, figures.iter().map(|figure| figure.name.as_str()));
            Err(Failure::usage(format!("the run has no figure '{name}': {hint}")))
        }
    }
}
