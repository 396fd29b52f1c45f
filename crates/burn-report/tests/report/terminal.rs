//! The terminal report, held against text that was written from the household's values.

use burn_model::judge::{
    ApplicationJudgement, GoalJudgement, GoalOutcome, Judgement, Limit, Reading, Summary, Verdict,
};
use burn_model::record::{Ending, Header, RunEvent};
use burn_model::run::RunRecord;
use burn_model::time::Moment;
use burn_report::text::{Style, render};

use crate::household::{self, laptop, nothing, one_radio, phone, run, two_radios};

fn plain(run: &RunRecord, judgement: &Judgement, width: usize) -> String {
    render(run, judgement, Style { color: false, width })
}

/// The part of a report from the line `from` to before the line `to`, or to its end.
fn part<'a>(report: &'a str, from: &str, to: Option<&str>) -> &'a str {
    let start = report.find(from).unwrap_or_else(|| panic!("no {from:?} in:\n{report}"));
    let rest = &report[start..];
    to.map_or(rest, |to| &rest[..rest.find(to).unwrap_or_else(|| panic!("no {to:?} in:\n{rest}"))])
}

#[test]
fn the_verdict_and_what_decided_it_come_first() {
    let report = plain(&run(), &one_radio(), 80);
    let expected = "\
one radio

FAIL  Not good enough: phone voip.

  WHO      WHAT      VERDICT       SCORE  DECIDED BY
  laptop   browsing  marginal         84  p95 812 ms, goal 500 ms
  tv       4kstream  pass            100  slowest 4 s 23.7 Mbps, goal 20 Mbps
  phone    voip      FAIL              0  p95 failed, goal 150 ms
  desktop  download  no goals          –  124 Mbps

Why
  - phone voip: 6 % of the operations failed.
  - laptop browsing: pages take longer than 500 ms too often.
";
    assert_eq!(&report[..expected.len()], expected);
}

#[test]
fn at_sixty_columns_the_figure_wraps_within_its_column() {
    let report = plain(&run(), &one_radio(), 60);
    // 60 − 2 (indent) − 7 − 8 − 12 − 5 − 4 × 2 (gaps) = 18 columns are left for the figure.
    let expected = "
  WHO      WHAT      VERDICT       SCORE  DECIDED BY
  laptop   browsing  marginal         84  p95 812 ms,
                                          goal 500 ms
  tv       4kstream  pass            100  slowest 4 s 23.7
                                          Mbps, goal 20 Mbps
";
    assert!(report.contains(expected), "{report}");
}

#[test]
fn where_columns_have_no_room_each_application_has_its_own_lines() {
    let report = plain(&run(), &one_radio(), 40);
    let expected = "
  laptop browsing
    marginal, score 84
    p95 812 ms, goal 500 ms
  tv 4kstream
    pass, score 100
";
    assert!(report.contains(expected), "{report}");
}

#[test]
fn each_application_shows_its_times_its_operations_and_the_evidence_for_each_goal() {
    let report = plain(&run(), &one_radio(), 80);
    let expected = "laptop browsing (closed)
                           p50       p95       p99       max
    response time       402 ms    812 ms         –    1.02 s
    service time        401 ms    811 ms         –    1.02 s
    goodput 5.20 Mbps, 3.3 % of all that moved
    34 operations scheduled: 33 completed, 0 failed, 0 timed out, 0 not sent, 1
    still under way at the end
    - p95 812 ms, goal 500 ms: missed, but not shown worse than 2.5 s; 33
      samples, worth 21 independent ones; 11 % to 42 % of all over 500 ms, 5 %
      allowed; score 84

";
    assert_eq!(part(&report, "laptop browsing (closed)", Some("  tv 4kstream\n")), expected);
    let expected = "player: started after 1.31 s; no stalls; buffer never under 1.80 s; windows
    from 23.7 Mbps to 26.1 Mbps
    - slowest 4 s 23.7 Mbps, goal 20 Mbps: met; 168 windows; score 100; this one
      decided
    - stalled 0 %, goal 0 %: met; score 100
    - start-up 1.31 s, goal 2 s: met; score 100

";
    assert_eq!(part(&report, "player:", Some("  phone voip\n")), expected);
    let expected = "
    response time        14 ms    failed    failed    failed
    service time         14 ms    190 ms    228 ms    240 ms
    goodput 0.94 Mbps, 0.6 % of all that moved
    3,000 operations scheduled: 2,820 completed, 102 failed (2 × no connection
    could be made; 100 × the connection broke before a reply), 70 timed out, 8
    not sent (8 × the run ended first)
";
    assert!(report.contains(expected), "{report}");
}

