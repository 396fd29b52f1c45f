//! What is said about a scenario that is wrong: place, cause and cure.

use netburn::scenario::{ScenarioErrors, parse};

fn errors(text: &str) -> ScenarioErrors {
    parse("f.toml", text).expect_err(text)
}

/// Each problem as `LINE:COLUMN message; hint`.
fn said(text: &str) -> Vec<String> {
    let line = |problem: &netburn::scenario::Diagnostic| {
        let place = problem.place.as_ref().map(|place| format!("{}:{} ", place.line, place.column));
        let hint = problem.hint.as_ref().map(|hint| format!("; {hint}"));
        format!("{}{}{}", place.unwrap_or_default(), problem.message, hint.unwrap_or_default())
    };
    errors(text).problems.iter().map(line).collect()
}

/// What is said of these lines at the head of a file that is otherwise right.
fn said_of_run(lines: &str) -> Vec<String> {
    said(&format!("{lines}\n[[client]]\nname = 'c'\nrun = ['voip']\n"))
}

/// What is said of these lines of a workload, the first of them in line 3.
fn said_of_workload(lines: &[&str]) -> Vec<String> {
    let client = "[[client]]\nname = 'c'\nrun = ['voip']\n";
    said(&format!("duration = '60 s'\n[workload.w]\n{}\n{client}", lines.join("\n")))
}

/// What is said of a client with these lines beside its name, the first of them in line 3.
fn said_of_client(lines: &str) -> Vec<String> {
    let radios = "[[radio]]\nname = '5ghz'\nrate = '1 Mbps'\nqueue = '1 s'\n";
    said(&format!("duration = '60 s'\n[[client]]\n{lines}\nname = 'c'\n{radios}"))
}

#[test]
fn a_misspelt_key_is_shown_with_what_was_meant() {
    let shown = errors("duration = '60 s'\nwarmup = '3 s'\n[[client]]\nname = 'c'\nrun = ['voip']\n").to_string();
    let expected = "f.toml:2:1: unknown key 'warmup'\n  |\n2 | warmup = '3 s'\n  | ^^^^^^ did you mean 'warm_up'?";
    assert_eq!(shown, expected);
}

#[test]
fn a_key_that_was_misspelt_is_not_called_missing_as_well() {
    assert_eq!(said_of_run("duratoin = '60 s'"), ["1:1 unknown key 'duratoin'; did you mean 'duration'?"]);
    assert_eq!(said_of_client("runs = ['voip']"), ["3:1 unknown key 'runs'; did you mean 'run'?"]);
}

#[test]
fn an_unknown_key_that_is_like_none_gets_the_list_of_its_table() {
    assert_eq!(
        said_of_client("run = ['voip']\nipaddress = '::1'"),
        ["4:1 unknown key 'ipaddress'; known here: name, count, via, run"]
    );
}

#[test]
fn a_value_of_another_type_is_told_what_was_expected_and_what_was_found() {
    for (line, expected) in [
        ("duration = 60", "1:12 duration: expected a text such as \"60 s\", found the number 60"),
        ("duration = 60.5", "1:12 duration: expected a text such as \"60 s\", found the number 60.5"),
        ("duration = ['60 s']", "1:12 duration: expected a text such as \"60 s\", found a list"),
        ("duration = { s = 60 }", "1:12 duration: expected a text such as \"60 s\", found a table"),
        ("duration = true", "1:12 duration: expected a text such as \"60 s\", found true"),
        ("duration = 07:32:00", "1:12 duration: expected a text such as \"60 s\", found the date 07:32:00"),
        ("duration = '60 s'\nseed = 'one'", "2:8 seed: expected a whole number such as 1, found the text 'one'"),
        ("duration = '60 s'\nkeep_operations = 1", "2:19 keep_operations: expected true or false, found the number 1"),
        (
            "duration = '60 s'\nradio = { name = 'x' }",
            "2:9 radio: expected tables under [[radio]], in double brackets, found a table",
        ),
        ("duration = '60 s'\nworkload = 1", "2:12 workload: expected tables under [workload.NAME], found the number 1"),
    ] {
        assert_eq!(said_of_run(line), [expected]);
    }
}

