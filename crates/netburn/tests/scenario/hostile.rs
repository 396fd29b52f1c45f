//! No text does harm: not to the program, not to the terminal, not to the clock.

use netburn::scenario::{parse, single_client};
use proptest::prelude::*;

const HEAD: &str = "duration = '60 s'\n[[client]]\nname = 'c'\nrun = ['w']\n";

/// Parses, shows what is said, and holds both to what every text may expect.
fn survive(text: &str) {
    match parse("f.toml", text) {
        Ok(scenario) => {
            assert_eq!(scenario.plan.validate(), Ok(()));
            let ranges = scenario.devices.iter().flat_map(|device| device.clients.clone());
            assert!(ranges.eq(0..scenario.plan.clients.len()), "each client is one device's");
            for warning in &scenario.warnings {
                harmless(&warning.to_string());
            }
        }
        Err(errors) => {
            assert!(!errors.problems.is_empty());
            assert!(errors.problems.len() <= 50);
            let lines: Vec<_> = errors.problems.iter().map(|p| p.place.as_ref().map(|at| at.line)).collect();
            assert!(lines.is_sorted(), "in the order of the file");
            harmless(&errors.to_string());
        }
    }
}

fn harmless(shown: &str) {
    assert!(!shown.chars().any(|c| c.is_control() && c != '\n'), "{shown:?}");
    assert!(shown.lines().all(|line| line.chars().count() < 1000), "{shown:?}");
}

/// Words of the language in any order: far more of them get past the first look than arbitrary text does.
fn words() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "duration",
        "name",
        "seed",
        "server",
        "client",
        "radio",
        "workload",
        "like",
        "goal",
        "metric",
        "media",
        "w",
        "via",
        "run",
        "rate",
        "arrival",
        "people",
        "object_size",
        "objects",
        "'60 s'",
        "'25 Mbps'",
        "'1 MiB'",
        "'50/s'",
        "'local'",
        "'lab:w'",
        "'closed'",
        "'constant'",
        "'poisson'",
        "'back-to-back'",
        "'voip'",
        "['voip']",
        "['w']",
        "'response_time'",
        "'window_goodput'",
        "quantile",
        "good",
        "bad",
        "0",
        "1",
        "-1",
        "0.95",
        "nan",
        "inf",
        "1e400",
        "true",
        "=",
        ".",
        ",",
        "[",
        "]",
        "[[",
        "]]",
        "{",
        "}",
        "\n",
        "\n",
        "\n",
        "'''",
        "\"",
        "\u{1b}[31m",
        "é",
        "\t",
        "#",
    ]);
    prop::collection::vec(word, 0..40).prop_map(|words| words.join(" "))
}

/// A file that is right in its shape, with any values.
fn filled() -> impl Strategy<Value = String> {
    let value = || {
        prop_oneof![
            any::<i64>().prop_map(|n| n.to_string()),
            any::<f64>().prop_map(|n| format!("{n:?}").replace("NaN", "nan")),
            (any::<u64>(), prop::sample::select(vec!["s", "ms", "h", "Mbps", "KiB", "GiB", "/s", " per 1 s"]))
                .prop_map(|(n, unit)| format!("'{n}{unit}'")),
            (0..100_u64, prop::sample::select(vec!["s", "ms", "Mbps", "KiB", "/s", "/min", " per 1 s"]))
                .prop_map(|(n, unit)| format!("'{n}{unit}'")),
            prop::sample::select(vec![
                "'constant'",
                "'poisson'",
                "'closed'",
                "'back-to-back'",
                "'voip'",
                "'w'",
                "[]",
                "{}"
            ])
            .prop_map(str::to_owned),
        ]
    };
    let key = prop::sample::select(vec![
        "like",
        "objects",
        "object_size",
        "arrival",
        "rate",
        "people",
        "reading_time",
        "in_flight",
        "deadline",
        "drain",
        "goal",
        "media.bit_rate",
        "media.start",
        "media.cap",
    ]);
    prop::collection::btree_map(key, value(), 0..8).prop_map(|pairs| {
        let lines: Vec<_> = pairs.iter().map(|(key, value)| format!("{key} = {value}")).collect();
        format!("{HEAD}[workload.w]\n{}\n", lines.join("\n"))
    })
}

