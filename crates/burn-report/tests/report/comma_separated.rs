//! The CSV form.

use burn_report::csv::{COLUMNS, render};

use crate::household::{desktop, one_radio, run};

/// The records of an RFC 4180 text: fields, quotes taken off.
fn records(csv: &str) -> Vec<Vec<String>> {
    let mut records = vec![];
    let (mut fields, mut field, mut quoted) = (vec![], String::new(), false);
    let mut chars = csv.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            '\r' if !quoted => {
                assert_eq!(chars.next(), Some('\n'), "a record ends in CR LF");
                fields.push(std::mem::take(&mut field));
                records.push(std::mem::take(&mut fields));
            }
            _ => field.push(c),
        }
    }
    assert!(fields.is_empty() && field.is_empty(), "the last record ends in CR LF too");
    records
}

#[test]
fn there_is_a_header_and_a_row_for_each_application() {
    let records = records(&render(&run(), &one_radio()));
    assert_eq!(records.len(), 1 + 4);
    assert_eq!(records[0], COLUMNS);
    assert!(records.iter().all(|record| record.len() == COLUMNS.len()));
}

#[test]
fn a_row_holds_the_figures_and_leaves_empty_what_cannot_be_said() {
    let csv = render(&run(), &one_radio());
    let laptop = "k3v9q2,one radio,0123456789abcdef,42,2026-11-21T02:10:43Z,fail,laptop,browsing,marginal,84.4,\
                  response_time p95,,5.2,0.033,34,33,0,0,0,1,402,812,,1020,401,811,,1019,1,2,2,3,4,5,6,7,,,,,,,,,,,";
    assert_eq!(csv.split("\r\n").nth(1), Some(laptop));
    let tv = records(&csv)[2].clone();
    let of = |name: &str| tv[COLUMNS.iter().position(|column| *column == name).unwrap()].as_str();
    assert_eq!(
        ["startup_s", "stalls", "stalled_s", "stall_ratio", "lowest_window_mbps"].map(of),
        ["1.31", "0", "0", "0", "23.7"]
    );
}

#[test]
fn a_name_that_looks_like_a_formula_is_no_formula() {
    let mut judgement = one_radio();
    judgement.applications = vec![desktop()];
    judgement.applications[0].client = "=HYPERLINK(\"http://x\",\"y\")".to_owned();
    judgement.applications[0].name = "+1\n2".to_owned();
    let csv = render(&run(), &judgement);
    assert!(csv.contains(",\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\",'+1\u{FFFD}2,"), "{csv}");
    assert_eq!(records(&csv)[1][6], "'=HYPERLINK(\"http://x\",\"y\")");
}
