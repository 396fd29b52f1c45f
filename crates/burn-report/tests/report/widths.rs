//! Whatever the names: no line is too wide, and nothing reaches the terminal that could move its cursor.

use burn_model::judge::{ApplicationJudgement, Judgement};
use burn_model::record::{Ending, Header, RunEvent};
use burn_model::run::RunRecord;
use burn_report::live;
use burn_report::text::{Style, render, render_side_by_side};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use unicode_width::UnicodeWidthStr;

use crate::household::{events, fold, header, one_radio, two_radios};

/// `text` without the sequences that set colours (CSI … m), and only those.
pub(crate) fn without_colour(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (parameters, rest) = part.split_once('m').unwrap();
        assert!(parameters.bytes().all(|b| b.is_ascii_digit() || b == b';'), "not a colour: {parameters:?}");
        plain.push_str(rest);
    }
    plain
}

/// A run and its judgement in which everybody and everything is called `name`, and every sentence is `sentence`. A record
/// takes no plan whose clients have control characters in their names, so those names are without.
fn hostile(name: &str, sentence: &str) -> (RunRecord, Judgement) {
    let mut header = Header { run: name.to_owned(), remarks: vec![sentence.to_owned()], ..header() };
    header.plan.name = name.to_owned();
    header.server = name.to_owned();
    for (i, client) in header.plan.clients.iter_mut().enumerate() {
        let printable = name.chars().filter(|c| !c.is_control()).take(60);
        client.name = printable.chain(i.to_string().chars()).collect();
        for population in &mut client.populations {
            population.name = client.name.clone();
        }
    }
    let renamed = |application: ApplicationJudgement| ApplicationJudgement {
        client: name.to_owned(),
        name: name.to_owned(),
        reasons: vec![sentence.to_owned()],
        decided_by: None,
        ..application
    };
    let judgement = one_radio();
    let judgement = Judgement {
        reasons: vec![sentence.to_owned()],
        doubts: vec![sentence.to_owned()],
        checks: vec![sentence.to_owned()],
        cautions: vec![sentence.to_owned()],
        applications: judgement.applications.into_iter().map(renamed).collect(),
        ..judgement
    };
    let mut events = events(header);
    let facts = [("kernel".to_owned(), sentence.to_owned())].into();
    events.insert(1, RunEvent::Environment { host: name.to_owned(), facts });
    events.pop();
    events.push(RunEvent::Closed { ending: Ending::Failed { reason: sentence.to_owned() } });
    let run = fold(&events);
    assert!(run.header().is_some(), "the record takes the plan");
    (run, judgement)
}

fn check(text: &str, width: usize) {
    for line in text.lines() {
        assert!(line.width() <= width, "{} columns in {line:?}", line.width());
        assert_eq!(line, line.trim_end(), "blanks at the end");
    }
    let controls = text.chars().find(|c| c.is_control() && *c != '\n');
    assert_eq!(controls, None, "in {text:?}");
    let reordering = text.chars().find(|c| matches!(c, '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'));
    assert_eq!(reordering, None, "in {text:?}");
}

#[test]
fn escape_sequences_in_a_name_reach_no_terminal() {
    let (run, judgement) = hostile("a\u{1b}[2J\u{9b}31m\r\nb\u{202e}", "x\u{1b}]0;title\u{7} y");
    let report = render(&run, &judgement, Style { color: false, width: 80 });
    check(&report, 80);
    assert!(report.starts_with("a\u{FFFD}[2J\u{FFFD}31m\u{FFFD}\u{FFFD}b\u{FFFD}\n"), "{report}");
    let colored = render(&run, &judgement, Style { color: true, width: 80 });
    check(&without_colour(&colored), 80);
}

#[test]
fn wide_and_long_names_keep_the_table_straight() {
    // 居間 is four columns wide.
    let (run, judgement) = hostile("居間", "s");
    let report = render(&run, &judgement, Style { color: false, width: 80 });
    assert!(
        report.contains("\n  WHO   WHAT  VERDICT       SCORE  DECIDED BY\n  居間  居間  marginal         84  s\n"),
        "{report}"
    );
    // A name may take a fifth of the page: 16 columns of 80.
    let (run, judgement) = hostile("a-client-with-a-name-that-goes-on", "s");
    let report = render(&run, &judgement, Style { color: false, width: 80 });
    assert!(report.contains("\n  a-client-with-a…  a-client-with-a…  marginal         84  s\n"), "{report}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn no_line_is_wider_than_the_page(
        name in any::<String>(),
        sentence in any::<String>(),
        width in 0_usize..140,
    ) {
        let (run, judgement) = hostile(&name, &sentence);
        let style = Style { color: false, width };
        let least = width.max(20);
        let report = render(&run, &judgement, style);
        check(&report, least);
        prop_assert_eq!(without_colour(&render(&run, &judgement, Style { color: true, width })), report);
        let other = two_radios();
        let setups = [(name.as_str(), &run, &judgement), (sentence.as_str(), &run, &other)];
        check(&render_side_by_side(&setups, style), least);
    }

    #[test]
    fn progress_is_one_line_that_fits(name in any::<String>(), seconds in 0_u64..70, columns in 0_usize..100) {
        let (run, _) = hostile(&name, "");
        let line = live::line(&run, Some(std::time::Duration::from_secs(seconds)), columns);
        prop_assert!(!line.contains('\n'));
        check(&line, columns);
    }

    #[test]
    fn the_live_view_fits_its_terminal(name in any::<String>(), columns in 1_usize..120, rows in 1_usize..40) {
        let (run, _) = hostile(&name, "");
        let notes = [name.clone()];
        let since_start = Some(std::time::Duration::from_secs(12));
        let state = live::State { since_start, scrolled: 0, notes: &notes, keys: true };
        let lines = live::view(&run, state, live::Size { columns, rows });
        prop_assert!(lines.len() <= rows);
        for line in lines {
            let text: String = line.iter().map(|span| span.text.as_str()).collect();
            prop_assert!(!text.contains('\n'));
            check(text.trim_end(), columns);
        }
    }
}
