//! The live view.

use burn_model::goal::{Bound, Counts, Goal};
use burn_model::record::{
    AccessPoint, IntervalRecord, RoamRecord, RoamSeen, RunEvent, Tally, TelemetryRecord, WifiRecord,
};
use burn_model::run::RunRecord;
use burn_model::samples::Samples;
use burn_model::time::Moment;
use burn_report::layout::width;
use burn_report::live::{Line, Size, State, Tone, view};

use crate::household::{events, events_with_a_lost_client, fold, header, ms, run, secs};

const TERMINAL: Size = Size { columns: 80, rows: 24 };

const fn at(seconds: u64) -> State<'static> {
    State { since_start: Some(secs(seconds)), scrolled: 0, notes: &[], keys: true }
}

fn text(line: &Line) -> String {
    line.iter().map(|span| span.text.as_str()).collect::<String>().trim_end().to_owned()
}

fn texts(lines: &[Line]) -> Vec<String> {
    lines.iter().map(text).collect()
}

#[test]
fn each_application_has_a_line_under_where_the_run_stands() {
    let shown = texts(&view(&run(), at(12), TERMINAL));
    // The title fills the line: 80 columns less 9 of "one radio" and 7 of "12/65 s".
    assert_eq!(shown[0], format!("one radio{}12/65 s", " ".repeat(64)));
    // The widest name is "desktop download", 16 columns; then 9 of state, 10 of goodput, 11 of the longest and 4 of the goal,
    // each after two blanks, which leaves 80 − 58 − 2 = 20 for the history.
    assert!(shown[2].contains("goal") && shown[2].ends_with("last 20 s"), "{}", shown[2]);
    // All are done in this record, and second 11, the one before the 12th, is the last that is shown: 25 Mbps, its own greatest,
    // which without a goal is half as high as what is beyond one.
    let tv = format!("{:16}  {:9}  {:>10}  {:>11}  {:4}  {:>20}", "tv 4kstream", "done", "25.0 Mbps", "–", "–", "▄");
    assert_eq!(shown[4], tv);
    assert!(shown.last().unwrap().starts_with("q ends it and reports"), "{shown:#?}");
}

/// A run whose call has the goal that 95 % take at most 100 ms, 200 ms being bad, and took so long in its last second.
fn call_of(longest: u64) -> RunRecord {
    let mut header = header();
    let bound = Bound::ResponseTime { quantile: 0.95, good: ms(100), bad: ms(200) };
    header.plan.clients[2].populations[0].goals = vec![Goal { bound, counts: Counts::Verdict }];
    let mut events = events(header);
    events.pop();
    let mut response_time = Samples::default();
    response_time.record(ms(longest));
    let cohort = burn_model::record::Cohort { scheduled_second: 12, response_time, ..Default::default() };
    let tally = Tally { scheduled: 1, completed: 1, ..Tally::default() };
    let interval = IntervalRecord { client: 2, second: 12, tally, cohorts: vec![cohort], ..Default::default() };
    events.push(RunEvent::Interval(Box::new(interval)));
    fold(&events)
}

#[test]
fn what_is_beyond_its_goal_is_marked_by_more_than_colour() {
    // 80 ms are 0.8 of the goal: in the fourth of its four quarters. 150 ms are up to twice the goal, 450 ms up to eight times.
    for (longest, mark, tone, block) in
        [(80, "80 ms", Tone::Good, '▄'), (150, "150 ms !", Tone::Warning, '▅'), (450, "450 ms !!", Tone::Bad, '▇')]
    {
        let lines = view(&call_of(longest), at(13), TERMINAL);
        let call = &lines[5];
        let cell = call.iter().find(|span| span.text.trim_start().starts_with(&longest.to_string())).unwrap();
        assert_eq!((cell.text.trim(), cell.tone), (mark, tone));
        assert!(text(call).contains("≤ 100 ms"), "{}", text(call));
        assert!(text(call).ends_with(block), "{}", text(call));
    }
}

