//! The sentence that a page begins with, for every way that an evening can go.

use burn_model::goal::{Bound, Counts};
use burn_model::judge::{
    ApplicationJudgement, GoalJudgement, GoalOutcome, Judgement, Limit, Operations, Reading, Verdict,
};
use burn_model::record::{Ending, FailureCause, Header, RunEvent, Tally};
use burn_model::run::RunRecord;
use burn_model::time::Moment;
use burn_report::html::render;

use crate::household::{
    desktop, events, events_with_a_lost_client, fold, header, laptop, met, met_figure, ms, nothing, one_radio, phone,
    response_time_goal, run, secs, tv,
};
use crate::parsed::{Element, Page};

fn sentence_of(run: &RunRecord, judgement: &Judgement) -> String {
    let page = Page::read(&render(run, judgement));
    let verdict = page.one("h1");
    let around: Vec<_> = verdict.around.iter().filter_map(|i| page.elements[*i].attribute("role")).collect();
    assert_eq!(around, ["status"], "a screen reader is told");
    verdict.text.replace('\u{A0}', " ")
}

fn sentence(judgement: &Judgement) -> String {
    sentence_of(&run(), judgement)
}

/// The household with these applications, in good order.
fn household(verdict: Verdict, applications: Vec<ApplicationJudgement>) -> Judgement {
    Judgement { verdict, applications, reasons: vec![], ..one_radio() }
}

/// Browsing of which so many of 60 pages took over 500 ms, at this p95.
fn slow(over: u64, p95: u64, bad_passed: bool) -> ApplicationJudgement {
    let goal = response_time_goal(0.95, 500, 2500, Counts::Verdict);
    let judged =
        GoalJudgement { outcome: GoalOutcome::Missed, bad_passed, n: 60, over: Some(over), ..met(goal, ms(p95)) };
    let verdict = Some(if bad_passed { Verdict::Fail } else { Verdict::Marginal });
    ApplicationJudgement { verdict, goals: vec![judged], ..laptop() }
}

fn good_call() -> ApplicationJudgement {
    let goals = vec![met(response_time_goal(0.95, 150, 400, Counts::Verdict), ms(14))];
    ApplicationJudgement { verdict: Some(Verdict::Pass), score: Some(100.0), goals, ..phone() }
}

fn unsure(limited_by: Option<Limit>) -> ApplicationJudgement {
    let goal = response_time_goal(0.95, 500, 2500, Counts::Verdict);
    let judged = GoalJudgement { outcome: GoalOutcome::CannotTell, n: 20, needed: Some(59), ..met(goal, ms(100)) };
    ApplicationJudgement { verdict: Some(Verdict::Inconclusive), goals: vec![judged], limited_by, ..laptop() }
}

#[test]
fn one_slow_application_is_told_beside_those_that_were_fine() {
    // 5 of 60 are one in 12.
    assert_eq!(
        sentence(&household(Verdict::Marginal, vec![slow(5, 700, false), tv(), good_call(), desktop()])),
        "The 4K stream and the call were fine; browsing was slow: 1 page in 12 took over 500 ms. The network was the limit."
    );
    // 24 of 60 are 40 %.
    assert_eq!(
        sentence(&household(Verdict::Fail, vec![slow(24, 3000, true), good_call()])),
        "The call was fine; browsing was far too slow: 40 % of pages took over 500 ms. The network was the limit."
    );
}

#[test]
fn when_everyone_was_fine_nothing_is_said_of_limits() {
    let browsing = ApplicationJudgement {
        verdict: Some(Verdict::Pass),
        goals: vec![met(response_time_goal(0.95, 500, 2500, Counts::Verdict), ms(100))],
        ..laptop()
    };
    assert_eq!(
        sentence(&household(Verdict::Pass, vec![browsing, tv(), good_call(), desktop()])),
        "Everyone was fine: browsing, the 4K stream and the call met every goal."
    );
}

#[test]
fn what_a_run_cannot_tell_is_said_to_be_so() {
    assert_eq!(
        sentence(&household(Verdict::Inconclusive, vec![unsure(None), good_call()])),
        "The call was fine; whether browsing was good enough, this run cannot tell."
    );
}

