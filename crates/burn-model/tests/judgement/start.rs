//! The common start: how far apart clients began, how well that is known, and who was not there.

use std::time::Duration;

use burn_model::judge::{Judgement, Verdict, judge};
use burn_model::record::{ClientState, ClockRecord, ControlRecord, LinkRecord, Phase, RunEvent};
use burn_model::run::{RunRecord, StartSkew};
use burn_model::time::Moment;

use crate::made_up::{MadeUp, client, ms, population, s, state, steady, voip_goals};

fn us(us: u64) -> Duration {
    Duration::from_micros(us)
}

/// Three clients with a call each; each is so late, and its clock is known so well, so long before the start.
fn three(starts: [(Duration, Duration, Duration); 3]) -> RunRecord {
    let call = |name| client(name, vec![population("voip", voip_goals())]);
    let mut run = MadeUp::new(0, 20, ["a", "b", "c"].map(call).into());
    (0..3).for_each(|client| run.operations(client, 0, &steady(50, 20, |_| Some(ms(9)))));
    let mut record = RunRecord::new();
    for mut event in run.events() {
        match &mut event {
            RunEvent::Clock(clock) => {
                let (_, uncertainty, age) = starts[usize::try_from(clock.client).unwrap()];
                clock.uncertainty = uncertainty;
                clock.from_start_ns = Some(u64::try_from(age.as_nanos()).unwrap());
            }
            RunEvent::Client { client, state: ClientState::Running { start_lateness }, .. } => {
                *start_lateness = starts[usize::try_from(*client).unwrap()].0;
            }
            _ => {}
        }
        record.apply(&event);
    }
    record
}

#[test]
fn start_skew_is_from_the_first_start_to_the_last_and_as_sure_as_the_two_worst_clocks() {
    let record = three([(us(300), us(200), s(1)), (us(100), us(900), s(2)), (us(1100), us(400), s(0))]);
    // 1100 - 100. No clock was compared afterwards, so each may have drifted by 500 ppm: 0.5 ms in a second. The bounds are
    // 200 + 500, 900 + 1000 and 400 + 0 µs; the two worst add up to 2600.
    let skew = StartSkew { skew: us(1000), uncertainty: us(2600), clients: 3 };
    assert_eq!(record.start_skew(), Some(skew));
}

#[test]
fn a_second_comparison_bounds_the_drift() {
    // The offset was 5 ns, is 5 ns again 19 s after the start, and is known to 100 µs both times: 200 µs in 20 s at most, so 10
    // µs in the second before the start. The other client's clock is known exactly.
    let after = ClockRecord {
        client: 0,
        offset_ns: 5,
        uncertainty: us(100),
        phase: Phase::After,
        from_start_ns: Some(19_000_000_000),
    };
    let mut record = RunRecord::new();
    let call = |name| client(name, vec![population("voip", voip_goals())]);
    for event in MadeUp::new(0, 20, ["a", "b"].map(call).into()).events() {
        if let RunEvent::Clock(clock) = event {
            let uncertainty = if clock.client == 0 { us(100) } else { us(0) };
            let from_start_ns = Some(if clock.client == 0 { 1_000_000_000 } else { 0 });
            record.apply(&RunEvent::Clock(ClockRecord { uncertainty, from_start_ns, ..clock }));
            if clock.client == 0 {
                record.apply(&RunEvent::Clock(after));
            }
        } else {
            record.apply(&event);
        }
    }
    assert_eq!(record.start_skew().unwrap().uncertainty, us(110));
}

#[test]
fn one_client_alone_has_no_skew() {
    let call = client("a", vec![population("voip", voip_goals())]);
    assert_eq!(MadeUp::new(0, 20, vec![call]).record().start_skew(), None);
}

#[test]
fn clients_that_may_have_begun_far_apart_are_in_doubt_and_others_are_said_to_be_together() {
    let said = |record: &RunRecord| {
        let Judgement { doubts, checks, .. } = judge(record);
        let of =
            |list: Vec<String>| list.into_iter().find(|line| line.contains("apart") || line.contains("each other"));
        (of(doubts), of(checks))
    };
    let near = three([(us(300), us(200), s(0)), (us(100), us(900), s(0)), (us(1100), us(400), s(0))]);
    let (doubt, check) = said(&near);
    assert_eq!(
        (doubt, check.as_deref()),
        (None, Some("All clients began within 1.0 ms of each other, give or take 1.3 ms."))
    );
    let far = three([(us(0), ms(60), s(0)), (us(0), ms(50), s(0)), (us(0), us(0), s(0))]);
    let (doubt, check) = said(&far);
    assert!(doubt.is_some_and(|doubt| doubt.contains("give or take 110 ms")));
    assert_eq!(check, None);
}

