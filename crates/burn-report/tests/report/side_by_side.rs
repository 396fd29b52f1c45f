//! Two set-ups next to each other, and the sentence that closes them.

use burn_model::judge::{ApplicationJudgement, GoalJudgement, GoalOutcome, Judgement, Reading, Verdict};
use burn_report::text::{Style, render_side_by_side};

use crate::household::{desktop, laptop, one_radio, phone, run, two_radios};

fn compare(first: &Judgement, second: &Judgement, width: usize) -> String {
    let run = run();
    let setups = [("one radio", &run, first), ("two radios", &run, second)];
    render_side_by_side(&setups, Style { color: false, width })
}

/// A household of two, with so many megabits in all.
fn household(verdict: Verdict, browsing: Verdict, voip: Verdict, mbps: f64) -> Judgement {
    let laptop = ApplicationJudgement { verdict: Some(browsing), ..laptop() };
    let phone = ApplicationJudgement { verdict: Some(voip), ..phone() };
    Judgement { verdict, applications: vec![laptop, phone, desktop()], goodput_bps: mbps * 1e6, ..one_radio() }
}

#[test]
fn both_evenings_stand_next_to_each_other() {
    // 80 columns: 2 of indent, 20 for the names, and (80 − 2 − 20 − 2 × 2) / 2 = 27 for each set-up.
    let expected = "                        one radio                    two radios
  laptop browsing       marginal                     pass
                        p95 812 ms, goal 500 ms      p95 101 ms, goal 500 ms
  tv 4kstream           pass                         pass
                        slowest 4 s 23.7 Mbps,       slowest 4 s 23.7 Mbps,
                        goal 20 Mbps                 goal 20 Mbps
  phone voip            FAIL                         pass
                        p95 failed, goal 150 ms      p95 14 ms, goal 150 ms
  desktop download      no goals                     no goals
                        124 Mbps                     76.0 Mbps
  moved in all          155 Mbps                     114 Mbps
  all together          FAIL                         pass

  The first set-up moves more megabits and is worse to live with.
  One run of each: an illustration, not proof that one is better than the other.
";
    assert_eq!(compare(&one_radio(), &two_radios(), 80), expected);
}

#[test]
fn where_columns_have_no_room_the_set_ups_stand_below_each_other() {
    let text = compare(&one_radio(), &two_radios(), 40);
    assert!(text.starts_with("one radio\n  laptop browsing: marginal; p95 812 ms,\n  goal 500 ms\n"), "{text}");
    assert!(text.contains("  moved in all: 155 Mbps\n  all together: FAIL\ntwo radios\n"), "{text}");
}

#[test]
fn the_closing_sentence_says_no_more_than_the_judgements_do() {
    use Verdict::{Fail, Inconclusive, Marginal, Pass};
    let bad = |mbps| household(Fail, Marginal, Fail, mbps);
    let good = |mbps| household(Pass, Pass, Pass, mbps);
    let cases = [
        (bad(155.0), good(114.0), Some("The first set-up moves more megabits and is worse to live with.")),
        (good(114.0), bad(155.0), Some("The second set-up moves more megabits and is worse to live with.")),
        (good(155.0), bad(114.0), Some("The first set-up moves more megabits and is better to live with.")),
        (bad(114.0), good(155.0), Some("The second set-up moves more megabits and is better to live with.")),
        // 114.5 is less than one percent over 114.
        (bad(114.5), good(114.0), Some("Both move about as many megabits; the second set-up is better to live with.")),
        (good(155.0), good(114.0), Some("The first set-up moves more megabits; to live with, both were judged alike.")),
        (good(114.0), good(114.0), Some("Both move about as many megabits and were judged alike.")),
        // Both fail, but in the second one only the call does.
        (
            household(Fail, Fail, Fail, 155.0),
            household(Fail, Pass, Fail, 114.0),
            Some("The first set-up moves more megabits and is worse to live with."),
        ),
        // Each is worse for somebody.
        (household(Fail, Fail, Pass, 155.0), household(Fail, Pass, Fail, 114.0), None),
        // One of them cannot tell.
        (bad(155.0), household(Inconclusive, Pass, Inconclusive, 114.0), None),
        (household(Fail, Inconclusive, Fail, 155.0), household(Fail, Pass, Fail, 114.0), None),
    ];
    for (i, (first, second, sentence)) in cases.iter().enumerate() {
        let text = compare(first, second, 80);
        let said = text.lines().find(|line| line.contains("megabits")).map(str::trim);
        assert_eq!(said, *sentence, "case {i}");
    }
}

#[test]
fn an_application_that_only_one_set_up_has_is_shown_as_absent_in_the_other() {
    let mut second = two_radios();
    second.applications.remove(2);
    let text = compare(&one_radio(), &second, 80);
    assert!(text.contains("  phone voip            FAIL                         –\n"), "{text}");
}

#[test]
fn a_set_up_that_cannot_be_judged_says_why_below_the_table() {
    let [goal, ..] = &laptop().goals[..] else { panic!("the laptop has a goal") };
    let unsure = GoalJudgement {
        outcome: GoalOutcome::CannotTell,
        observed: None,
        reading: Some(Reading::TooFew),
        ..goal.clone()
    };
    let laptop = ApplicationJudgement {
        verdict: Some(Verdict::Inconclusive),
        goals: vec![unsure],
        decided_by: Some(0),
        ..laptop()
    };
    let first = Judgement {
        verdict: Verdict::Inconclusive,
        reasons: vec![
            "laptop browsing: it saw 18 operations; 59 would tell.".to_owned(),
            "laptop browsing: and something lesser.".to_owned(),
        ],
        applications: vec![laptop, phone()],
        ..one_radio()
    };
    let text = compare(&first, &two_radios(), 80);
    assert!(text.contains("  p95 – (too few), "), "{text}");
    let why =
        "\n  Why one radio is inconclusive:\n  - laptop browsing: it saw 18 operations; 59 would tell.\n\n  One run";
    assert!(text.contains(why), "{text}");
}

#[test]
fn one_set_up_alone_is_compared_with_nothing() {
    let (run, only) = (run(), one_radio());
    let text = render_side_by_side(&[("one radio", &run, &only)], Style { color: false, width: 80 });
    assert!(text.ends_with("\n  Only one set-up was run: there is nothing to hold it against.\n"), "{text}");
}