proptest! {
    #[test]
    fn arbitrary_text_is_survived(text in any::<String>()) {
        survive(&text);
    }

    #[test]
    fn words_of_the_language_in_any_order_are_survived(text in words()) {
        survive(&text);
    }

    #[test]
    fn any_values_in_the_right_places_make_a_valid_plan_or_an_error(text in filled()) {
        survive(&text);
    }

    #[test]
    fn any_command_line_of_one_device_is_survived(run in prop::collection::vec(".{0,20}", 0..5), server in any::<String>(), nanos: u64, seed: u64) {
        if let Err(errors) = single_client(&run, server, std::time::Duration::from_nanos(nanos), seed) {
            harmless(&errors.to_string());
        }
    }

    #[test]
    fn no_server_can_slip_a_line_into_the_scenario(tail in "[ -~]*") {
        let server = format!("http://nas:4040{tail}");
        if let Ok(scenario) = single_client(&["voip".to_owned()], server, std::time::Duration::from_secs(20), 1) {
            prop_assert_eq!(scenario.text.lines().count(), 8);
        }
    }
}

#[test]
fn nesting_as_deep_as_a_file_can_hold_is_survived() {
    let deep = 100_000;
    for text in [
        "[".repeat(deep),
        format!("a = {}", "[".repeat(deep)),
        format!("a = {}1{}", "[".repeat(deep), "]".repeat(deep)),
        format!("a = {}", "{a=".repeat(deep)),
        format!("{}a = 1", "a.".repeat(deep)),
        format!("[{}a]", "a.".repeat(deep)),
    ] {
        survive(&text);
    }
}

#[test]
fn numbers_past_every_range_are_refused_where_they_stand() {
    let huge = "9".repeat(400);
    for (key, value) in [
        ("people", huge.clone()),
        ("people", "-9223372036854775808".into()),
        ("people", "0xffffffffffffffffffff".into()),
        ("people", "4294967297".into()),
        ("reading_time", format!("'{huge} s'")),
        ("reading_time", "'99999999999999999999 h'".into()),
        ("object_size", format!("'{huge} GiB'")),
        ("rate", format!("'{huge}/s'")),
        ("rate", "'1/0s'".into()),
        ("rate", "'18446744073709551615 per 9000000 s'".into()),
        ("rate", "'0.000000000000001/s'".into()),
    ] {
        let text = format!("{HEAD}[workload.w]\nlike = 'browsing'\n{key} = {value}\n");
        let errors = parse("f.toml", &text).expect_err(&text);
        assert_eq!(errors.problems.len(), 1, "{errors}");
        assert_eq!(errors.problems[0].place.as_ref().map(|place| place.line), Some(7), "{errors}");
        survive(&text);
    }
}

#[test]
fn numbers_that_are_none_are_refused() {
    for share in ["nan", "-nan", "+nan", "inf", "-inf", "1e400", "-0.1", "1.0000001"] {
        let goal = format!("[[workload.w.goal]]\nmetric = 'failed_share'\ngood = 0\nbad = {share}\n");
        let text = format!("{HEAD}[workload.w]\nlike = 'voip'\n{goal}");
        let errors = parse("f.toml", &text).expect_err(share);
        assert_eq!(errors.problems.len(), 1, "{errors}");
        assert!(errors.problems[0].message.starts_with("bad: between 0 and 1, found the number"), "{errors}");
    }
}

#[test]
fn a_file_of_nothing_but_mistakes_is_answered_briefly() {
    let many: String = (0..20_000).map(|i| format!("k{i}=1\n")).collect();
    let errors = parse("f.toml", &many).unwrap_err();
    // Beside these there is no client, and no duration.
    assert_eq!((errors.problems.len(), errors.further), (50, 20_002 - 50));
    survive(&"= = =\n".repeat(10_000));
    survive(&"[[client]]\n".repeat(20_000));
    let workloads: String = (0..1000).map(|i| format!("w{i} = {{ like = 'w{}' }}\n", i + 1)).collect();
    survive(&format!("{HEAD}[workload]\n{workloads}"));
    let run = vec!["'browsingg'"; 64].join(",");
    let clients: String = (0..200).map(|i| format!("[[client]]\nname='{i}'\nrun=[{run}]\n")).collect();
    survive(&format!("duration = '60 s'\n{clients}"));
}

#[test]
fn a_file_larger_than_any_scenario_is_refused_unread() {
    let errors = parse("f.toml", &"#".repeat((1 << 20) + 1)).unwrap_err();
    assert_eq!(errors.to_string(), "f.toml: a scenario is 1 MiB at most");
}

#[test]
fn as_many_clients_as_are_allowed_are_read_in_reasonable_time() {
    let clients: String = (0..1000)
        .map(|i| format!("[[client]]\nname='c{i}'\nrun=['voip','4kstream','browsing','download']\n"))
        .collect();
    let scenario = parse("f.toml", &format!("duration = '600 s'\n{clients}")).unwrap();
    assert_eq!(scenario.plan.clients.len(), 1000);
}
