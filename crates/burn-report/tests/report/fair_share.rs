//! What each client kept of what it had alone, in every form of the report.

use burn_model::judge::{ApplicationJudgement, FairShare, GoalOutcome, Judgement};
use burn_report::csv::COLUMNS;
use burn_report::text::{Style, render};
use serde_json::{Value, json};

use crate::household::{desktop, laptop, one_radio, run};

/// One of four that kept 31 % of 25 Mbps, within a percent: 0.90/4 = 22.5 % is fair.
pub(crate) fn quarter() -> FairShare {
    FairShare {
        solo_bps: 25e6,
        together_bps: 7.75e6,
        ratio: Some(0.31),
        bound: 0.225,
        clients: 4,
        interval: Some((0.3, 0.32)),
        outcome: GoalOutcome::Met,
        because: None,
    }
}

fn household(share: FairShare) -> Judgement {
    let measured = ApplicationJudgement { fair_share: Some(share), ..laptop() };
    Judgement { applications: vec![measured, desktop()], ..one_radio() }
}

fn text(share: FairShare) -> String {
    let text = render(&run(), &household(share), Style { color: false, width: 200 });
    let (_, after) = text.split_once("\nFair share\n").unwrap();
    after.lines().next().unwrap().to_owned()
}

#[test]
fn the_text_says_what_was_kept_and_what_is_fair() {
    assert_eq!(
        text(quarter()),
        "  - laptop browsing kept 31 % of its solo rate (7.75 Mbps of 25.0 Mbps), between 30 % and 32 %; at least 22.5 % (0.90/4) is \
         fair: fair"
    );
    let starved = FairShare {
        together_bps: 2.5e6,
        ratio: Some(0.1),
        interval: Some((0.1, 0.1)),
        outcome: GoalOutcome::Missed,
        ..quarter()
    };
    assert!(text(starved).ends_with("at least 22.5 % (0.90/4) is fair: not fair"));
    let nothing = FairShare {
        solo_bps: 0.0,
        ratio: None,
        interval: None,
        outcome: GoalOutcome::CannotTell,
        because: Some("it received nothing while it was alone".into()),
        ..quarter()
    };
    assert!(text(nothing).ends_with("is fair: cannot tell (it received nothing while it was alone)"));
    let never = render(&run(), &one_radio(), Style { color: false, width: 200 });
    assert!(!never.contains("Fair share"), "nothing was measured alone");
}

#[test]
fn the_document_holds_it_and_null_where_it_was_not_measured() {
    let document: Value = serde_json::from_str(&burn_report::json::render(&run(), &household(quarter()), 0)).unwrap();
    let expected = json!({
        "solo_mbps": 25.0, "together_mbps": 7.75, "ratio": 0.31, "bound": 0.225, "clients": 4, "outcome": "met",
        "interval": [0.3, 0.32], "because": null,
    });
    assert_eq!(document["applications"][0]["fair_share"], expected);
    assert_eq!(document["applications"][1]["fair_share"], Value::Null);
    let unbounded = FairShare { interval: Some((0.0, f64::INFINITY)), ..quarter() };
    let document: Value = serde_json::from_str(&burn_report::json::render(&run(), &household(unbounded), 0)).unwrap();
    assert_eq!(document["applications"][0]["fair_share"]["interval"], json!([0.0, null]));
}

#[test]
fn the_table_for_spreadsheets_ends_with_it() {
    let csv = burn_report::csv::render(&run(), &household(quarter()));
    let last = &COLUMNS[COLUMNS.len() - 5..];
    assert_eq!(last, ["solo_mbps", "together_mbps", "fair_share_ratio", "fair_share_bound", "fair_share"]);
    let rows: Vec<&str> = csv.split("\r\n").collect();
    assert!(rows[1].ends_with(",25,7.75,0.31,0.225,met"), "{}", rows[1]);
    assert!(rows[2].ends_with(",,,,,"), "{}", rows[2]);
}