#[test]
fn a_lost_client_says_so_and_its_old_figures_are_gone() {
    let lost = fold(&events_with_a_lost_client(header(), 2, "gone"));
    let shown = texts(&view(&lost, at(12), TERMINAL));
    assert!(shown[5].starts_with("phone voip        LOST                –"), "{}", shown[5]);
}

#[test]
fn a_radio_shows_its_signal_and_that_it_roamed() {
    let mut events = events(header());
    events.pop();
    let wifi = WifiRecord { signal_dbm: Some(-61), channel: Some(36), ..WifiRecord::default() };
    events.push(RunEvent::Telemetry(Box::new(TelemetryRecord {
        client: 2,
        second: 12,
        wifi: Some(wifi),
        ..TelemetryRecord::default()
    })));
    let to = Some(AccessPoint { bssid: "02:00:00:00:01:00".to_owned(), frequency_mhz: Some(5180) });
    let roam = RoamRecord { client: 2, at: Moment::from_secs(12), seen: RoamSeen::Event, from: None, to };
    events.push(RunEvent::Roam(roam));
    let shown = texts(&view(&fold(&events), at(13), TERMINAL));
    assert!(shown.contains(&"Wi-Fi phone: -61 dBm, channel 36, roamed once".to_owned()), "{shown:#?}");
}

#[test]
fn notes_stand_below_the_last_three_of_them() {
    let notes = ["one", "two", "three", "four"].map(str::to_owned);
    let shown = texts(&view(&run(), State { notes: &notes, ..at(12) }, TERMINAL));
    let noted: Vec<_> = shown.iter().filter(|line| line.starts_with("netburn: ")).collect();
    assert_eq!(noted, ["netburn: two", "netburn: three", "netburn: four"]);
}

#[test]
fn what_does_not_fit_is_counted_and_can_be_scrolled_to() {
    // Nine lines: title, blank, names of columns, three for four applications, blank, the last line.
    let small = Size { columns: 80, rows: 8 };
    let shown = texts(&view(&run(), at(12), small));
    assert!(shown[3].starts_with("laptop browsing") && shown[4].starts_with("tv 4kstream"), "{shown:#?}");
    assert_eq!(shown[5], "1 to 2 of 4 (↑ ↓)");
    let scrolled = texts(&view(&run(), State { scrolled: 9, ..at(12) }, small));
    assert!(scrolled[3].starts_with("phone voip") && scrolled[4].starts_with("desktop download"), "{scrolled:#?}");
    assert_eq!(scrolled[5], "3 to 4 of 4 (↑ ↓)");
}

#[test]
fn a_narrow_terminal_loses_the_history_first_then_the_goal_and_never_who_it_is_about() {
    // 16 + 11 + 12 + 13 + 6 are 58, so 60 columns have no eight for a history; at 57 the goal goes, at 51 the state, and at 50 the
    // 16 + 12 + 13 that are left leave no eight either.
    let row = |columns: usize| texts(&view(&run(), at(12), Size { columns, rows: 24 }))[4].clone();
    assert_eq!(row(60), format!("{:16}  {:9}  {:>10}  {:>11}  –", "tv 4kstream", "done", "25.0 Mbps", "–"));
    assert_eq!(row(57), format!("{:16}  {:9}  {:>10}  {:>11}", "tv 4kstream", "done", "25.0 Mbps", "–"));
    assert_eq!(row(50), format!("{:16}  {:>10}  {:>11}", "tv 4kstream", "25.0 Mbps", "–"));
    // Two numbers of 12 and 13 columns leave 5 of 30 for the name.
    assert_eq!(row(30), format!("{:5}  {:>10}  {:>11}", "tv 4…", "25.0 Mbps", "–"));
}

#[test]
fn no_line_is_wider_than_the_terminal_and_there_are_no_more_than_it_has() {
    for columns in 1..130 {
        for rows in 1..30 {
            let lines = view(&run(), at(12), Size { columns, rows });
            assert!(lines.len() <= rows, "{} of {rows}", lines.len());
            for line in texts(&lines) {
                assert!(width(&line) <= columns, "{columns}: {line}");
            }
        }
    }
}
