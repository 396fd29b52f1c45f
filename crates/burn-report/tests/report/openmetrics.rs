//! The OpenMetrics form.

use burn_model::judge::{Reading, judge};
use burn_report::openmetrics::{Exposition, Family, Kind, render, summary, write_summary};

use crate::household::{desktop, events, fold, header, one_radio, run};
use crate::two_seconds::{self, HOSTILE};

/// The samples of a text whose line begins with `start`.
fn lines<'a>(text: &'a str, start: &str) -> Vec<&'a str> {
    text.lines().filter(|line| line.starts_with(start)).collect()
}

#[test]
fn a_summary_holds_verdicts_figures_and_goals_in_base_units() {
    let text = summary(&run(), &one_radio());
    let laptop = "scenario=\"one radio\",client=\"laptop\",application=\"browsing\"";
    for line in [
        "# TYPE netburn_run_verdict stateset".to_owned(),
        "netburn_run_verdict{scenario=\"one radio\",netburn_run_verdict=\"fail\"} 1".to_owned(),
        "netburn_run_verdict{scenario=\"one radio\",netburn_run_verdict=\"pass\"} 0".to_owned(),
        format!("netburn_run_application_verdict{{{laptop},netburn_run_application_verdict=\"marginal\"}} 1"),
        // 02:10:43 on 21 November 2026: day 20,778 since 1970, and 7843 s of it.
        "netburn_run_start_time_seconds{scenario=\"one radio\"} 1795227043".to_owned(),
        format!("netburn_run_score{{{laptop}}} 84.4"),
        // 5.2 Mbps are 650,000 bytes a second; of 33 operations whose end is known, none failed.
        format!("netburn_run_goodput_bytes_per_second{{{laptop}}} 650000"),
        format!("netburn_run_failed_ratio{{{laptop}}} 0"),
        format!("netburn_run_response_time_seconds{{{laptop},quantile=\"0.95\"}} 0.812"),
        format!("netburn_run_operations{{{laptop},outcome=\"completed\"}} 33"),
        format!("netburn_run_operations{{{laptop},outcome=\"in_flight\"}} 1"),
        format!("netburn_run_goal_decided{{{laptop},goal=\"response_time p95\"}} 1"),
        format!(
            "netburn_run_goal_outcome{{{laptop},goal=\"response_time p95\",netburn_run_goal_outcome=\"missed\"}} 1"
        ),
        format!("netburn_run_goal_seconds{{{laptop},goal=\"response_time p95\"}} 0.812"),
        format!("netburn_run_goal_bound_seconds{{{laptop},goal=\"response_time p95\",bound=\"bad\"}} 2.5"),
    ] {
        assert!(text.lines().any(|found| found == line), "no line '{line}' in\n{text}");
    }
    // Its p99 is of too few operations, and it plays nothing: there are no such samples.
    assert_eq!(lines(&text, &format!("netburn_run_response_time_seconds{{{laptop}")).len(), 3);
    assert!(lines(&text, &format!("netburn_run_stalls{{{laptop}")).is_empty());
    assert!(text.ends_with("\n# EOF\n"));
}

#[test]
fn a_quantile_of_operations_that_never_completed_is_infinite() {
    let mut judgement = one_radio();
    judgement.applications[0].response_time.p95 = Reading::Unsuccessful;
    judgement.applications[0].goals[0].observed = None;
    judgement.applications[0].goals[0].reading = Some(Reading::Unsuccessful);
    let text = summary(&run(), &judgement);
    let infinite = text.lines().filter(|line| line.contains("client=\"laptop\"") && line.ends_with(" +Inf"));
    assert_eq!(infinite.count(), 2, "{text}");
}

#[test]
fn hostile_names_stay_in_their_labels_and_names_that_read_alike_stay_apart() {
    let mut header = header();
    header.run = "r\"\n# EOF\n\\".to_owned();
    header.plan.name = "x".repeat(1 << 20);
    // Neither holds a control character, so that a plan may have them; both read as "tv" with one replaced character.
    header.plan.clients[0].name = "tv\u{202e}".to_owned();
    header.plan.clients[1].name = "tv\u{200b}".to_owned();
    header.plan.clients[2].populations[0].name = "\"} 1 \\ {\"".to_owned();
    let text = summary(&fold(&events(header)), &one_radio());
    assert_eq!(lines(&text, "# EOF").len(), 1, "one end");
    assert!(text.lines().all(|line| line.len() < 2000), "labels are of bounded length");
    assert!(text.contains(",run=\"r\\\"\u{FFFD}# EOF\u{FFFD}\\\\\","), "{}", lines(&text, "netburn_run_info")[0]);
    assert_eq!(lines(&text, "netburn_run_score").len(), 3, "three applications have a score");
    for client in ["tv\u{FFFD}", "tv\u{FFFD} (2)"] {
        assert!(text.contains(&format!(",client=\"{client}\",")), "no {client}");
    }
    assert!(text.contains(",application=\"\\\"} 1 \\\\ {\\\"\","), "{text}");
}

