//! Joins what a scenario file says to a plan: workloads by name, radios by name, defaults, the seed's draws.

use std::collections::BTreeMap;
use std::time::Duration;

use burn_model::plan::{Arrival, ClientPlan, Plan, Population};
use burn_model::time::nanos;
use toml::de::DeTable;

use super::diagnostic::{Problems, quoted};
use super::fields::is_name;
use super::file::{DURATIONS, File, WARM_UPS};
use super::quantity::exact;
use super::workload::Spec;
use super::{Device, Lab, Overrides, Scenario, ScenarioErrors, Via, advice, device, preset};

/// A scenario is written by a person: more than this is a mistake, or an attack on the parser.
const LARGEST_TEXT: usize = 1 << 20;
/// How many steps "like" may take.
const LONGEST_LIKENESS: usize = 16;

const DEFAULT_WARM_UP: Duration = Duration::from_secs(3);
const DEFAULT_SEED: u64 = 1;

/// Reads a scenario.
pub(super) fn scenario(file: &str, text: &str, overrides: &Overrides) -> Result<Scenario, ScenarioErrors> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut problems = Problems::default();
    if text.len() > LARGEST_TEXT {
        problems.report(None, "a scenario is 1 MiB at most");
        return Err(problems.into_errors(file, ""));
    }
    let (document, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        // What was read beside a syntax error is guesswork: complaining about it too would mislead.
        report_syntax(&errors, text, &mut problems);
        return Err(problems.into_errors(file, text));
    }
    let read = File::read(document.get_ref(), &mut problems);
    let joined = join(file, &read, overrides, &mut problems);
    let Some((plan, lab, devices)) = joined.filter(|_| problems.is_empty()) else {
        return Err(problems.into_errors(file, text));
    };
    let remarks = advice::remarks(&read, &devices);
    let mut warnings = Problems::default();
    advice::warn(&read, &plan, &devices, &mut warnings);
    let (warnings, _) = warnings.into_diagnostics(file, text);
    Ok(Scenario { plan, server: read.server, lab, devices, text: text.to_owned(), remarks, warnings })
}

/// One problem for each line: after the first, the parser is only looking for its footing.
fn report_syntax(errors: &[toml::de::Error], text: &str, problems: &mut Problems) {
    let mut errors: Vec<_> = errors.iter().map(|error| (error.span().unwrap_or_default(), error.message())).collect();
    errors.sort_by_key(|(span, _)| span.start);
    let mut seen_to = None;
    for (span, message) in errors {
        if seen_to.is_some_and(|end| span.start <= end) {
            continue;
        }
        let rest = text.get(span.start..).unwrap_or_default();
        seen_to = Some(span.start + rest.find('\n').unwrap_or(rest.len()));
        if message.starts_with("string values must be quoted") {
            let unquoted = text.get(span.clone()).filter(|unquoted| !unquoted.is_empty());
            let hint = unquoted.map_or("write a value".to_owned(), |unquoted| format!("write \"{unquoted}\"?"));
            problems.report_with(span, "not TOML: a text needs quotation marks", hint);
        } else {
            problems.report(span, format!("not TOML: {message}"));
        }
    }
}

type Joined = (Plan, Option<Lab>, Vec<Device>);

fn join(file: &str, read: &File, overrides: &Overrides, problems: &mut Problems) -> Option<Joined> {
    let duration = duration(read, overrides, problems);
    let warm_up = given("warm_up", overrides.warm_up, &WARM_UPS, problems);
    let warm_up = warm_up.or(read.warm_up).unwrap_or(DEFAULT_WARM_UP);
    let populations = populations(&read.workloads, problems);
    device::report_twins(read, problems);
    let clients = device::clients(read, &populations, problems);
    let devices = device::devices(read, problems);
    let mut plan = Plan {
        name: read.name.clone().unwrap_or_else(|| name_of(file)),
        seed: overrides.seed.or(read.seed).unwrap_or(DEFAULT_SEED),
        warm_up,
        duration: duration?,
        keep_operations: overrides.keep_operations.or(read.keep_operations).unwrap_or_default(),
        clients: clients?,
    };
    draw_phases(&mut plan);
    if problems.is_empty() {
        validate(&plan, read, problems);
    }
    let devices = devices?;
    let in_lab = devices.iter().any(|device| matches!(device.via, Via::Lab { .. }));
    let radios = read.radios.iter().filter_map(|placed| placed.radio.clone()).collect();
    Some((plan, in_lab.then_some(Lab { radios }), devices))
}

fn duration(read: &File, overrides: &Overrides, problems: &mut Problems) -> Option<Duration> {
    if let Some(duration) = given("duration", overrides.duration, &DURATIONS, problems) {
        return Some(duration);
    }
    if !read.says_duration && overrides.duration.is_none() {
        problems.report_with(None, "no duration", "say how long to judge: duration = \"60 s\"");
    }
    read.duration
}