#[test]
fn signs_that_stand_for_a_figure_are_explained_once_and_only_where_they_occur() {
    let report = plain(&run(), &one_radio(), 80);
    let note = "\n  – stands where there are too few samples to say; failed stands where a\n  quantile falls on operations that never completed.\n";
    assert_eq!(report.matches(note).count(), 1, "{report}");
    let fine = Judgement { applications: vec![household::tv()], ..two_radios() };
    assert!(!plain(&run(), &fine, 80).contains("stands where"));
}

#[test]
fn the_tester_is_accounted_for_before_the_network_is_blamed() {
    let report = plain(&run(), &one_radio(), 80);
    let expected = "\
Was it the network?
  Yes, as far as this run can tell: neither a client nor the server was the
  limit.
  Checked and in order:
  - Taking the clients' own lateness out changes no verdict.
  What the tester and the server themselves cost, p50 / p99 / max:
  - laptop browsing: sent late by 1.0 ms / 2.0 ms / 3.0 ms; the server took
    4.0 ms / 6.0 ms / 7.0 ms

Bear in mind
  - The radios are emulated: a rate and a queue, no airtime.
  - A run cannot speak for what it did not see.

";
    assert_eq!(part(&report, "Was it", Some("The run\n")), expected);
}

#[test]
fn the_network_is_not_blamed_where_somebody_else_was_the_limit_or_it_is_in_doubt() {
    let doubtful = Judgement { doubts: vec!["The server paused for 80 ms.".to_owned()], ..one_radio() };
    let report = plain(&run(), &doubtful, 80);
    assert!(
        report.contains(
            "network?\n  Not known: something about the test itself is in doubt.\n  - The server paused for 80 ms.\n"
        ),
        "{report}"
    );
    let limited = ApplicationJudgement { limited_by: Some(Limit::Server), ..phone() };
    let report = plain(&run(), &Judgement { applications: vec![limited], ..one_radio() }, 80);
    assert!(report.contains("  Not for all of it: the server was the limit of phone voip.\n"), "{report}");
    assert!(!report.contains("Yes, as far as"), "{report}");
    let report = plain(&run(), &two_radios(), 80);
    assert!(report.contains("network?\n  Neither a client nor the server was the limit.\n"), "{report}");
    let passed = Judgement { reasons: vec!["Every goal was met.".to_owned()], ..two_radios() };
    assert!(!plain(&run(), &passed, 80).contains("Why\n"), "a pass needs no reasons");
    assert!(
        plain(&run(), &nothing(), 80).contains(
            "network?\n  Not known: something about the test itself is in doubt.\n  - Every client was lost.\n"
        )
    );
}

#[test]
fn the_facts_of_the_run_close_the_report() {
    let report = plain(&run(), &one_radio(), 80);
    // Four clients received 3,125,000 B each: 12.5 MB. Of 8,600 + 1,234 packets 1,234 were dropped.
    let expected = "\
The run
  judged     60 s, from 5 s to 65 s; asked for: 60 s after 5 s of warm-up
  moved      155 Mbps of payload in all
  started    2026-11-21T02:10:43Z by netburn 0.1.0
  run        k3v9q2; plan 0123456789abcdef; seed 42
  server     http://10.0.0.1:8080
  host       controller and server: kernel 6.1.0-28; congestion control cubic
  link       radio1 (laptop, tv, phone and desktop): 156 Mbps, a queue of
             300 ms; 13.0 MB went through, of it 12.5 MB our own payload; 1,234
             of 9,834 packets dropped
  start      the latest client, phone, started 1.9 ms late
";
    assert_eq!(part(&report, "The run\n", None), expected);
}

#[test]
fn a_run_that_did_not_go_to_plan_says_so_in_its_facts() {
    let header = Header { verified_server: false, ..household::header() };
    let mut events = household::events_with_a_lost_client(header, 1, "its connection closed");
    let torn = plain(&household::fold(&events), &one_radio(), 80);
    assert!(torn.contains("  server     http://10.0.0.1:8080 (not proven to be ours)\n"), "{torn}");
    assert!(torn.contains("  ended      unknown: the record of the run has no end\n"), "{torn}");
    assert!(torn.contains("  lost       tv: its connection closed\n"), "{torn}");
    let ending = Ending::Interrupted { at: Moment::from_secs(33), by: "SIGINT".to_owned() };
    events.push(RunEvent::Closed { ending });
    let stopped = plain(&household::fold(&events), &one_radio(), 80);
    assert!(stopped.contains("  ended      early, 33 s into the run: SIGINT\n"), "{stopped}");
}