#[test]
fn a_client_or_a_server_that_was_the_limit_clears_the_network() {
    for (limit, who) in [(Limit::Client, "client"), (Limit::Server, "server")] {
        assert_eq!(
            sentence(&household(Verdict::Inconclusive, vec![unsure(Some(limit)), good_call()])),
            format!(
                "The call was fine; whether browsing was good enough, this run cannot tell. The {who} was the limit of browsing, \
                 not the network."
            )
        );
    }
}

#[test]
fn the_network_is_blamed_only_where_the_tester_was_checked_and_nothing_is_in_doubt() {
    let failed = || household(Verdict::Fail, vec![slow(24, 3000, true)]);
    let browsing = "Browsing was far too slow: 40 % of pages took over 500 ms.";
    assert_eq!(sentence(&failed()), format!("{browsing} The network was the limit."));
    let doubted = Judgement { doubts: vec!["The record is torn.".into()], ..failed() };
    assert_eq!(
        sentence(&doubted),
        format!("{browsing} Something about the test itself is in doubt. The record is torn.")
    );
    let unchecked = Judgement { checks: vec![], ..failed() };
    assert_eq!(sentence(&unchecked), format!("{browsing} What the limit was is not known."));
    let foreign = fold(&events(Header { verified_server: false, ..header() }));
    assert_eq!(
        sentence_of(&foreign, &failed()),
        format!("{browsing} Whether it was the network or the server is not known.")
    );
}

#[test]
fn a_client_that_was_lost_has_that_on_its_card() {
    // The desktop is the household's fourth client.
    let events = events_with_a_lost_client(header(), 3, "the connection broke");
    let judgement = household(Verdict::Pass, vec![slow(1, 300, false), tv(), good_call(), desktop()]);
    let cards = cards(&fold(&events), &judgement);
    let told: Vec<bool> = cards.iter().map(|card| card.contains("lost after 31 s: the connection broke")).collect();
    assert_eq!(told, [false, false, false, true]);
}

#[test]
fn a_card_says_that_a_client_or_the_server_was_the_limit() {
    let of = |limit| cards(&run(), &household(Verdict::Inconclusive, vec![unsure(limit)])).remove(0);
    assert!(of(Some(Limit::Client)).contains("the client was the limit, not the network"));
    assert!(of(Some(Limit::Server)).contains("the server was the limit, not the network"));
    assert!(!of(None).contains("limit"));
}

#[test]
fn a_card_stays_a_card_whatever_somebody_says_at_length() {
    let mut browsing = unsure(None);
    browsing.goals[0].because = Some("long ".repeat(10_000));
    let card = cards(&run(), &household(Verdict::Inconclusive, vec![browsing])).remove(0);
    assert!(card.contains("long long") && card.chars().count() < 500, "{} letters", card.chars().count());
}

#[test]
fn a_miss_of_which_too_few_operations_give_a_figure_is_not_called_too_few_to_say() {
    let few = |outcome| {
        let mut browsing = slow(15, 700, false);
        browsing.goals[0] = GoalJudgement {
            outcome,
            n: 24,
            observed: None,
            reading: Some(Reading::TooFew),
            ..browsing.goals[0].clone()
        };
        cards(&run(), &household(Verdict::Marginal, vec![browsing])).remove(0)
    };
    // 15 of 24 are 62.5 %, and halves go up.
    let missed = few(GoalOutcome::Missed);
    assert!(missed.contains("p95 over 500 ms") && missed.contains("63 % of pages took over 500 ms"), "{missed}");
    assert!(!missed.contains("too few"), "{missed}");
    assert!(few(GoalOutcome::CannotTell).contains("too few to say goal 500 ms"));
}

/// The texts of the cards.
fn cards(run: &RunRecord, judgement: &Judgement) -> Vec<String> {
    let page = Page::read(&render(run, judgement));
    let is_card = |li: &&Element| li.attribute("class").is_some_and(|class| class.starts_with("card"));
    page.all("li").filter(is_card).map(|card| card.text.replace('\u{A0}', " ")).collect()
}

