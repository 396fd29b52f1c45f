//! A whole terminal's view of a run under way.

use std::time::Duration;

use burn_model::plan::Plan;
use burn_model::run::{RunRecord, SecondSummary};

use super::history::{Against, history};
use super::line::stage;
use super::row::Row;
use super::span::{Line, Span, Tone};
use crate::layout::{clean, clip, width};

/// How large the terminal is, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Characters in a line.
    pub columns: usize,
    /// Lines.
    pub rows: usize,
}

/// What the view is of, beside the run.
#[derive(Clone, Copy, Debug, Default)]
pub struct State<'a> {
    /// How long the load has been running; `None` before it starts.
    pub since_start: Option<Duration>,
    /// How many applications are scrolled past.
    pub scrolled: usize,
    /// What was noted last, the latest last.
    pub notes: &'a [String],
    /// Whether a key can be pressed.
    pub keys: bool,
}

/// Blanks between two columns.
const GAP: usize = 2;
/// Columns of a name, at least and at most.
const LEAST_NAME: usize = 4;
const MOST_NAME: usize = 28;
/// The most seconds of history that are shown.
const MOST_SECONDS: usize = 60;
/// Fewer than this tell nothing.
const LEAST_SECONDS: usize = 8;
/// The most notes that are shown.
const MOST_NOTES: usize = 3;
/// The most radios that are shown.
const MOST_RADIOS: usize = 4;
/// What the characters of a history mean.
const LEGEND: &str = "▁▄ within the goal, ▅█ beyond it, × failed";

/// The view: at most as many lines as the terminal has, none wider than it.
#[must_use]
pub fn view(run: &RunRecord, state: State<'_>, size: Size) -> Vec<Line> {
    let Some(plan) = run.plan() else { return vec![plain(clip("starting", size.columns))] };
    let rows = rows(run, plan);
    let notes: Vec<Line> = last(state.notes, MOST_NOTES)
        .iter()
        .map(|note| plain(clip(&format!("netburn: {note}"), size.columns)))
        .collect();
    let mut below = radios(run, plan, size.columns);
    below.extend(notes);
    below.push(vec![span(clip(&footer(state.keys), size.columns), Tone::Faint)]);
    // The title, a blank and the names of the columns stand above, a blank below.
    let room = size.rows.saturating_sub(below.len() + 4);
    let mut lines = vec![title(plan, state.since_start, size.columns), Vec::new()];
    lines.extend(table(run, &rows, state, size.columns, room));
    lines.push(Vec::new());
    lines.extend(below);
    if lines.len() > size.rows {
        // A terminal of a few lines shows where the run stands, and what it can of the rest.
        lines.retain(|line| !line.is_empty());
        lines.truncate(size.rows);
    }
    lines
}

/// One application, and where it stands in the record.
type Indexed = ((usize, usize), Row);

fn rows(run: &RunRecord, plan: &Plan) -> Vec<Indexed> {
    let of_client = |(number, client): (usize, &burn_model::plan::ClientPlan)| {
        let populations = client.populations.iter().enumerate();
        populations
            .map(|(population, asked)| ((number, population), Row::of(run, (number, population), client, asked)))
            .collect::<Vec<_>>()
    };
    plan.clients.iter().enumerate().flat_map(of_client).collect()
}

fn title(plan: &Plan, since_start: Option<Duration>, columns: usize) -> Line {
    let stage = clip(&stage(plan, since_start), columns);
    let room = columns.saturating_sub(width(&stage) + 2);
    let name = clip(&plan.name, room);
    let gap = columns.saturating_sub(width(&name) + width(&stage));
    vec![span(name, Tone::Strong), span(" ".repeat(gap), Tone::Plain), span(stage, Tone::Plain)]
}

/// Where each column begins and ends.
struct Columns {
    name: usize,
    state: usize,
    goodput: usize,
    longest: usize,
    goal: usize,
    history: usize,
}

impl Columns {
    /// What fits: the history goes first, then the goal, then the state.
    fn fitting(rows: &[Indexed], columns: usize) -> Self {
        let widest = |text: fn(&Row) -> &str, heading: &str| {
            rows.iter().map(|(_, row)| width(text(row))).max().unwrap_or(0).max(width(heading))
        };
        let mut fitted = Self {
            name: widest(|row| &row.name, "").clamp(LEAST_NAME, MOST_NAME),
            state: 9,
            goodput: 10,
            longest: 11,
            goal: widest(|row| &row.goal, "goal").min(14),
            history: 0,
        };
        let column = |wide: usize| if wide > 0 { wide + GAP } else { 0 };
        let taken =
            |of: &Self| of.name + [of.state, of.goodput, of.longest, of.goal].into_iter().map(column).sum::<usize>();
        if taken(&fitted) > columns {
            fitted.goal = 0;
        }
        if taken(&fitted) > columns {
            fitted.state = 0;
        }
        if taken(&fitted) > columns {
            fitted.name = columns.saturating_sub(taken(&fitted) - fitted.name).max(LEAST_NAME);
        }
        if taken(&fitted) > columns {
            fitted.longest = 0;
        }
        if taken(&fitted) > columns {
            fitted.goodput = 0;
            fitted.name = columns;
        }
        let rest = columns.saturating_sub(taken(&fitted) + GAP);
        fitted.history = if rest >= LEAST_SECONDS { rest.min(MOST_SECONDS) } else { 0 };
        fitted
    }
}