#[test]
fn a_quantity_with_a_wrong_unit_is_shown_how_it_is_written() {
    assert_eq!(
        said_of_run("duration = '60 MB'"),
        ["1:12 duration: '60 MB' is not a duration: write it like 500 ms, 20 s or 2m30s"]
    );
    assert_eq!(
        said_of_workload(&["object_size = '1 Mbps'", "arrival = 'back-to-back'"]),
        ["3:15 object_size: '1 Mbps' is not a size: write it like 128 KiB"]
    );
    assert_eq!(
        said_of_workload(&["object_size = '1 B'", "arrival = 'poisson'", "rate = '50'"]),
        ["5:8 rate: '50' is not a rate: write it like 50/s, 1 per 335 ms or 25 Mbps"]
    );
}

#[test]
fn a_value_out_of_bounds_is_told_the_bounds() {
    for (line, expected) in [
        ("duration = '100 ms'", "1:12 duration: between 1 s and 24 h, found the text '100 ms'"),
        ("duration = '25 h'", "1:12 duration: between 1 s and 24 h, found the text '25 h'"),
        ("duration = '60 s'\nwarm_up = '2 h'", "2:11 warm_up: between 0 s and 1 h, found the text '2 h'"),
        ("duration = '60 s'\nseed = -1", "2:8 seed: between 0 and 18446744073709551615, found -1"),
        ("duration = '60 s'\nname = ''", "2:8 name: a name has 1 to 64 characters, none a control character"),
    ] {
        assert_eq!(said_of_run(line), [expected]);
    }
    assert_eq!(
        said_of_workload(&["object_size = '2 GiB'", "arrival = 'back-to-back'"]),
        ["3:15 object_size: between 1 B and 1 GiB, found the text '2 GiB'"]
    );
}

#[test]
fn a_workload_or_a_radio_that_there_is_not_is_shown_what_was_meant() {
    assert_eq!(said_of_client("run = ['browsng']"), ["3:8 unknown workload 'browsng'; did you mean 'browsing'?"]);
    assert_eq!(
        said_of_client("run = ['fax']"),
        ["3:8 unknown workload 'fax'; known here: 4kstream, browsing, download, voip"]
    );
    let via = |via: &str| said_of_client(&format!("run = ['voip']\nvia = '{via}'"));
    assert_eq!(via("lab:5gzh"), ["4:7 via: unknown radio '5gzh'; did you mean '5ghz'?"]);
    assert_eq!(via("5ghz"), ["4:7 via: '5ghz' is a radio; did you mean 'lab:5ghz'?"]);
    assert_eq!(via("locl"), ["4:7 via: unknown place 'locl'; did you mean 'local'?"]);
    assert_eq!(said_of_workload(&["like = 'vooip'"]), ["3:8 like: unknown workload 'vooip'; did you mean 'voip'?"]);
}

#[test]
fn a_workload_with_nearly_a_shipped_name_is_asked_whether_that_was_meant() {
    assert_eq!(
        said("duration = '60 s'\n[[client]]\nname = 'c'\nrun = ['voip']\n[workload.browsin]\npeople = 3\n"),
        [
            "5:11 workload 'browsin' is no preset, so it needs object_size and arrival; did you mean to change 'browsing'?"
        ]
    );
}

#[test]
fn goals_are_held_to_their_metric() {
    // The goal's header stands in line 4, its first line in line 5.
    let goal = |lines: &[&str]| said_of_workload(&[&["like = 'voip'", "[[workload.w.goal]]"], lines].concat());
    assert_eq!(
        goal(&["metric = 'respone_time'"]),
        ["5:10 unknown metric 'respone_time'; did you mean 'response_time'?"]
    );
    assert_eq!(
        goal(&["good = 1"]),
        [
            "4:1 a goal needs a metric; known here: response_time, failed_share, window_goodput, stall_ratio, startup_time"
        ]
    );
    assert_eq!(
        goal(&["metric = 'failed_share'", "good = 0", "bad = 2"]),
        ["7:7 bad: between 0 and 1, found the number 2; 2 % is 0.02"]
    );
    assert_eq!(
        goal(&["metric = 'response_time'", "quantile = 95", "good = '1 s'", "bad = '2 s'"]),
        ["6:12 quantile: between 0.001 and 0.999999, found the number 95; p95 is 0.95"]
    );
    assert_eq!(
        goal(&["metric = 'response_time'", "quantile = 0.95", "good = '2 s'", "bad = '1 s'"]),
        ["8:7 bad: 1 s is stricter than good, 2 s"]
    );
    assert_eq!(
        goal(&["metric = 'failed_share'", "good = 0"]),
        ["4:1 a goal on failed_share needs bad, such as bad = 0.02"]
    );
    assert_eq!(
        goal(&["metric = 'failed_share'", "good = 0", "bad = 1", "window = '4 s'"]),
        ["8:1 unknown key 'window'; known here: metric, counts, good, bad"]
    );
    assert_eq!(
        goal(&["metric = 'failed_share'", "good = 0", "bad = 1", "counts = 'no'"]),
        ["8:10 counts: unknown word 'no'; known here: verdict, score"]
    );
}

