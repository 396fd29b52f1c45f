//! Several runs of two set-ups.

use std::cmp::Ordering;
use std::time::Duration;

use burn_model::compare::{Answer, ApplicationComparison, Comparison, RunFigure, Side};
use burn_model::goal::Bound;
use burn_model::rank_test::{RankTest, Shift};
use burn_report::text::{Style, render_comparison};
use serde_json::Value;

fn side(values: &[Option<f64>], median: f64, range: (f64, f64)) -> Side {
    Side { values: values.to_vec(), median: Some(median), range: Some(range) }
}

fn comparison() -> Comparison {
    let bound =
        Bound::ResponseTime { quantile: 0.95, good: Duration::from_millis(500), bad: Duration::from_millis(2500) };
    let browsing = ApplicationComparison {
        client: "laptop".into(),
        name: "browsing".into(),
        figure: RunFigure::Goal(bound),
        first: side(&[Some(800e6), Some(820e6), Some(840e6), Some(860e6)], 830e6, (800e6, 860e6)),
        second: side(&[Some(120e6), Some(110e6), Some(130e6), Some(140e6)], 125e6, (110e6, 140e6)),
        test: Some(RankTest {
            p: 2.0 / 70.0,
            second_is: Ordering::Less,
            shift: Some(Shift { estimate: -705e6, interval: Some((-750e6, -660e6)) }),
        }),
        answer: Answer::Better,
        because: None,
    };
    let download = ApplicationComparison {
        client: "desktop".into(),
        name: "download".into(),
        figure: RunFigure::Goodput,
        first: side(&[Some(124e6)], 124e6, (124e6, 124e6)),
        second: Side { values: vec![None], median: None, range: None },
        test: None,
        answer: Answer::CannotTell,
        because: Some("1 of the runs could not tell the figure".into()),
    };
    Comparison { runs: (4, 4), applications: vec![browsing, download], cautions: vec!["One thing.".into()] }
}

#[test]
fn a_comparison_says_what_changed_how_sure_that_is_and_what_it_cannot_tell() {
    let text = render_comparison("one radio", "two radios", &comparison(), Style { color: false, width: 80 });
    let expected = "two radios (4 runs) held against one radio (4 runs)

  laptop browsing: better
    p95: 830 ms (800 ms to 860 ms) → 125 ms (110 ms to 140 ms)
    change −705 ms (95 % sure: −750 ms to −660 ms); p = 0.029
  desktop download: cannot tell
    goodput: 124 Mbps → –
    Cannot tell: 1 of the runs could not tell the figure.

Bear in mind
  - One thing.
";
    assert_eq!(text, expected);
}

#[test]
fn the_document_of_a_comparison_gives_values_in_their_unit_and_null_where_nobody_knows() {
    let text = burn_report::json::render_comparison("one radio", "two radios", &comparison(), 0);
    let document: Value = serde_json::from_str(&text).unwrap();
    let browsing = &document["comparisons"][0];
    assert_eq!(browsing["first"]["values"], serde_json::json!([800.0, 820.0, 840.0, 860.0]));
    assert_eq!((browsing["unit"].as_str(), browsing["change"].as_f64()), (Some("ms"), Some(-705.0)));
    assert_eq!(browsing["interval"], serde_json::json!([-750.0, -660.0]));
    // 2/70 to six decimals.
    assert_eq!(browsing["p"].as_f64(), Some(0.028571));
    let download = &document["comparisons"][1];
    assert_eq!((download["answer"].as_str(), download["less_is_better"].as_bool()), (Some("cannot_tell"), Some(false)));
    assert!(download["second"]["values"][0].is_null() && download["second"]["median"].is_null());
}
