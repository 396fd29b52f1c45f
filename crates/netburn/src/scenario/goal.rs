//! Goals as a scenario writes them.

use std::time::Duration;

use burn_model::goal::{Bound, Counts, Goal};
use burn_model::units::BitRate;
use toml::de::DeTable;

use super::diagnostic::{Problems, Span};
use super::fields::{Entry, Fields};
use super::quantity::exact;

/// A goal, and where it stands in the file.
#[derive(Clone, Debug)]
pub(super) struct PlacedGoal {
    pub(super) goal: Goal,
    pub(super) at: Span,
}

/// A figure that a goal can be on.
struct Metric {
    /// The name in the catalogue: [`Bound::metric`].
    name: &'static str,
    /// The keys of its bounds.
    keys: &'static [&'static str],
    read: fn(&Reader<'_>, &mut Problems) -> Option<Bound>,
}

const METRICS: [Metric; 5] = [
    Metric { name: "response_time", keys: &["quantile", "good", "bad"], read: response_time },
    Metric { name: "failed_share", keys: &["good", "bad"], read: failed_share },
    Metric { name: "window_goodput", keys: &["window", "floor"], read: window_goodput },
    Metric { name: "stall_ratio", keys: &["good", "bad"], read: stall_ratio },
    Metric { name: "startup_time", keys: &["good", "bad"], read: startup_time },
];
/// What every goal takes.
const COMMON: [&str; 2] = ["metric", "counts"];

const HOUR: Duration = Duration::from_secs(3600);

/// Reads one `[[workload.NAME.goal]]`.
pub(super) fn read(entry: Entry<'_>, problems: &mut Problems) -> Option<PlacedGoal> {
    let at = entry.span();
    let table = entry.table("a table under [[workload.NAME.goal]]", problems)?;
    let metric = metric(table, &at, problems)?;
    let known: Vec<_> = COMMON.iter().chain(metric.keys).copied().collect();
    let before = problems.len();
    let fields = Fields::read(entry, "", &known, problems)?;
    let reader = Reader { fields, what: format!("a goal on {}", metric.name) };
    let bound = (metric.read)(&reader, problems);
    let words = [("verdict", Counts::Verdict), ("score", Counts::Score)];
    let counts = reader.fields.get("counts").map_or(Some(Counts::Verdict), |entry| entry.word(&words, problems));
    let goal = Goal { bound: bound?, counts: counts? };
    (problems.len() == before).then_some(PlacedGoal { goal, at })
}

fn metric(table: &DeTable<'_>, at: &Span, problems: &mut Problems) -> Option<&'static Metric> {
    let names = || METRICS.iter().map(|metric| metric.name);
    let Some(value) = table.get("metric") else {
        let known = names().collect::<Vec<_>>().join(", ");
        problems.report_with(at.clone(), "a goal needs a metric", format!("known here: {known}"));
        return None;
    };
    let name = Entry::new("metric", value).text("response_time", problems)?;
    let found = METRICS.iter().find(|metric| metric.name == name);
    if found.is_none() {
        problems.report_unknown(value.span(), "unknown metric", name, names());
    }
    found
}

/// A goal's table, once its metric is known.
struct Reader<'t> {
    fields: Fields<'t>,
    what: String,
}

impl<'t> Reader<'t> {
    fn need(&self, key: &'static str, example: &str, problems: &mut Problems) -> Option<Entry<'t>> {
        self.fields.need(key, &self.what, example, problems)
    }

    /// `good` and `bad`, both durations.
    fn durations(&self, problems: &mut Problems) -> Option<(Duration, Duration)> {
        let range = || Duration::ZERO..=HOUR;
        let good = self.need("good", "\"150 ms\"", problems).and_then(|entry| entry.duration(range(), problems));
        let bad = self.need("bad", "\"400 ms\"", problems);
        let bad = bad.and_then(|entry| Some((entry.duration(range(), problems)?, entry)));
        let (good, (bad, entry)) = (good?, bad?);
        if good > bad {
            entry.refuse(&format!("{} is stricter than good, {}", exact(bad), exact(good)), problems);
        }
        Some((good, bad))
    }

    /// `good` and `bad`, both shares.
    fn shares(&self, problems: &mut Problems) -> Option<(f64, f64)> {
        let good =
            self.need("good", "0", problems).and_then(|entry| entry.fraction(0.0..=1.0, "2 % is 0.02", problems));
        let bad = self.need("bad", "0.02", problems);
        let bad = bad.and_then(|entry| Some((entry.fraction(0.0..=1.0, "2 % is 0.02", problems)?, entry)));
        let (good, (bad, entry)) = (good?, bad?);
        if good > bad {
            entry.refuse(&format!("{bad} is stricter than good, {good}"), problems);
        }
        Some((good, bad))
    }
}

fn response_time(of: &Reader<'_>, problems: &mut Problems) -> Option<Bound> {
    // Beyond these, no run that this program allows has enough operations to say anything.
    let quantile = of.need("quantile", "0.95", problems);
    let quantile = quantile.and_then(|entry| entry.fraction(0.001..=0.999_999, "p95 is 0.95", problems));
    let bounds = of.durations(problems);
    let (quantile, (good, bad)) = (quantile?, bounds?);
    Some(Bound::ResponseTime { quantile, good, bad })
}

fn failed_share(of: &Reader<'_>, problems: &mut Problems) -> Option<Bound> {
    of.shares(problems).map(|(good, bad)| Bound::FailedShare { good, bad })
}

fn stall_ratio(of: &Reader<'_>, problems: &mut Problems) -> Option<Bound> {
    of.shares(problems).map(|(good, bad)| Bound::StallRatio { good, bad })
}

fn startup_time(of: &Reader<'_>, problems: &mut Problems) -> Option<Bound> {
    of.durations(problems).map(|(good, bad)| Bound::StartupTime { good, bad })
}

fn window_goodput(of: &Reader<'_>, problems: &mut Problems) -> Option<Bound> {
    let window = of.need("window", "\"4 s\"", problems);
    let window = window.and_then(|entry| entry.duration(Duration::from_millis(100)..=HOUR, problems));
    let floor = of.need("floor", "\"20 Mbps\"", problems);
    let floor = floor.and_then(|entry| entry.bit_rate(BitRate::from_bps(1)..=BitRate::from_mbps(1_000_000), problems));
    Some(Bound::WindowGoodput { window: window?, floor: floor? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_metric_is_read_under_its_name_in_the_catalogue() {
        let keys = "quantile = 0.5\ngood = \"1 s\"\nbad = \"2 s\"\nwindow = \"4 s\"\nfloor = \"1 Mbps\"";
        let shares = "good = 0\nbad = 0.5";
        for metric in &METRICS {
            let lines = if metric.name.ends_with("share") || metric.name.ends_with("ratio") { shares } else { keys };
            let lines: Vec<_> =
                lines.lines().filter(|line| metric.keys.iter().any(|key| line.starts_with(key))).collect();
            let text = format!("g = {{ metric = '{}', {} }}", metric.name, lines.join(", "));
            let document = DeTable::parse(&text).unwrap();
            let mut problems = Problems::default();
            let goal = read(Entry::new("goal", &document.get_ref()["g"]), &mut problems).unwrap();
            assert_eq!(goal.goal.bound.metric(), metric.name);
            assert_eq!(goal.goal.counts, Counts::Verdict);
            assert!(problems.is_empty());
        }
    }
}
