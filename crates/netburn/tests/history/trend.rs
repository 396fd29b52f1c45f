//! `netburn trend`.

use crate::place::{Made, Place};

#[test]
fn a_trend_shows_verdicts_and_figures_by_time_and_since_when_it_is_worse() {
    let place = Place::with_days(&[40, 40, 50, 50, 80, 80, 90, 90]);
    let said = place.say(&["trend", "evening"]);
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{}", said.out);
    // Eighths of 90 are 11.25: 40 is below the fourth (45), 50 below the fifth (56.25), 80 is over the seventh (78.75).
    assert!(said.out.contains("p95         ▄▄▅▅████\n"), "{}", said.out);
    assert!(said.out.contains("verdict     PPPPPPPP\n"), "{}", said.out);
    assert!(said.out.contains("WORSE since 2026-11-05 18:00"), "{}", said.out);
    let document = place.say(&["trend", "evening", "--json"]).json();
    let change = &document["trends"][0]["applications"][0]["change"];
    assert_eq!((change["answer"].as_str(), change["since"].as_str()), (Some("worse"), Some("2026-11-05T18:00:00Z")));
    // Wholly apart, four against four: 2 of 70 deals.
    assert_eq!(change["p"].as_f64(), Some(0.028571));
}

#[test]
fn too_few_runs_are_said_to_be_and_other_questions_stand_apart() {
    let place = Place::with_days(&[40, 900]);
    place.keep("other", &Made { id: "eeeeeeee", digest: "d2", started_at: "2026-11-09T18:00:00Z", ..Made::default() });
    let text = place.say(&["trend", "evening"]).out;
    assert!(text.starts_with("evening: 1 run, 2026-11-09 18:00 (UTC)\n"), "{text}");
    assert!(text.contains("Asked otherwise before (plan d1): 2 runs"), "{text}");
    assert!(text.contains("verdict     PF\n"), "{text}");
    assert!(text.contains("2 runs tell the figure, and 8 are the least"), "{text}");
}

#[test]
fn since_leaves_earlier_runs_out_and_a_scenario_that_nobody_ran_is_a_mistake() {
    let place = Place::with_days(&[40; 6]);
    let document = place.say(&["trend", "evening", "--json", "--since", "2026-11-04"]).json();
    assert_eq!(document["trends"][0]["runs"].as_array().unwrap().len(), 3);
    let unknown = place.say(&["trend", "evenin"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.err.contains("did you mean 'evening'?"), "{}", unknown.err);
}
