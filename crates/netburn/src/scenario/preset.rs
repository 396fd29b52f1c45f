//! The workloads that ship with the program: `presets.toml`, in the language of scenarios.

use std::sync::LazyLock;

use toml::de::DeTable;

use super::Preset;
use super::diagnostic::{Problems, Span};
use super::fields::{Entry, Fields};
use super::workload::Spec;

/// The file.
const TEXT: &str = include_str!("../../presets.toml");

/// Each preset as written, in the file's order.
static SPECS: LazyLock<Vec<(String, Spec)>> = LazyLock::new(|| {
    let mut problems = Problems::default();
    let specs = read(TEXT, &mut problems);
    debug_assert!(problems.is_empty(), "{}", problems.into_errors("presets.toml", TEXT));
    specs
});

/// Each preset, built. A preset that cannot be built would be missing here; a test holds that none is.
pub(super) fn all() -> Vec<Preset> {
    let mut problems = Problems::default();
    let presets = SPECS.iter().filter_map(|(name, spec)| {
        Some(Preset {
            name: name.clone(),
            description: spec.description.clone().unwrap_or_default(),
            population: spec.build(name, &mut problems)?,
            source: spec.source.clone().unwrap_or_default(),
        })
    });
    presets.collect()
}

/// The preset of this name as written, for a workload of the scenario to start from.
pub(super) fn spec(name: &str) -> Option<Spec> {
    SPECS.iter().find(|(known, _)| known == name).map(|(_, spec)| spec.clone().elsewhere())
}

/// The presets' names, in the file's order.
pub(super) fn names<'a>() -> impl Iterator<Item = &'a str> {
    SPECS.iter().map(|(name, _)| name.as_str())
}

fn read(text: &str, problems: &mut Problems) -> Vec<(String, Spec)> {
    let (document, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        problems.report(error.span(), error.message());
    }
    let fields = Fields::of(document.get_ref(), &["workload"], problems);
    let Some(workloads) = fields.get("workload").and_then(|entry| entry.table("[workload.NAME]", problems)) else {
        return Vec::new();
    };
    let mut specs: Vec<(Span, String, Spec)> = workloads
        .iter()
        .map(|(name, value)| {
            let spec = Spec::read(Entry::new("workload", value), name.span(), problems);
            (name.span(), name.get_ref().to_string(), spec)
        })
        .collect();
    specs.sort_by_key(|(at, ..)| at.start);
    specs.into_iter().map(|(_, name, spec)| (name, spec)).collect()
}
