//! Which applications get a row of their own, and which share one: fifty people who are all well served are one line.

use std::collections::BTreeMap;

use burn_model::judge::{ApplicationJudgement, Judgement, Verdict};
use burn_model::run::RunRecord;

/// A device with more rows than this has those folded that pass alike.
const MOST_ROWS: usize = 12;
/// Fewer than this are shown one by one: folding would save nothing.
const LEAST_FOLDED: usize = 3;

/// A row of the report.
#[derive(Clone, Debug)]
pub(crate) enum Row<'a> {
    /// One application.
    One(&'a ApplicationJudgement),
    /// The same application of several clients of one device, all of which pass.
    Alike(Vec<&'a ApplicationJudgement>),
}

/// The rows of a run, in the plan's order. Folded ones stand where the first of them would.
pub(crate) fn rows<'a>(run: &RunRecord, judgement: &'a Judgement) -> Vec<Row<'a>> {
    let clients = run.plan().map_or(&[][..], |plan| &plan.clients);
    let mut device_of: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, device) in run.devices().iter().enumerate() {
        let names = device.clients.iter().filter_map(|client| clients.get(usize::try_from(*client).ok()?));
        device_of.extend(names.map(|client| (client.name.as_str(), number)));
    }
    let device = |one: &ApplicationJudgement| device_of.get(one.client.as_str()).copied();
    let mut of_device: BTreeMap<usize, usize> = BTreeMap::new();
    for number in judgement.applications.iter().filter_map(device) {
        *of_device.entry(number).or_default() += 1;
    }
    let mut alike: BTreeMap<(usize, &str), Vec<&ApplicationJudgement>> = BTreeMap::new();
    let key = |one: &'a ApplicationJudgement| {
        let number = device(one).filter(|number| of_device.get(number).is_some_and(|rows| *rows > MOST_ROWS))?;
        (one.verdict == Some(Verdict::Pass)).then_some((number, one.name.as_str()))
    };
    for one in &judgement.applications {
        if let Some(key) = key(one) {
            alike.entry(key).or_default().push(one);
        }
    }
    alike.retain(|_, group| group.len() >= LEAST_FOLDED);
    let row = |one: &'a ApplicationJudgement| match key(one) {
        // The first one takes the group; the others find it gone.
        Some(key) if alike.get(&key).is_some_and(Vec::is_empty) => None,
        Some(key) => Some(alike.get_mut(&key).map_or(Row::One(one), |group| Row::Alike(std::mem::take(group)))),
        None => Some(Row::One(one)),
    };
    judgement.applications.iter().filter_map(row).collect()
}

/// `phone-3 … phone-20 voip`.
pub(crate) fn title_of(group: &[&ApplicationJudgement]) -> String {
    match group {
        [first, .., last] => format!("{} … {} {}", first.client, last.client, first.name),
        _ => String::new(),
    }
}

/// The one with the least score.
pub(crate) fn worst<'a>(group: &[&'a ApplicationJudgement]) -> Option<&'a ApplicationJudgement> {
    let score = |one: &ApplicationJudgement| one.score.unwrap_or(f64::INFINITY);
    group.iter().copied().min_by(|a, b| score(a).total_cmp(&score(b)))
}