/// What the command line says, where it is within bounds.
fn given(
    key: &str,
    value: Option<Duration>,
    range: &std::ops::RangeInclusive<Duration>,
    problems: &mut Problems,
) -> Option<Duration> {
    let value = value?;
    if range.contains(&value) {
        return Some(value);
    }
    let (least, most) = (exact(*range.start()), exact(*range.end()));
    problems.report(None, format!("{key} on the command line: between {least} and {most}, found {}", exact(value)));
    None
}

/// The file's name without folders and ending.
fn name_of(file: &str) -> String {
    let base = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let stem = base.strip_suffix(".toml").unwrap_or(base);
    if is_name(stem) { stem.to_owned() } else { "scenario".to_owned() }
}

/// Each workload that a client may name, built; `None` for one with a problem, which was reported.
fn populations(defined: &BTreeMap<String, Spec>, problems: &mut Problems) -> BTreeMap<String, Option<Population>> {
    let mut populations = BTreeMap::new();
    for name in preset::names().filter(|name| !defined.contains_key(*name)) {
        let population = preset::spec(name).and_then(|spec| spec.build(name, problems));
        populations.insert(name.to_owned(), population);
    }
    for (name, spec) in defined {
        let population = inherited(name, spec, defined, problems).and_then(|spec| spec.build(name, problems));
        populations.insert(name.clone(), population);
    }
    populations
}

/// A workload laid over all that it is like.
fn inherited(name: &str, spec: &Spec, defined: &BTreeMap<String, Spec>, problems: &mut Problems) -> Option<Spec> {
    let mut layers = vec![spec.clone()];
    let mut current = (name, spec);
    loop {
        let (name, spec) = current;
        // A workload by a preset's name changes the preset, also where it says so.
        let base = spec.like.as_ref().map_or(name, |(base, _)| base.as_str());
        match defined.get_key_value(base).filter(|_| base != name) {
            Some((base, spec)) => {
                layers.push(spec.clone());
                current = (base, spec);
            }
            None => {
                match preset::spec(base) {
                    Some(spec) => layers.push(spec),
                    None if spec.like.is_some() => {
                        report_unknown_base(spec, base, defined, problems);
                        return None;
                    }
                    None => {}
                }
                break;
            }
        }
        if layers.len() > LONGEST_LIKENESS {
            let (like, at) = layers[0].like.clone().unwrap_or_default();
            let what = format!(
                "like: {} leads on for more than {LONGEST_LIKENESS} workloads, or round in a circle",
                quoted(&like)
            );
            problems.report(at, what);
            return None;
        }
    }
    let base = layers.pop()?;
    let spec = layers.into_iter().rev().fold(base, |base, layer| layer.over(base));
    Some(spec)
}

fn report_unknown_base(spec: &Spec, base: &str, defined: &BTreeMap<String, Spec>, problems: &mut Problems) {
    let Some((_, at)) = &spec.like else { return };
    let known = preset::names().chain(defined.keys().map(String::as_str)).filter(|name| *name != base);
    problems.report_unknown(at.clone(), "like: unknown workload", base, known);
}

/// Draws when each constant schedule begins, so that twenty calls do not speak in step.
///
/// Uniform in one period, as a schedule that has always been running would be found. A period longer than the run is cut so
/// that the first operation still lies in the first half of what is judged.
fn draw_phases(plan: &mut Plan) {
    let longest = plan.warm_up + plan.duration / 2;
    let of_client = |client: &ClientPlan| {
        let purposes = client.populations.iter().map(|population| format!("phase {} {}", client.name, population.name));
        purposes.map(|purpose| plan.seed_for(&purpose)).collect::<Vec<_>>()
    };
    let seeds: Vec<u64> = plan.clients.iter().flat_map(of_client).collect();
    let populations = plan.clients.iter_mut().flat_map(|client| &mut client.populations);
    for (population, seed) in populations.zip(seeds) {
        if let Arrival::Constant { rate, phase } = &mut population.arrival {
            *phase = uniform(seed, rate.offset(1).min(longest));
        }
    }
}

/// A duration in `[0, span)`, from 64 random bits: by the high bits of the product, so that no remainder favours the
/// short ones (Lemire 2019).
fn uniform(random: u64, span: Duration) -> Duration {
    let product = u128::from(random) * u128::from(nanos(span));
    Duration::from_nanos(u64::try_from(product >> 64).unwrap_or_default())
}

/// The bounds that the whole program counts on, should this module have missed one: each client alone first, so that the
/// problem has a place in the file.
fn validate(plan: &Plan, read: &File, problems: &mut Problems) {
    // Those of a group differ in nothing that has bounds: its first one speaks for all.
    for (client, entry) in device::first_clients(plan, read) {
        for (population, (_, at)) in client.populations.iter().zip(&entry.run) {
            let client = ClientPlan { name: client.name.clone(), populations: vec![population.clone()] };
            let alone = Plan { clients: vec![client], ..plan_without_clients(plan) };
            if let Err(error) = alone.validate() {
                problems.report(at.clone(), error.to_string());
            }
        }
    }
    if problems.is_empty()
        && let Err(error) = plan.validate()
    {
        problems.report(None, error.to_string());
    }
}

fn plan_without_clients(plan: &Plan) -> Plan {
    Plan { name: plan.name.clone(), clients: Vec::new(), ..*plan }
}
