//! The CSV form.

use burn_report::csv::{COLUMNS, SECOND_COLUMNS, render, render_seconds};

use crate::household::{desktop, fold, one_radio, run};
use crate::two_seconds::{self, HOSTILE};

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

#[test]
fn a_second_of_an_application_is_a_row_and_an_unknown_second_is_none() {
    let csv = render_seconds(&fold(&two_seconds::events(two_seconds::header("tv", "film"))));
    // 1 MB in a second are 8 Mbps. Of 50, 100, 200 and 500 ms the median is rank 2 of 4, p95 rank 4. A value is the lower end
    // of its bucket, which is 2^10 times narrower than the power of two below it: 100 ms lie above 2^26 ns, in buckets of
    // 65,536 ns, 1525.9 of which they are: 1525 · 65,536 = 99,942,400; 500 ms lie above 2^28 ns: 1907 · 262,144 =
    // 499,908,608. The bounds are 100 and 400 ms: two took longer than the first, one longer than the last.
    let rows: Vec<&str> = csv.split("\r\n").skip(1).collect();
    assert_eq!(
        rows[0],
        "r1,tv,film,0,4,4,0,0,0,0,8,99.9424,499.908608,499.908608,99.9424,100,2,400,1,0.75,0,0,1.25,,,,,,"
    );
    // Three of four completed: p95 is rank 4, which falls on the failed one. 64 ms lie above 2^25 ns: 1953 · 32,768 =
    // 63,995,904.
    assert_eq!(
        rows[1],
        "r1,tv,film,2,4,3,1,1,0,0,4,63.995904,,63.995904,63.995904,100,0,400,0,0.75,0.25,1,,-61,866.7,,12,5180,02:00:00:00:00:01"
    );
    assert_eq!(rows[2..], [""]);
}

#[test]
fn names_in_a_table_of_seconds_are_data() {
    let csv = render_seconds(&fold(&two_seconds::events(two_seconds::header(HOSTILE, "+1"))));
    let records = records(&csv);
    assert_eq!(records[0], SECOND_COLUMNS);
    assert!(records.iter().all(|record| record.len() == SECOND_COLUMNS.len()));
    assert_eq!(records[1][1..3], ["'=<script>\"a\",b\\ [31m\u{FFFD}", "'+1"]);
}
