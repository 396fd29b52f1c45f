//! The line of live progress.

use std::time::Duration;

use burn_model::run::RunRecord;
use burn_report::live::line;

use crate::household::{events_with_a_lost_client, fold, header, run};

const fn at(seconds: u64) -> Option<Duration> {
    Some(Duration::from_secs(seconds))
}

#[test]
fn each_application_says_what_it_did_in_its_last_second() {
    // 3,125,000 B in a second are 25 Mbps; three operations completed. The load lasts 5 s of warm-up and 60 s.
    assert_eq!(
        line(&run(), at(12), 99),
        "12/65 s | laptop browsing 3/s | tv 4kstream 25.0 Mbps | phone voip 3/s | desktop download 25.0 Mbps"
    );
}

#[test]
fn what_does_not_fit_is_left_out_from_the_least_needed_on() {
    let names_only = "12/65 s | browsing 3/s | 4kstream 25.0 Mbps | voip 3/s | download 25.0 Mbps";
    assert_eq!(line(&run(), at(12), 79), names_only);
    assert_eq!(line(&run(), at(12), 60), "12/65 s | browsing 3/s | 4kstream 25.0 Mbps | and 2 more");
    assert_eq!(line(&run(), at(12), 7), "12/65 s");
}

#[test]
fn the_line_says_where_the_run_stands() {
    assert_eq!(line(&RunRecord::new(), None, 79), "starting");
    assert!(line(&run(), None, 79).starts_with("starting | "));
    assert!(line(&run(), at(4), 79).starts_with("4/65 s warm-up | "));
    assert!(line(&run(), at(65), 79).starts_with("finishing | "));
}

#[test]
fn a_client_that_is_lost_or_silent_shows_as_such() {
    let events = events_with_a_lost_client(header(), 2, "gone");
    let lost = line(&fold(&events), at(12), 79);
    assert!(lost.contains(" | voip lost | "), "{lost}");
    let opened = line(&fold(&events[..1]), at(1), 120);
    assert!(opened.contains(" | phone voip waiting | "), "{opened}");
}
