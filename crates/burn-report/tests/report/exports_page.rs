//! docs/EXPORTS.md names every column and every family that there is.

use burn_model::judge::judge;
use burn_report::csv::{COLUMNS, SECOND_COLUMNS};
use burn_report::openmetrics;

use crate::household::{fold, one_radio, run};
use crate::two_seconds;

const PAGE: &str = include_str!("../../../../docs/EXPORTS.md");

/// Whether the page names it, whatever stands behind the name: `name`, `name{label}`, `name_total{label}`.
fn is_named(name: &str) -> bool {
    ["`", "{", "_total`", "_total{", "_info`"].iter().any(|end| PAGE.contains(&format!("`{name}{end}")))
}

#[test]
fn every_column_is_on_the_page() {
    for column in COLUMNS.iter().chain(&SECOND_COLUMNS) {
        assert!(is_named(column), "docs/EXPORTS.md does not name the column {column}");
    }
}

#[test]
fn every_family_is_on_the_page() {
    let seconds = fold(&two_seconds::events(two_seconds::header("tv", "film")));
    let texts = [openmetrics::summary(&run(), &one_radio()), openmetrics::render(&seconds, &judge(&seconds)).unwrap()];
    let families: Vec<&str> = texts
        .iter()
        .flat_map(|text| text.lines())
        .filter_map(|line| line.strip_prefix("# TYPE ")?.split(' ').next())
        .collect();
    assert!(families.len() > 30, "{families:?}");
    for family in families {
        assert!(is_named(family), "docs/EXPORTS.md does not name the family {family}");
    }
}