#[test]
fn without_goals_there_is_nothing_to_judge() {
    assert_eq!(
        sentence(&household(Verdict::Pass, vec![desktop()])),
        "Nothing was judged: no application has a goal. 155 Mbps moved in all."
    );
    assert_eq!(
        sentence(&nothing()),
        "This run cannot tell anything. Every client was lost. Something about the test itself is in doubt.",
        "what is in doubt was said already"
    );
}

#[test]
fn a_run_that_was_stopped_says_so() {
    let mut events = events(header());
    events.pop();
    let ending = Ending::Interrupted { at: Moment::from_secs(31), by: "Ctrl-C".into() };
    events.push(RunEvent::Closed { ending });
    let said = sentence_of(&fold(&events), &household(Verdict::Pass, vec![good_call()]));
    assert_eq!(
        said,
        "Everyone was fine: the call met every goal. It was stopped after 31 s (Ctrl-C), and is judged on the time until \
         then."
    );
}

#[test]
fn each_kind_of_goal_is_missed_in_words_of_its_own() {
    let missed = |bound, observed, bad_passed| {
        let judged = GoalJudgement { outcome: GoalOutcome::Missed, bad_passed, ..met_figure(bound, observed) };
        let verdict = if bad_passed { Verdict::Fail } else { Verdict::Marginal };
        let stream = ApplicationJudgement { verdict: Some(verdict), goals: vec![judged], ..tv() };
        sentence(&household(verdict, vec![stream]))
    };
    let floor = Bound::WindowGoodput { window: secs(4), floor: burn_model::units::BitRate::from_mbps(20) };
    let stall = Bound::StallRatio { good: 0.0, bad: 0.01 };
    let startup = Bound::StartupTime { good: secs(2), bad: secs(10) };
    for (said, expected) in [
        (missed(floor, 18.9e6, true), "was starved: its slowest 4 s carried 18.9 Mbps, and 20 Mbps are needed."),
        (missed(stall.clone(), 0.005, false), "stalled: it stood still for 0.5 % of the time."),
        (missed(stall, 0.032, true), "kept stalling: it stood still for 3.2 % of the time."),
        (missed(startup, 5.3e9, false), "was slow to start: it took 5.30 s, and 2 s is the goal."),
    ] {
        assert_eq!(said, format!("The 4K stream {expected} The network was the limit."));
    }
    let failed = GoalJudgement {
        outcome: GoalOutcome::Missed,
        n: 120,
        over: Some(3), // one in 40
        ..met_figure(Bound::FailedShare { good: 0.0, bad: 0.5 }, 0.025)
    };
    let browsing = ApplicationJudgement { verdict: Some(Verdict::Marginal), goals: vec![failed], ..laptop() };
    assert_eq!(
        sentence(&household(Verdict::Marginal, vec![browsing])),
        "Browsing failed at times: 1 page in 40 failed. The network was the limit."
    );
}

#[test]
fn what_never_came_is_not_called_slow_alone() {
    let goal = response_time_goal(0.95, 150, 400, Counts::Verdict);
    let judged = GoalJudgement {
        observed: None,
        reading: Some(Reading::Unsuccessful),
        outcome: GoalOutcome::Missed,
        bad_passed: true,
        n: 100,
        over: Some(20),
        ..met(goal, ms(0))
    };
    let call = ApplicationJudgement { verdict: Some(Verdict::Fail), goals: vec![judged], ..phone() };
    assert_eq!(
        sentence(&household(Verdict::Fail, vec![call])),
        "The call was far too slow: 1 exchange in 5 took over 150 ms or never came. The network was the limit."
    );
}