/// The applications that fit, under the names of the columns.
fn table(run: &RunRecord, rows: &[Indexed], state: State<'_>, columns: usize, room: usize) -> Vec<Line> {
    let fitted = Columns::fitting(rows, columns);
    let heading = cells(
        &fitted,
        ["", "state", "goodput", "longest", "goal"].map(|text| (text.to_owned(), Tone::Faint)),
        if fitted.history > 0 { format!("last {} s", fitted.history) } else { String::new() },
        columns,
    );
    let mut lines = vec![heading];
    // One line tells how many do not fit.
    let shown = if rows.len() > room { room.saturating_sub(1) } else { rows.len() };
    let from = state.scrolled.min(rows.len().saturating_sub(shown));
    let now = state.since_start.map_or(0, |since| since.as_secs());
    for (indexes, row) in rows.iter().skip(from).take(shown) {
        let past = past(run, *indexes, row.against, now, fitted.history);
        let texts = [
            (row.name.clone(), Tone::Plain),
            (row.state.0.to_owned(), row.state.1),
            (row.goodput.clone(), Tone::Plain),
            row.longest.clone(),
            (row.goal.clone(), Tone::Faint),
        ];
        lines.push(cells(&fitted, texts, past, columns));
    }
    if shown < rows.len() {
        let how = if state.keys { " (↑ ↓)" } else { "" };
        let text = format!("{} to {} of {}{how}", (from + 1).min(rows.len()), from + shown, rows.len());
        lines.push(vec![span(clip(&text, columns), Tone::Faint)]);
    }
    lines
}

/// One line of the table: numbers to the right, words to the left.
fn cells(fitted: &Columns, texts: [(String, Tone); 5], past: String, columns: usize) -> Line {
    let widths = [fitted.name, fitted.state, fitted.goodput, fitted.longest, fitted.goal];
    let mut line = Vec::new();
    let mut taken = 0;
    for (number, ((text, tone), wide)) in texts.into_iter().zip(widths).enumerate() {
        if wide == 0 {
            continue;
        }
        let text = clip(&text, wide);
        let padding = " ".repeat(wide.saturating_sub(width(&text)));
        let text = if matches!(number, 2 | 3) { padding + &text } else { text + &padding };
        let gap = " ".repeat(if number == 0 { 0 } else { GAP });
        taken += gap.len() + width(&text);
        line.push(span(format!("{gap}{text}"), tone));
    }
    if !past.is_empty() && taken + GAP + width(&past) <= columns {
        line.push(span(" ".repeat(GAP) + &past, Tone::Plain));
    }
    line
}

fn past(run: &RunRecord, indexes: (usize, usize), against: Against, now: u64, columns: usize) -> String {
    if columns == 0 {
        return String::new();
    }
    let from = now.saturating_sub(u64::try_from(columns).unwrap_or(u64::MAX));
    let seconds: Vec<SecondSummary> = run.seconds_within(indexes.0, indexes.1, from..now).collect();
    history(&seconds, now, against, columns)
}

/// What each radio says, where there is one, the weakest first.
fn radios(run: &RunRecord, plan: &Plan, columns: usize) -> Vec<Line> {
    let mut radios: Vec<(i32, String)> = Vec::new();
    for (number, client) in plan.clients.iter().enumerate() {
        let Some(last) = run.latest_telemetry(number) else { continue };
        let Some((wifi, signal)) = last.wifi.as_ref().and_then(|wifi| Some((wifi, wifi.signal_dbm?))) else { continue };
        let channel = wifi.channel.map_or_else(String::new, |channel| format!(", channel {channel}"));
        let roams = run.roams().filter(|roam| usize::try_from(roam.client) == Ok(number)).count();
        let roamed = match roams {
            0 => String::new(),
            1 => ", roamed once".to_owned(),
            _ => format!(", roamed {roams} times"),
        };
        radios.push((signal, format!("Wi-Fi {}: {signal} dBm{channel}{roamed}", clean(&client.name))));
    }
    radios.sort();
    radios.into_iter().take(MOST_RADIOS).map(|(_, text)| plain(clip(&text, columns))).collect()
}

fn footer(keys: bool) -> String {
    if keys { format!("q ends it and reports; {LEGEND}") } else { LEGEND.to_owned() }
}

fn last(notes: &[String], most: usize) -> &[String] {
    notes.get(notes.len().saturating_sub(most)..).unwrap_or_default()
}

fn plain(text: String) -> Line {
    vec![span(text, Tone::Plain)]
}

const fn span(text: String, tone: Tone) -> Span {
    Span { text, tone }
}