#[test]
fn who_was_not_there_from_the_beginning_is_inconclusive_and_the_others_are_judged_as_ever() {
    let call = |name| client(name, vec![population("voip", voip_goals())]);
    let mut run = MadeUp::new(0, 20, vec![call("a"), call("b")]);
    run.operations(0, 0, &steady(50, 20, |_| Some(ms(9))));
    let mut record = RunRecord::new();
    let mut events = run.events();
    events.retain(|event| {
        !matches!(event, RunEvent::Client { client: 1, .. })
            && !matches!(event, RunEvent::Clock(clock) if clock.client == 1)
    });
    events.insert(1, state(1, ClientState::Lost { reason: "it did not join".into() }, None));
    events.iter().for_each(|event| record.apply(event));
    let judgement = judge(&record);
    assert_eq!(judgement.window, (Moment::START, Moment::from_secs(20)));
    let verdicts: Vec<_> = judgement.applications.iter().map(|application| application.verdict).collect();
    assert_eq!(verdicts, [Some(Verdict::Pass), Some(Verdict::Inconclusive)]);
    assert!(
        judgement.reasons.iter().chain(&judgement.doubts).any(|line| line.contains("it did not join")),
        "{judgement:?}"
    );
}

#[test]
fn control_messages_are_weighed_against_the_link_that_they_take_most_of() {
    let call = |name| client(name, vec![population("voip", voip_goals())]);
    let mut run = MadeUp::new(0, 20, vec![call("a"), call("b"), call("c")]);
    (0..3).for_each(|client| run.operations(client, 0, &steady(50, 20, |_| Some(ms(9)))));
    let control = |client, from_agent_bytes| {
        RunEvent::Control(ControlRecord { client, to_agent_bytes: 500, from_agent_bytes, span: s(20) })
    };
    let link = |name: &str, clients: &[u32], rate_bps| {
        RunEvent::Link(LinkRecord {
            name: name.into(),
            clients: clients.to_vec(),
            rate_bps,
            queue: ms(300),
            bytes: 0,
            packets: 0,
            drops: 0,
        })
    };
    run.more = vec![
        link("slow", &[0, 1], 2_000_000),
        link("fast", &[2], 1_000_000_000),
        control(0, 24_500),
        control(1, 49_500),
        control(2, 499_500),
    ];
    // 25,000 + 50,000 bytes in 20 s are 30 kbps, 1.5 % of 2 Mbps; 500,000 bytes are 200 kbps, 0.02 % of 1 Gbps.
    let seen = run.record().control().unwrap();
    assert_eq!((seen.bytes, seen.bytes_per_second), (575_000, 28_750.0));
    let link = seen.link.unwrap();
    assert_eq!((link.name.as_str(), link.rate_bps), ("slow", 2_000_000));
    assert!((link.share - 0.015).abs() < 1e-12, "{}", link.share);
    let doubts = run.judge().doubts;
    let doubt = doubts.iter().find(|doubt| doubt.contains("Control messages")).unwrap();
    assert!(doubt.contains("230.0 kbps in all") && doubt.contains("1.5 % of what slow carries"), "{doubt}");
}

#[test]
fn control_messages_over_links_of_unknown_rate_are_only_counted() {
    let mut run = MadeUp::new(0, 20, vec![client("a", vec![population("voip", voip_goals())])]);
    run.operations(0, 0, &steady(50, 20, |_| Some(ms(9))));
    run.more =
        vec![RunEvent::Control(ControlRecord { client: 0, to_agent_bytes: 0, from_agent_bytes: 20_000, span: s(20) })];
    assert_eq!(run.record().control().unwrap().link, None);
    let checks = run.judge().checks;
    assert!(checks.iter().any(|check| check.contains("8.0 kbps") && check.contains("not known")), "{checks:?}");
    run.more.clear();
    assert_eq!(run.record().control(), None);
}