#[test]
fn clients_that_do_the_same_are_told_by_their_number_and_the_worst_by_name() {
    let call =
        |client: &str, verdict| ApplicationJudgement { client: client.into(), verdict: Some(verdict), ..good_call() };
    let all = (0..50).map(|i| call(&format!("phone-{i}"), Verdict::Pass)).collect();
    assert_eq!(
        sentence(&household(Verdict::Pass, all)),
        "Everyone was fine: the call on all 50 clients met every goal."
    );
    let bad = |client: &str, over, score| ApplicationJudgement {
        client: client.into(),
        score: Some(score),
        ..slow(over, 700, false)
    };
    let browsing = ApplicationJudgement { client: "desk".into(), verdict: Some(Verdict::Pass), ..laptop() };
    assert_eq!(
        sentence(&household(Verdict::Marginal, vec![browsing, bad("den", 5, 80.0), bad("attic", 6, 70.0)])),
        // 6 of 60 are one in 10.
        "Browsing on desk was fine; browsing on 2 of 3 clients was slow: on attic, 1 page in 10 took over 500 ms. The network \
         was the limit."
    );
}

#[test]
fn where_nothing_completed_that_is_all_that_is_said_with_the_commonest_cause() {
    let failed = |mut one: ApplicationJudgement, cause: FailureCause, n: u64, timed_out: u64| {
        let tally = Tally { scheduled: n + timed_out, failed: [(cause, n)].into(), timed_out, ..Tally::default() };
        one.operations = Operations { tally };
        one
    };
    let browsing = || failed(slow(60, 3000, true), FailureCause::Connect, 60, 0);
    let stream = failed(tv(), FailureCause::Status, 7, 940);
    // 60 and 947.
    assert_eq!(
        sentence(&household(Verdict::Fail, vec![browsing(), stream])),
        "Nothing worked: of 1,007 operations not one completed. Most often, there was no reply in time. Whether \
         the network was cut or the server was not there is not known."
    );
    let said = sentence(&household(Verdict::Fail, vec![browsing()]));
    assert!(
        said.starts_with(
            "Nothing worked: of 60 operations not one completed. Most often, no connection could be made."
        )
    );
    let mut one_came = browsing();
    one_came.operations.tally.completed = 1;
    assert!(!sentence(&household(Verdict::Fail, vec![one_came])).contains("Nothing worked"));
}

#[test]
fn the_worst_two_troubles_are_told_and_the_others_named() {
    let floor = Bound::WindowGoodput { window: secs(4), floor: burn_model::units::BitRate::from_mbps(20) };
    let starved = GoalJudgement { outcome: GoalOutcome::Missed, bad_passed: true, ..met_figure(floor, 10e6) };
    let stream = ApplicationJudgement { verdict: Some(Verdict::Fail), score: Some(0.0), goals: vec![starved], ..tv() };
    let game = ApplicationJudgement { name: "game".into(), score: Some(90.0), ..slow(3, 600, false) };
    let said = sentence(&household(Verdict::Fail, vec![game, slow(6, 700, false), stream]));
    assert_eq!(
        said,
        "The 4K stream was starved: its slowest 4 s carried 10.0 Mbps, and 20 Mbps are needed; browsing was slow: 1 page in \
         10 took over 500 ms; game had trouble too. The network was the limit."
    );
}

#[test]
fn it_is_said_how_sure_the_verdict_is() {
    let said = |judgement: &Judgement| {
        let page = Page::read(&render(&run(), judgement));
        let found = page.all("p").find(|one| one.attribute("class") == Some("confidence")).unwrap();
        found.text.replace('\u{A0}', " ")
    };
    // Judged from 5 s to 65 s.
    let judged = "60 s were judged, and what is said of a goal is said at 95 % confidence.";
    let all_told = household(Verdict::Pass, vec![good_call()]);
    assert_eq!(said(&all_told), format!("{judged} Trouble that comes more seldom than that may have stayed away."));
    // 20 pages, where 59 would have told.
    let too_few = household(Verdict::Inconclusive, vec![unsure(None), good_call()]);
    assert_eq!(said(&too_few), format!("{judged} A longer run would tell more."));
    let doubted = ApplicationJudgement { in_doubt: true, ..unsure(None) };
    assert_eq!(said(&household(Verdict::Inconclusive, vec![doubted])), judged, "more of a torn record is no better");
    assert_eq!(said(&nothing()), "Nothing can be said with any confidence.");
}