#[test]
fn a_goal_that_does_not_go_with_its_workload_is_told_what_it_needs() {
    let mend = "give the workload goals of its own, or goal = [] for none";
    assert_eq!(
        said_of_workload(&["like = '4kstream'", "arrival = 'poisson'", "rate = '1/s'"]),
        [format!("4:11 a goal on window_goodput needs constant arrivals; {mend}")]
    );
    assert_eq!(
        said_of_workload(&["like = 'voip'", "[[workload.w.goal]]", "metric = 'stall_ratio'", "good = 0", "bad = 0"]),
        [format!("4:1 a goal on stall_ratio needs media; {mend}")]
    );
}

#[test]
fn keys_of_another_kind_of_arrivals_are_refused() {
    assert_eq!(
        said_of_workload(&["like = 'browsing'", "rate = '5/s'"]),
        ["4:8 rate does not go with closed arrivals; closed arrivals take people and reading_time"]
    );
    assert_eq!(
        said_of_workload(&["object_size = '1 B'", "arrival = 'constant'"]),
        ["4:11 workload 'w': constant arrivals need rate, such as rate = \"50/s\""]
    );
    assert_eq!(
        said_of_workload(&["object_size = '1 B'", "arrival = 'random'"]),
        ["4:11 arrival: unknown word 'random'; known here: constant, poisson, closed, back-to-back"]
    );
}

#[test]
fn more_in_flight_than_anybody_can_carry_is_refused() {
    assert_eq!(
        said_of_workload(&["like = 'browsing'", "people = 2000"]),
        ["4:10 20000 objects may be in flight at once (10 of each operation, 2000 operations): 10000 is the most"]
    );
    assert_eq!(
        said_of_workload(&["like = '4kstream'", "in_flight = 2"]),
        ["4:13 media arrives as one object after the other: objects = 1, one in flight"]
    );
    // 9501 of its own and the 500 of a call: one more than the most.
    let text = "duration = '60 s'\n[[client]]\nname = 'c'\nrun = ['w', 'voip']\n[workload.w]\nlike = 'voip'\nin_flight = 9501\n";
    assert_eq!(
        said(text),
        ["3:8 the client may have 10001 objects in flight at once, all its workloads together: 10000 is the most"]
    );
    assert!(parse("f.toml", &text.replace("9501", "9500")).is_ok());
}

#[test]
fn a_rate_that_no_schedule_can_keep_is_refused() {
    let bounds = "rate: between a million operations a second and one an hour";
    for (size, rate) in [("1 B", "100 Mbps"), ("1 B", "1000001/s"), ("1 B", "1 per 2 h"), ("1 GiB", "1 bps")] {
        let (size, rate) = (format!("object_size = '{size}'"), format!("rate = '{rate}'"));
        let said = said_of_workload(&[&size, "arrival = 'constant'", &rate]);
        assert_eq!(said.len(), 1, "{rate}");
        assert!(said[0].contains(bounds), "{said:?}");
    }
    let most = "object_size = '1 B', arrival = 'constant', rate = '1000000/s'";
    assert!(
        parse("f", &format!("duration = '1 s'\nworkload.w = {{ {most} }}\nclient = [{{ name = 'c', run = ['w'] }}]"))
            .is_ok()
    );
}

#[test]
fn a_player_whose_levels_do_not_fit_its_buffer_is_refused() {
    assert_eq!(
        said_of_workload(&["like = '4kstream'", "media = { start = '40 s' }"]),
        ["4:9 media: start is 40 s, and the buffer holds 30 s at most (cap)"]
    );
    assert_eq!(
        said_of_workload(&["object_size = '1 B'", "arrival = 'back-to-back'", "media = {}"]),
        ["5:9 media needs bit_rate, such as bit_rate = \"25 Mbps\""]
    );
}

#[test]
fn names_stand_once() {
    let text = "duration = '60 s'\n\
                [[client]]\nname = 'c'\nrun = ['voip', 'voip']\n\
                [[client]]\nname = 'c'\nrun = ['voip']\n\
                [[radio]]\nname = 'r'\nrate = '1 Mbps'\nqueue = '1 s'\n\
                [[radio]]\nname = 'r'\nrate = '1 Mbps'\nqueue = '1 s'\n";
    assert_eq!(
        said(text),
        [
            "4:16 workload 'voip' stands twice in one client",
            "6:8 two clients are named 'c'",
            "13:8 two radios are named 'r'"
        ]
    );
}

