//! The response times of a run as an HDR interval log, as HdrHistogram's tools read it: V2 histograms, compressed, in Base 64.
//!
//! Values are nanoseconds, which those tools expect (they show milliseconds by dividing by 1,000,000). One interval for each
//! application, of all operations that were scheduled in the judged time and completed; its tag is `CLIENT/APPLICATION`, with
//! commas and blanks replaced. There is no interval for each second: a record keeps the distribution of the run, and of each
//! second only a few figures. What has no time (operations that did not complete, and any that took over an hour) cannot stand
//! in a histogram; comments tell how many there were.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use burn_model::distribution::Distribution;
use burn_model::judge::{ApplicationJudgement, Judgement};
use burn_model::run::{Figure, RunRecord};
use burn_model::samples::TOP;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::V2DeflateSerializer;
use hdrhistogram::serialization::interval_log::{IntervalLogWriterBuilder, Tag};

use crate::layout::clip;
use crate::names::{self, unique_by};
use crate::start::started;

/// The grain and the precision of [`Distribution`]: what it tells apart, the histogram does.
const GRAIN_NS: u64 = 512;
const DIGITS: u8 = 3;
/// Values over this are milliseconds, in which logs give each interval's longest value.
const NS_PER_MS: f64 = 1e6;
/// Columns of a text in a comment at most.
const LONGEST: usize = 200;

/// The run could not be written as a log. Nothing that a record can hold leads here.
#[derive(Debug, thiserror::Error)]
#[error("cannot write a histogram: {0}")]
pub struct Unwritable(String);

/// The log, as text.
///
/// # Errors
/// Where a histogram cannot be made or written.
pub fn render(run: &RunRecord, judgement: &Judgement) -> Result<String, Unwritable> {
    let mut bytes = Vec::new();
    let mut serializer = V2DeflateSerializer::new();
    let mut log = heading(run, judgement).begin_log_with(&mut bytes, &mut serializer).map_err(unwritable)?;
    let (from, to) = judgement.window;
    for series in series(run) {
        let judged = judgement.applications.get(series.number);
        let times = run.distribution(series.client, series.population, Figure::ResponseTime).unwrap_or_default();
        if let Some(comment) = left_out(&series.tag, judged, &times) {
            log.write_comment(&comment).map_err(unwritable)?;
        }
        let histogram = histogram(&times)?;
        if !histogram.is_empty() {
            // A tag of ours has no character that a tag must not have.
            let tag = Tag::new(&series.tag);
            log.write_histogram(&histogram, from.since_start(), to.since(from), tag).map_err(unwritable)?;
        }
    }
    String::from_utf8(bytes).map_err(unwritable)
}

/// An application, by its numbers and its tag.
struct Series {
    /// Among all applications of the plan.
    number: usize,
    client: usize,
    population: usize,
    tag: String,
}

fn series(run: &RunRecord) -> Vec<Series> {
    let names = run.plan().map(names::of_plan).unwrap_or_default();
    let places = names.iter().enumerate().flat_map(|(client, names)| {
        names
            .applications
            .iter()
            .enumerate()
            .map(move |(population, application)| (client, population, format!("{}/{application}", names.client)))
    });
    let places: Vec<_> = places.collect();
    let tags = unique_by(places.iter().map(|(_, _, title)| tag(title)), |tag, number| format!("{tag}_{number}"));
    let numbered = places.into_iter().zip(tags).enumerate();
    numbered.map(|(number, ((client, population, _), tag))| Series { number, client, population, tag }).collect()
}

/// A title as a tag: the format forbids commas, blanks and line ends in one.
fn tag(title: &str) -> String {
    title.chars().map(|c| if c == ',' || c.is_whitespace() || c.is_control() { '_' } else { c }).collect()
}

fn heading(run: &RunRecord, judgement: &Judgement) -> IntervalLogWriterBuilder {
    let mut log = IntervalLogWriterBuilder::new();
    log.with_max_value_divisor(NS_PER_MS);
    if let Some(header) = run.header() {
        let [program, name, scenario] =
            [&header.program, &header.run, &header.plan.name].map(|text| clip(text, LONGEST));
        log.add_comment(&format!("[Logged by {program}: run {name} of {scenario}]"));
    }
    let (from, to) = judgement.window;
    log.add_comment(&format!(
        "Response times in nanoseconds of operations scheduled from second {} to {} of the run, an interval for each application",
        from.second(),
        to.second()
    ));
    // A label, as in every report: where it is not known, the log has times relative to the run's start alone.
    if let Ok(start) = started(run) {
        let time: SystemTime = UNIX_EPOCH + Duration::try_from(start.as_duration()).unwrap_or_default();
        log.with_start_time(time).with_base_time(time);
    }
    log
}

/// What the histogram of an application cannot hold, in words.
fn left_out(tag: &str, judged: Option<&ApplicationJudgement>, times: &Distribution) -> Option<String> {
    let tally = judged.map(|judged| &judged.operations.tally)?;
    let lost = tally.failures().saturating_add(tally.timed_out).saturating_add(tally.unsent());
    if lost == 0 && tally.in_flight_after == 0 && times.overflow() == 0 {
        return None;
    }
    Some(format!(
        "{tag}: not in the histogram: {lost} that did not complete, {} under way at the end, {} over an hour",
        tally.in_flight_after,
        times.overflow()
    ))
}

fn histogram(times: &Distribution) -> Result<Histogram<u64>, Unwritable> {
    let top = u64::try_from(TOP.as_nanos()).unwrap_or(u64::MAX);
    let mut histogram = Histogram::new_with_bounds(GRAIN_NS, top, DIGITS).map_err(unwritable)?;
    for (value, count) in times.values() {
        let value = u64::try_from(value.as_nanos()).unwrap_or(u64::MAX);
        histogram.saturating_record_n(value, count);
    }
    Ok(histogram)
}

fn unwritable(error: impl std::fmt::Display) -> Unwritable {
    Unwritable(error.to_string())
}
