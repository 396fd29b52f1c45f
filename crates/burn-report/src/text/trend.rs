//! How a scenario's runs fared with time, for a terminal: each run is a column, the earliest to the left.

use burn_model::compare::{Answer, RunFigure};
use burn_model::judge::Verdict;
use burn_model::trend::{ApplicationTrend, Change, Trend};

use crate::kept::started;
use crate::layout::glue;
use crate::numbers::ABSENT;
use crate::said::change::{p_shown, shift_shown};
use crate::text::page::{Page, Span, Tone};
use crate::text::{Style, tone_of};
use crate::words::{answer_shown, counted, good, run_figure, run_value};

/// Before the columns of the runs.
const LEAD: usize = 16;
/// Questions that are shown with all they say; older ones are only counted.
const SHOWN: usize = 3;
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// A run that could not tell the figure.
const UNKNOWN: char = '·';
/// A run in which what the figure is of never completed.
const NEVER: char = '×';

/// How the runs of a scenario fared with time: a part for each question, the last one first.
#[must_use]
pub fn render_trends(scenario: &str, trends: &[Trend], style: Style) -> String {
    let mut page = Page::new(style);
    for (place, trend) in trends.iter().take(SHOWN).enumerate() {
        if place == 0 {
            page.paragraph("", &format!("{scenario}: {}", span_of(trend)));
        } else {
            page.gap();
            page.paragraph("", &format!("Asked otherwise before (plan {}): {}", trend.digest, span_of(trend)));
        }
        write(&mut page, trend);
    }
    page.gap();
    if trends.len() > 1 {
        let older = trends.len().saturating_sub(SHOWN);
        let more = if older > 0 {
            format!(" {} older not shown.", counted(older as u64, "question is", "questions are"))
        } else {
            String::new()
        };
        page.paragraph(
            "  ",
            &format!("What was asked changed, so runs of different plans are not held against each other.{more}"),
        );
    }
    page.paragraph(
        "  ",
        "P pass, M marginal, F fail, ? inconclusive, - no goals; bars stand on zero, × never completed, · not known.",
    );
    page.finish()
}

/// How many runs, and from when to when.
fn span_of(trend: &Trend) -> String {
    let runs = counted(trend.runs.len() as u64, "run", "runs");
    match (trend.runs.first(), trend.runs.last()) {
        (Some(first), Some(last)) if trend.runs.len() > 1 => {
            let (first, last) = (started(&first.started_at), started(&last.started_at));
            format!("{runs} from {} to {} (UTC)", glue(&first), glue(&last))
        }
        (Some(only), _) => format!("{runs}, {} (UTC)", glue(&started(&only.started_at))),
        _ => runs,
    }
}

fn write(page: &mut Page, trend: &Trend) {
    let columns = page.width().saturating_sub(LEAD).max(1);
    let drawn = trend.runs.len().saturating_sub(columns);
    if drawn > 0 {
        page.paragraph("  ", &format!("The last {columns} are drawn."));
    }
    page.gap();
    let verdicts: Vec<Option<Verdict>> = trend.runs.iter().skip(drawn).map(|run| Some(run.verdict)).collect();
    page.line(&row("  all together", &verdicts));
    for application in &trend.applications {
        page.gap();
        follow(page, application, drawn);
    }
}

fn follow(page: &mut Page, trend: &ApplicationTrend, drawn: usize) {
    let ApplicationTrend { client, name, figure, values, verdicts, .. } = trend;
    let goal = match figure {
        RunFigure::Goal(bound) => format!("{}, goal {}", run_figure(figure), glue(&good(bound))),
        RunFigure::Goodput => format!("{}, no goals", run_figure(figure)),
    };
    page.paragraph("  ", &format!("{client} {name}: {goal}"));
    if !matches!(figure, RunFigure::Goodput) {
        page.line(&row("    verdict", verdicts.get(drawn..).unwrap_or_default()));
    }
    let lead = format!("{:LEAD$}", format!("    {}", run_figure(figure)));
    page.line(&[Span::plain(lead), Span::plain(spark(values.get(drawn..).unwrap_or_default()))]);
    let shown = |value: Option<f64>| value.map_or_else(|| ABSENT.to_owned(), |value| glue(&run_value(figure, value)));
    let (first, last) = (values.first().copied().flatten(), values.last().copied().flatten());
    let mut facts = vec![
        format!("first {}", shown(first)),
        format!("last {}", shown(last)),
        format!("median {}", shown(trend.median)),
        format!("best {}", shown(trend.best)),
        format!("worst {}", shown(trend.worst)),
    ];
    if let Some(beyond) = trend.beyond_goal {
        facts.push(format!("beyond the goal in {beyond} of {}", values.iter().flatten().count()));
    }
    page.paragraph("    ", &facts.join(", "));
    if trend.decided_otherwise > 0 {
        let runs = counted(trend.decided_otherwise as u64, "run", "runs");
        page.paragraph("    ", &format!("In {runs} another goal decided the verdict."));
    }
    change(page, figure, &trend.change);
}