#[test]
fn a_circle_of_likenesses_ends() {
    let text = "duration = '60 s'\n[[client]]\nname = 'c'\nrun = ['a']\n\
                [workload.a]\nlike = 'b'\n[workload.b]\nlike = 'a'\n";
    assert_eq!(
        said(text),
        [
            "6:8 like: 'b' leads on for more than 16 workloads, or round in a circle",
            "8:8 like: 'a' leads on for more than 16 workloads, or round in a circle"
        ]
    );
    let own = "workload.w = { like = 'w' }\nduration = '60 s'\n[[client]]\nname = 'c'\nrun = ['voip']\n";
    assert_eq!(said(own).len(), 1);
}

#[test]
fn likeness_goes_sixteen_steps_deep() {
    // The last of the chain is like a shipped workload, which is one step more.
    let chain = |steps: usize| {
        let links: String = (1..steps).map(|i| format!("[workload.w{}]\nlike = 'w{i}'\n", i - 1)).collect();
        let last = format!("[workload.w{}]\nlike = 'voip'\n", steps - 1);
        parse("f.toml", &format!("duration = '60 s'\n[[client]]\nname = 'c'\nrun = ['w0']\n{links}{last}"))
    };
    assert!(chain(16).is_ok());
    assert!(chain(17).is_err());
}

#[test]
fn a_problem_of_a_workload_is_not_told_again_for_those_that_are_like_it() {
    let text = "duration = '60 s'\n[[client]]\nname = 'c'\nrun = ['a', 'b']\n\
                [workload.a]\nlike = 'voip'\ndeadline = 5\n[workload.b]\nlike = 'a'\n[workload.d]\nlike = 'x'\n[workload.e]\nlike = 'd'\n";
    assert_eq!(
        said(text),
        [
            "7:12 deadline: expected a text such as \"60 s\", found the number 5",
            "11:8 like: unknown workload 'x'; known here: browsing, 4kstream, voip, download, a, b, d, e"
        ]
    );
}

#[test]
fn everything_that_is_wrong_is_told_at_once_in_the_order_of_the_file() {
    let text = "durration = '60 s'\nwarm_up = 3\n[[client]]\nname = 'c'\nvia = 'lab:5gzh'\nrun = ['browsin']\n\
                [[radio]]\nname = '5ghz'\nrate = '156 MB'\n";
    assert_eq!(
        said(text),
        [
            "1:1 unknown key 'durration'; did you mean 'duration'?",
            "2:11 warm_up: expected a text such as \"60 s\", found the number 3",
            "5:7 via: unknown radio '5gzh'; did you mean '5ghz'?",
            "6:8 unknown workload 'browsin'; did you mean 'browsing'?",
            "7:1 a radio needs queue, such as queue = \"300 ms\"",
            "9:8 rate: '156 MB' is not a bit rate: write it like 25 Mbps",
        ]
    );
}

#[test]
fn what_is_not_toml_is_told_by_line_and_nothing_is_guessed_from_the_rest() {
    assert_eq!(
        said("duration = 60s\nname = \"x\n[[client]\n"),
        [
            "1:12 not TOML: a text needs quotation marks; write \"60s\"?",
            "2:10 not TOML: invalid basic string, expected `\"`",
            "3:10 not TOML: unclosed array table, expected `]`",
        ]
    );
    assert_eq!(said("seed = = 1 = 2\n").len(), 1, "one for a line");
    assert_eq!(said("seed = 1\nseed = 2\n"), ["2:1 not TOML: duplicate key"]);
}

#[test]
fn an_empty_file_is_told_what_a_scenario_needs() {
    let expected = "f.toml: no client; say who takes part: [[client]] with name = \"laptop\" and run = [\"browsing\"]\n\n\
                    f.toml: no duration; say how long to judge: duration = \"60 s\"";
    assert_eq!(errors("").to_string(), expected);
    assert!(said("client = []\nduration = '60 s'")[0].contains("the list is empty"));
}

#[test]
fn a_byte_order_mark_moves_no_column() {
    assert_eq!(said("\u{feff}duratoin = '60 s'\n[[client]]\nname = 'c'\nrun = ['voip']\n").len(), 1);
    assert!(said("\u{feff}duratoin = '60 s'\n[[client]]\nname = 'c'\nrun = ['voip']\n")[0].starts_with("1:1 "));
}