#[test]
fn a_judgement_that_is_not_of_the_runs_plan_has_series_of_its_own() {
    let mut judgement = one_radio();
    judgement.applications = vec![desktop(), desktop()];
    let text = summary(&run(), &judgement);
    let of: Vec<&str> = lines(&text, "netburn_run_goodput_bytes_per_second");
    assert_eq!(of.len(), 2);
    assert_ne!(of[0], of[1]);
}

#[test]
fn a_text_may_hold_families_of_others_beside() {
    let mut text = Exposition::new();
    let family = Family { name: "netburn_watch_runs", kind: Kind::Counter, unit: None, help: "Runs so far." };
    text.family(family).add(&[], 2.0, None);
    write_summary(&mut text, &run(), &one_radio());
    let text = text.finish();
    assert!(text.starts_with("# TYPE netburn_watch_runs counter\n"));
    assert_eq!(lines(&text, "# EOF").len(), 1);
}

#[test]
fn each_second_is_stamped_with_its_end_and_counters_grow() {
    let run = fold(&two_seconds::events(two_seconds::header("tv", "film")));
    let text = render(&run, &judge(&run)).unwrap();
    let film = "scenario=\"two seconds\",client=\"tv\",application=\"film\"";
    // The run was started at 1,795,227,043.5 (see above); second 0 ends one later, second 2 three later.
    let at = |second: u64| format!("{}.500", 1_795_227_043 + second);
    // Values at their ranks: derived in the test of the same seconds as a table.
    for (start, samples) in [
        ("netburn_received_bytes_total{", vec![("}", "1000000", 1), ("}", "1500000", 3)]),
        (
            "netburn_operations_ended_total{",
            vec![
                (",outcome=\"completed\"}", "4", 1),
                (",outcome=\"completed\"}", "7", 3),
                (",outcome=\"unsuccessful\"}", "0", 1),
                (",outcome=\"unsuccessful\"}", "1", 3),
            ],
        ),
        (
            "netburn_operations_over_bound_total{",
            vec![
                (",bound_seconds=\"0.1\"}", "2", 1),
                (",bound_seconds=\"0.1\"}", "2", 3),
                (",bound_seconds=\"0.4\"}", "1", 1),
                (",bound_seconds=\"0.4\"}", "1", 3),
            ],
        ),
        (
            "netburn_response_time_seconds{",
            vec![
                (",quantile=\"0.5\"}", "0.0999424", 1),
                (",quantile=\"0.95\"}", "0.499908608", 1),
                (",quantile=\"1\"}", "0.499908608", 1),
                // p95 falls on the operation that failed: no sample.
                (",quantile=\"0.5\"}", "0.063995904", 3),
                (",quantile=\"1\"}", "0.063995904", 3),
            ],
        ),
        ("netburn_buffer_seconds{", vec![("}", "1.25", 1)]),
    ] {
        let expected: Vec<String> = samples
            .iter()
            .map(|(more, value, second)| format!("{start}{film}{more} {value} {}", at(*second)))
            .collect();
        assert_eq!(lines(&text, start), expected);
    }
    let radio = format!("netburn_wifi_signal_dbm{{scenario=\"two seconds\",client=\"tv\"}} -61 {}", at(3));
    assert_eq!(lines(&text, "netburn_wifi_signal_dbm{"), [radio]);
    let stamped = text.lines().filter(|line| !line.starts_with('#') && !line.contains(" 17952270"));
    assert_eq!(stamped.count(), 0, "every sample has a stamp");
}

#[test]
fn without_a_start_there_are_no_stamps_and_the_message_says_so() {
    let mut header = two_seconds::header(HOSTILE, "film");
    header.started_at = "yesterday\u{1b}[2J".to_owned();
    let run = fold(&two_seconds::events(header));
    let message = render(&run, &judge(&run)).unwrap_err().to_string();
    assert!(message.contains("'yesterday\u{FFFD}[2J' is no RFC 3339 time"), "{message}");
    assert!(summary(&run, &judge(&run)).contains("netburn_run_verdict"), "a summary needs none");
}
