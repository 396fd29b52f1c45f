//! A report of many clients stays readable, and one of a run that was stopped says so at once.

use burn_model::judge::{ApplicationJudgement, Judgement, Verdict};
use burn_model::plan::ClientPlan;
use burn_model::record::{DeviceRecord, Ending, Header, RunEvent};
use burn_model::run::RunRecord;
use burn_model::time::Moment;
use burn_report::text::{Style, render};

use crate::household::{one_radio, phone, run};

/// A run in which one device played this many clients, `phone-1` and so on.
fn group(clients: u32, ending: Ending) -> RunRecord {
    let household = run();
    let header = household.header().unwrap();
    let mut plan = header.plan.clone();
    let populations = plan.clients[2].populations.clone();
    let named = |number| ClientPlan { name: format!("phone-{number}"), populations: populations.clone() };
    plan.clients = (1..=clients).map(named).collect();
    let mut run = RunRecord::new();
    run.apply(&RunEvent::Opened(Box::new(Header { plan, ..header.clone() })));
    let device = DeviceRecord { name: "phone".into(), via: "local".into(), clients: (0..clients).collect() };
    run.apply(&RunEvent::Device(device));
    run.apply(&RunEvent::Closed { ending });
    run
}

/// Every one passes with 100, but for these: a fail, and a pass with 98.
fn judged(clients: u32, failed: u32, worst: u32) -> Judgement {
    let one = |number: u32| ApplicationJudgement {
        client: format!("phone-{number}"),
        verdict: Some(if number == failed { Verdict::Fail } else { Verdict::Pass }),
        score: Some(if number == worst { 98.0 } else { 100.0 }),
        ..phone()
    };
    Judgement { applications: (1..=clients).map(one).collect(), ..one_radio() }
}

fn lines(clients: u32, failed: u32, worst: u32) -> Vec<String> {
    let text =
        render(&group(clients, Ending::Finished), &judged(clients, failed, worst), Style { color: false, width: 300 });
    text.lines().map(str::to_owned).collect()
}

#[test]
fn those_of_a_large_group_that_pass_share_a_line_and_the_others_keep_theirs() {
    let lines = lines(20, 2, 7);
    let folded: Vec<&String> = lines.iter().filter(|line| line.contains("phone-1 … phone-20 voip: pass")).collect();
    let [folded] = folded[..] else { panic!("one line: {lines:?}") };
    assert!(
        folded.starts_with("  phone-1 … phone-20 voip: pass (19 clients), score 98 at least; the worst is phone-7, "),
        "{folded}"
    );
    let is_row = |line: &str, name: &str| line.split_whitespace().take(2).eq([name, "voip"]) && line.len() > 40;
    let rows = |name: &str| lines.iter().filter(|line| is_row(line, name)).count();
    assert_eq!((rows("phone-2"), rows("phone-3"), rows("phone-7")), (1, 0, 0));
    // Their figures: of the one that failed, and of the worst of the others.
    let blocks: Vec<&String> =
        lines.iter().filter(|line| line.starts_with("  phone-") && line.ends_with(" voip")).collect();
    assert_eq!(blocks, ["  phone-7 voip", "  phone-2 voip"]);
}

#[test]
fn a_small_group_keeps_a_row_for_each() {
    let lines = lines(12, 99, 99);
    assert!(lines.iter().all(|line| !line.contains('…')), "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.starts_with("  phone-") && line.contains(" pass ")).count(), 12);
}

#[test]
fn clients_of_different_devices_are_never_folded() {
    let judgement = judged(20, 99, 99);
    let mut run = group(20, Ending::Finished);
    let text = |run: &RunRecord| render(run, &judgement, Style { color: false, width: 120 });
    assert!(text(&run).contains('…'));
    // A file of an earlier version tells of no devices.
    let mut without = RunRecord::new();
    without.apply(&RunEvent::Opened(Box::new(run.header().unwrap().clone())));
    run = without;
    assert!(!text(&run).contains('…'));
}

#[test]
fn a_run_that_was_stopped_says_so_at_the_head() {
    let ending = Ending::Interrupted { at: Moment::from_secs(12), by: "Ctrl-C".into() };
    let text = render(&group(3, ending), &judged(3, 99, 99), Style { color: false, width: 100 });
    let line = text.lines().nth(3).unwrap();
    assert_eq!(line, "Interrupted  after 12 s (Ctrl-C): all that follows is of the time until then.");
    let text = render(&group(3, Ending::Finished), &judged(3, 99, 99), Style { color: false, width: 100 });
    assert!(!text.contains("Interrupted"));
}