/// The later half of the runs against the earlier half.
fn change(page: &mut Page, figure: &RunFigure, change: &Change) {
    let tone = match change.answer {
        Answer::Better => Tone::Good,
        Answer::Worse => Tone::Bad,
        Answer::CannotTell => Tone::Unsure,
    };
    match (&change.test, &change.since, &change.because) {
        (Some(test), Some(since), None) => {
            let (earlier, later) = change.runs;
            let by = test.shift.map_or_else(String::new, |shift| format!(": {}", shift_shown(figure, shift)));
            let said = format!(
                "since {}, {later} runs against the {earlier} before{by}; {}",
                glue(&started(since)),
                p_shown(test.p)
            );
            page.paragraph_after(&Span::new(format!("    {} ", answer_shown(change.answer)), tone), &said);
        }
        (_, _, because) => {
            let because = because.as_deref().unwrap_or("there are no two halves");
            page.paragraph("    ", &format!("No change can be told: {because}."));
        }
    }
    let mut without = Vec::new();
    if change.left_out > 0 {
        let runs = counted(change.left_out as u64, "run", "runs");
        without.push(format!(
            "{runs} in which the figure is not known or the tester may have made it, or that ended early"
        ));
    }
    if change.too_old > 0 {
        without.push(format!("{} that came before the last 64", counted(change.too_old as u64, "run", "runs")));
    }
    if !without.is_empty() {
        page.paragraph("    ", &format!("Not in this: {}.", without.join("; ")));
    }
}

/// A letter for each run's verdict.
fn row(lead: &str, verdicts: &[Option<Verdict>]) -> Vec<Span> {
    let letter = |verdict: &Option<Verdict>| match verdict {
        Some(verdict) => Span::new(letter_of(*verdict), tone_of(*verdict)),
        None => Span::plain("-"),
    };
    std::iter::once(Span::plain(format!("{lead:LEAD$}"))).chain(verdicts.iter().map(letter)).collect()
}

const fn letter_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Pass => "P",
        Verdict::Marginal => "M",
        Verdict::Inconclusive => "?",
        Verdict::Fail => "F",
    }
}

/// A bar for each value. They stand on zero, so that one twice as high is twice as much.
fn spark(values: &[Option<f64>]) -> String {
    let greatest = values.iter().flatten().copied().filter(|value| value.is_finite()).fold(0.0, f64::max);
    let bar = |value: f64| {
        // The lowest bar whose top is not below the value: eighths of the greatest one.
        let eighth = |height: f64| greatest * height / 8.0;
        let heights = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];
        let place = heights.iter().position(|height| value <= eighth(*height)).unwrap_or(BLOCKS.len() - 1);
        BLOCKS.get(place).copied().unwrap_or(UNKNOWN)
    };
    let drawn = |value: &Option<f64>| match value {
        Some(value) if value.is_finite() => bar(*value),
        Some(_) => NEVER,
        None => UNKNOWN,
    };
    values.iter().map(drawn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_stand_on_zero_and_what_is_no_number_is_none() {
        // Eighths of 80 are 10: 10 fills one of them, 11 needs a second one.
        let values = [Some(0.0), Some(10.0), Some(11.0), Some(40.0), Some(80.0), None, Some(f64::INFINITY)];
        assert_eq!(spark(&values), "▁▁▂▄█·×");
        assert_eq!(spark(&[Some(0.0), Some(0.0)]), "▁▁");
    }
}