#[test]
fn a_network_is_not_blamed_beside_a_server_that_gave_no_account_of_itself() {
    let header = Header { verified_server: false, ..household::header() };
    let events = household::events_with_a_lost_client(header, 1, "its connection closed");
    let report = plain(&household::fold(&events), &one_radio(), 80);
    let expected = "Was it the network?
  Not known: it was not the client, but the server gave no account of itself. A
  slow server looks like a slow network here.
";
    assert!(report.contains(expected), "{report}");
}

#[test]
fn every_verdict_has_its_own_sentence() {
    let of = |verdict: Verdict, applications: Vec<ApplicationJudgement>| {
        let report = plain(&run(), &Judgement { verdict, applications, ..one_radio() }, 80);
        report.lines().nth(2).unwrap().to_owned()
    };
    let browsing = |verdict| vec![ApplicationJudgement { verdict: Some(verdict), ..laptop() }];
    assert_eq!(of(Verdict::Pass, browsing(Verdict::Pass)), "pass  Good enough for everyone: every goal was met.");
    assert_eq!(
        of(Verdict::Marginal, browsing(Verdict::Marginal)),
        "marginal  Usable, but not as good as it should be: laptop browsing."
    );
    assert_eq!(
        of(Verdict::Inconclusive, browsing(Verdict::Inconclusive)),
        "inconclusive  This run cannot tell whether it is good enough: laptop browsing."
    );
    assert_eq!(of(Verdict::Fail, browsing(Verdict::Fail)), "FAIL  Not good enough: laptop browsing.");
    assert_eq!(
        of(Verdict::Pass, vec![household::desktop()]),
        "pass  Nothing was judged: no application has a goal. 155 Mbps moved in all."
    );
}

#[test]
fn a_goal_that_cannot_be_told_says_why_and_what_would_have_told() {
    let [goal, ..] = &laptop().goals[..] else { panic!("the laptop has a goal") };
    let unsure = GoalJudgement {
        outcome: GoalOutcome::CannotTell,
        observed: None,
        reading: Some(Reading::TooFew),
        n: 12,
        effective_n: 12.0,
        interval: Some((0.0, 0.221)),
        needed: Some(59),
        score: None,
        because: Some("it saw 12 operations; 59 would tell, if none took longer than 500 ms".to_owned()),
        ..goal.clone()
    };
    let unsure = ApplicationJudgement {
        verdict: Some(Verdict::Inconclusive),
        score: None,
        response_time: Summary::default(),
        goals: vec![unsure],
        ..laptop()
    };
    let report = plain(&run(), &Judgement { applications: vec![unsure], ..one_radio() }, 80);
    let expected = "
    - p95 –, goal 500 ms: cannot tell; it saw 12 operations; 59 would tell, if
      none took longer than 500 ms; 12 samples; 0 % to 22.1 % of all over
      500 ms, 5 % allowed
";
    assert!(report.contains(expected), "{report}");
}

#[test]
fn colour_repeats_what_a_word_says_already() {
    let colored = render(&run(), &one_radio(), Style { color: true, width: 80 });
    // ECMA-48 §8.3.117: 1 bold, 31 red, 33 yellow, 32 green.
    assert!(colored.contains("\u{1b}[1m\u{1b}[31mFAIL\u{1b}[0m"), "{colored}");
    assert!(colored.contains("\u{1b}[1m\u{1b}[33mmarginal\u{1b}[0m"), "{colored}");
    assert!(colored.contains("\u{1b}[1m\u{1b}[32mpass\u{1b}[0m"), "{colored}");
    assert_eq!(crate::widths::without_colour(&colored), plain(&run(), &one_radio(), 80));
}

#[test]
fn a_run_of_which_nothing_is_known_has_a_report_all_the_same() {
    let report = plain(&RunRecord::new(), &nothing(), 80);
    let first = "inconclusive  This run cannot tell whether it is good enough.\n\nWhy\n  - Every client was lost.\n";
    assert!(report.starts_with(first), "{report}");
    assert!(report.contains("  judged     nothing\n"), "{report}");
}
