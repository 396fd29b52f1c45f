//! docs/SCENARIOS.md: its examples parse, its messages are what is said, and it names every key.

use netburn::scenario::{Scenario, parse};

const MANUAL: &str = include_str!("../../../../docs/SCENARIOS.md");
const FILE: &str = "evening.toml";

/// Each fenced block: what stands after the fence, and the text.
fn blocks() -> Vec<(&'static str, &'static str)> {
    // The parts between fences are prose and block in turn.
    let parts: Vec<_> = MANUAL.split("```").collect();
    assert_eq!(parts.len() % 2, 1, "a fence is not closed");
    parts.into_iter().skip(1).step_by(2).filter_map(|block| block.split_once('\n')).collect()
}

/// An example that shows only a part is completed with a run and a client.
fn completed(text: &str) -> String {
    let run =
        if text.contains("duration = \"") && text.contains("[[client]]") { "" } else { "duration = \"10 min\"\n" };
    let client = if text.contains("[[client]]") { "" } else { "[[client]]\nname = \"c\"\nrun = [\"browsing\"]\n" };
    format!("{run}{text}{client}")
}

fn shown(outcome: Result<Scenario, netburn::scenario::ScenarioErrors>) -> String {
    match outcome {
        Ok(scenario) => scenario.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n\n"),
        Err(errors) => errors.to_string(),
    }
}

#[test]
fn every_example_parses() {
    let examples: Vec<_> = blocks().into_iter().filter(|(kind, _)| *kind == "toml").collect();
    assert!(examples.len() >= 4, "only {} examples", examples.len());
    for (_, text) in examples {
        if let Err(errors) = parse(FILE, &completed(text)) {
            panic!("{errors}");
        }
    }
}

#[test]
fn every_message_shown_is_what_is_said_of_the_example_before_it() {
    let blocks = blocks();
    let mut compared = 0;
    for pair in blocks.windows(2) {
        if let [("toml wrong" | "toml short", text), ("text", message)] = pair {
            assert_eq!(shown(parse(FILE, text)), message.trim_end());
            compared += 1;
        }
    }
    assert_eq!(compared, 2);
}

/// Whether a row of a table is about the key; those of goals stand in the row of their metric, or in the text.
fn explained(key: &str, of_goal: bool) -> bool {
    let quoted = format!("`{key}`");
    let rows = MANUAL.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    of_goal && MANUAL.contains(&quoted) || rows.into_iter().any(|first| first.contains(&quoted))
}

#[test]
fn every_key_stands_in_the_manual() {
    let client = "[[client]]\nname = 'c'\nrun = ['voip']\n";
    let goal = |metric: &str| format!("[[workload.w.goal]]\nmetric = '{metric}'\nqqqqqqqq = 1\n");
    let metrics = ["response_time", "failed_share", "window_goodput", "stall_ratio", "startup_time"];
    let mut texts = vec![
        format!("qqqqqqqq = 1\n{client}"),
        "[[client]]\nqqqqqqqq = 1\n".to_owned(),
        "[[radio]]\nqqqqqqqq = 1\n".to_owned(),
        "[workload.w]\nqqqqqqqq = 1\n".to_owned(),
        "[workload.w]\nmedia = { qqqqqqqq = 1 }\n".to_owned(),
    ];
    texts.extend(metrics.map(goal));
    let mut keys = 0;
    for text in texts {
        let errors = parse(FILE, &text).unwrap_err();
        let unknown = errors.problems.iter().find(|problem| problem.message.contains("qqqqqqqq")).unwrap();
        let known = unknown.hint.as_deref().and_then(|hint| hint.strip_prefix("known here: ")).unwrap();
        for key in known.split(", ") {
            assert!(explained(key, text.contains("goal")), "the manual does not say what {key} is");
            keys += 1;
        }
    }
    // 9 of the run, 4 of a client, 3 of a radio, 14 of a workload, 4 of media, 2 of each goal and 5 + 2 × 4 of their own... at least.
    assert!(keys >= 34, "only {keys} keys were looked for");
    for metric in metrics {
        assert!(MANUAL.contains(&format!("`\"{metric}\"`")), "{metric}");
    }
}
