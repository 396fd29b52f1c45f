//! What a scenario file says, and what it leaves to the defaults.

use std::time::Duration;

use burn_model::goal::{Bound, Counts};
use burn_model::plan::{Arrival, Media, Operation, Population, Rate};
use burn_model::units::BitRate;
use netburn::scenario::{Device, Overrides, Scenario, ServerChoice, Via, parse, parse_with, presets, single_client};

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

fn good(text: &str) -> Scenario {
    parse("evening.toml", text).unwrap_or_else(|errors| panic!("{errors}"))
}

/// One client that runs the workload `w`, defined by these lines.
fn workload(lines: &str) -> Population {
    let text = format!("duration = '60 s'\n[[client]]\nname = 'c'\nrun = ['w']\n[workload.w]\n{lines}\n");
    good(&text).plan.clients[0].populations[0].clone()
}

#[test]
fn a_small_scenario_leaves_the_rest_to_the_defaults() {
    let text = "duration = '60 s'\n[[client]]\nname = 'laptop'\nrun = ['download']\n";
    let scenario = good(text);
    assert_eq!(scenario.plan.name, "evening");
    assert_eq!(scenario.plan.seed, 1);
    assert_eq!(scenario.plan.warm_up, secs(3));
    assert_eq!(scenario.plan.duration, secs(60));
    assert!(!scenario.plan.keep_operations);
    assert_eq!(scenario.server, ServerChoice::Local { address: None });
    assert_eq!(scenario.lab, None);
    assert_eq!(scenario.devices, [Device { name: "laptop".into(), via: Via::Local, clients: 0..1 }]);
    assert_eq!(scenario.text, text);
    assert_eq!(scenario.plan.clients[0].populations[0], presets()[3].population);
    assert_eq!(scenario.warnings, []);
}

#[test]
fn everything_that_is_said_is_heard() {
    let scenario = good(
        "name = 'Feierabend'\nduration = '2 min'\nwarm_up = '10 s'\nseed = 18446744073709551615\n\
         server = 'local'\nkeep_operations = true\n\
         [[radio]]\nname = 'a'\nrate = '80 Mbps'\nqueue = '100 ms'\n\
         [[radio]]\nname = 'b'\nrate = '1 Gbps'\nqueue = '20 ms'\n\
         [[client]]\nname = 'x'\nvia = 'lab:b'\nrun = ['voip', 'download']\n\
         [[client]]\nname = 'y'\nvia = 'lab:a'\nrun = ['voip']\n",
    );
    assert_eq!(scenario.plan.name, "Feierabend");
    assert_eq!(scenario.plan.seed, u64::MAX);
    assert_eq!((scenario.plan.warm_up, scenario.plan.duration), (secs(10), secs(120)));
    assert!(scenario.plan.keep_operations);
    let lab = scenario.lab.unwrap();
    assert_eq!(lab.radios[1].name, "b");
    assert_eq!((lab.radios[0].rate, lab.radios[0].queue), (BitRate::from_mbps(80), Duration::from_millis(100)));
    let via: Vec<_> = scenario.devices.iter().map(|device| &device.via).collect();
    assert_eq!(via, [&Via::Lab { radio: 1 }, &Via::Lab { radio: 0 }]);
    let runs: Vec<Vec<_>> = scenario
        .plan
        .clients
        .iter()
        .map(|client| client.populations.iter().map(|population| population.name.as_str()).collect())
        .collect();
    assert_eq!(runs, [vec!["voip", "download"], vec!["voip"]]);
    assert_eq!(scenario.remarks, [""; 0]);
}

#[test]
fn the_command_line_outranks_the_file() {
    let text = "duration = '60 s'\nseed = 5\n[[client]]\nname = 'c'\nrun = ['download']\n";
    let overrides =
        Overrides { duration: Some(secs(30)), warm_up: Some(secs(1)), seed: Some(7), keep_operations: Some(true) };
    let plan = parse_with("f.toml", text, &overrides).unwrap().plan;
    assert_eq!((plan.duration, plan.warm_up, plan.seed, plan.keep_operations), (secs(30), secs(1), 7, true));
    let without = text.replace("duration = '60 s'\n", "");
    assert!(parse_with("f.toml", &without, &overrides).is_ok(), "the command line's duration is enough");
    let never = Overrides { duration: Some(Duration::ZERO), ..Overrides::default() };
    let errors = parse_with("f.toml", text, &never).unwrap_err().to_string();
    assert_eq!(errors, "f.toml: duration on the command line: between 1 s and 24 h, found 0 s");
}

#[test]
fn a_workload_of_ones_own_takes_its_defaults_from_the_manual() {
    let population = workload("object_size = '300 KiB'\narrival = 'poisson'\nrate = '2 per 3 s'");
    let expected = Population {
        name: "w".into(),
        // Two in three seconds, cut down: one in one and a half.
        arrival: Arrival::Poisson { rate: Rate { operations: 1, per_ns: 1_500_000_000 } },
        operation: Operation { parts: 1, part_bytes: 307_200 },
        in_flight: 100,
        deadline: secs(60),
        drain: Duration::ZERO,
        goals: vec![],
        media: None,
    };
    assert_eq!(population, expected);
}

#[test]
fn a_goal_on_time_makes_what_is_under_way_at_the_end_finish() {
    let goal = |bad: &str| {
        workload(&format!(
            "object_size = '1 KiB'\narrival = 'constant'\nrate = '9/s'\n[[workload.w.goal]]\n\
             metric = 'response_time'\nquantile = 0.5\ngood = '1 ms'\nbad = '{bad}'"
        ))
    };
    assert_eq!(goal("4 s").drain, secs(5));
    assert_eq!(goal("30 s").drain, secs(31));
    assert_eq!(goal("1 h").drain, secs(60), "but not for ever");
    assert_eq!(goal("4 s").goals[0].counts, Counts::Verdict);
}

#[test]
fn changing_a_shipped_workload_keeps_what_is_not_said() {
    let text = "duration = '60 s'\n[[client]]\nname = 'c'\nrun = ['browsing']\n[workload.browsing]\npeople = 4\n";
    let changed = good(text).plan.clients[0].populations[0].clone();
    let shipped = &presets()[0].population;
    assert_eq!(changed.arrival, Arrival::Closed { people: 4, reading_time: Duration::from_millis(1500) });
    assert_eq!(changed.in_flight, 4);
    assert_eq!((&changed.goals, changed.operation), (&shipped.goals, shipped.operation));
}

#[test]
fn another_kind_of_arrivals_leaves_the_old_kinds_keys_behind() {
    let closed = workload("like = 'voip'\narrival = 'closed'\nreading_time = '1 s'\npeople = 3");
    assert_eq!(closed.arrival, Arrival::Closed { people: 3, reading_time: secs(1) });
    assert_eq!(closed.in_flight, 3, "not the 500 of the open one");
    let open = workload("like = 'browsing'\narrival = 'poisson'\nrate = '1/s'");
    assert_eq!(open.in_flight, 100, "not the one person of the closed one");
    // Neither do they when the file itself gave them, nor by way of a workload that had no use for them.
    let chain = good(
        "duration = '60 s'\n[[client]]\nname = 'c'\nrun = ['closed', 'open']\n\
         [workload.first]\nlike = 'voip'\nin_flight = 7\n\
         [workload.closed]\nlike = 'first'\narrival = 'closed'\nreading_time = '1 s'\npeople = 3\n\
         [workload.open]\nlike = 'closed'\narrival = 'poisson'\nrate = '1/s'\n",
    );
    let in_flight: Vec<_> = chain.plan.clients[0].populations.iter().map(|population| population.in_flight).collect();
    assert_eq!(in_flight, [3, 100]);
}

#[test]
fn likeness_may_go_by_way_of_a_workload_of_the_file() {
    let text = "duration = '60 s'\n[[client]]\nname = 'c'\nrun = ['b']\n\
                [workload.b]\nlike = 'a'\nobjects = 3\n[workload.a]\nlike = 'browsing'\nobject_size = '1 MiB'\nobjects = 2\n";
    let population = good(text).plan.clients[0].populations[0].clone();
    assert_eq!(population.operation, Operation { parts: 3, part_bytes: 1 << 20 });
    assert_eq!(population.goals, presets()[0].population.goals);
}

#[test]
fn goals_that_are_given_replace_all_that_were_there_and_an_empty_list_removes_them() {
    assert_eq!(workload("like = 'voip'\ngoal = []").goals, []);
    let one =
        workload("like = 'voip'\n[[workload.w.goal]]\nmetric = 'failed_share'\ngood = 0\nbad = 0.1\ncounts = 'score'");
    assert_eq!(one.goals.len(), 1);
    assert_eq!(one.goals[0].bound, Bound::FailedShare { good: 0.0, bad: 0.1 });
    assert_eq!(one.goals[0].counts, Counts::Score);
}

#[test]
fn media_keeps_the_player_levels_that_are_not_said() {
    let like = workload("like = '4kstream'\nrate = '8 Mbps'\nmedia = { bit_rate = '8 Mbps', cap = '10 s' }");
    let expected = Media { bit_rate: BitRate::from_mbps(8), start: secs(2), resume: secs(2), cap: secs(10) };
    assert_eq!(like.media, Some(expected));
    let own = workload("object_size = '1 MiB'\narrival = 'constant'\nrate = '8 Mbps'\nmedia = { bit_rate = '8 Mbps' }");
    assert_eq!(own.media, Some(Media { cap: secs(30), ..expected }));
    assert_eq!(own.in_flight, 1);
}

#[test]
fn schedules_begin_at_a_moment_of_their_first_period_that_the_seed_draws() {
    let phases = |seed: u64| -> Vec<Duration> {
        let clients: String = (0..50).map(|i| format!("[[client]]\nname = 'c{i}'\nrun = ['voip']\n")).collect();
        let plan = good(&format!("duration = '60 s'\nseed = {seed}\n{clients}")).plan;
        let populations = plan.clients.iter().flat_map(|client| &client.populations);
        populations
            .map(|population| match population.arrival {
                Arrival::Constant { phase, .. } => phase,
                _ => unreachable!("a call is constant"),
            })
            .collect()
    };
    let first = phases(1);
    assert_eq!(first, phases(1), "the same seed draws the same");
    assert_ne!(first, phases(2));
    assert!(first.iter().all(|phase| *phase < Duration::from_millis(20)), "within one period of 20 ms");
    // Of fifty uniform draws, none in a given quarter has probability 0.75^50, under one in a million.
    for quarter in 0..4 {
        let from = Duration::from_millis(5) * quarter;
        assert!(first.iter().any(|phase| (from..from + Duration::from_millis(5)).contains(phase)), "{quarter}");
    }
}

#[test]
fn a_period_longer_than_the_run_still_starts_within_it() {
    for seed in 0..20 {
        let text = format!(
            "duration = '10 s'\nwarm_up = '1 s'\nseed = {seed}\n[[client]]\nname = 'c'\nrun = ['w']\n\
             [workload.w]\nobject_size = '1 B'\narrival = 'constant'\nrate = '1 per 30 min'"
        );
        let Arrival::Constant { phase, .. } = good(&text).plan.clients[0].populations[0].arrival else {
            unreachable!("it is constant")
        };
        // 1 s of warm-up and half of the 10 s.
        assert!(phase < secs(6), "{phase:?}");
    }
}

#[test]
fn a_run_on_one_machine_says_so_and_a_lab_or_a_real_server_does_not() {
    let client = "duration = '60 s'\n[[client]]\nname = 'c'\nrun = ['download']\n";
    assert_eq!(good(client).remarks.len(), 1);
    assert_eq!(good(&format!("server = 'http://nas:4040'\n{client}")).remarks, [""; 0]);
}

#[test]
fn what_may_not_turn_out_as_meant_is_a_warning_and_no_error() {
    let warnings =
        |text: &str| -> Vec<String> { good(text).warnings.iter().map(|warning| warning.message.clone()).collect() };
    let client = "duration = '118 s'\n[[client]]\nname = 'c'\nrun = ['browsing']\n";
    // One person, a page every 1.5 s + 0.5 s: 59 pages in 118 s, 58 in 117 s.
    assert_eq!(warnings(client), [""; 0]);
    let short = warnings(&client.replace("118", "117"));
    assert_eq!(short.len(), 1);
    assert!(short[0].starts_with("browsing on c: a judged time of 117 s gives about 58 operations"), "{short:?}");
    assert!(short[0].ends_with("fewer than 59; 118 s would do"), "{short:?}");
    let one = warnings(&client.replace("118", "3"));
    assert!(one[0].starts_with("browsing on c: a judged time of 3 s gives about 1 operation, and"), "{one:?}");

    let unused = warnings(&format!("{client}[workload.w]\nlike = 'voip'\n"));
    assert_eq!(unused, ["no client runs workload 'w'"]);
    let radio = warnings(&format!("{client}[[radio]]\nname = 'r'\nrate = '1 Mbps'\nqueue = '1 s'\n"));
    assert_eq!(radio, ["there are radios, but no client is in the lab"]);
    let port = warnings(&format!("server = 'http://nas'\n{client}"));
    assert_eq!(port, ["the server has no port, so 80 is meant"]);
    let cut = warnings(&format!("{client}[workload.browsing]\ndrain = '1 s'\ndeadline = '2 s'\n"));
    assert_eq!(cut.len(), 2, "{cut:?}");
    // 12 periods of 335.5 ms are 4.03 s.
    let stream = warnings("duration = '4 s'\n[[client]]\nname = 'c'\nrun = ['4kstream']\n");
    assert_eq!(stream, ["4kstream on c: no window of 4.03 s fits into a judged time of 4 s"]);
}

#[test]
fn one_device_needs_no_file_and_says_what_file_would_do_the_same() {
    let workloads = ["voip".to_owned(), "4kstream".to_owned()];
    let scenario = single_client(&workloads, "http://nas:4040/".into(), secs(20), u64::MAX).unwrap();
    assert_eq!(scenario.server, ServerChoice::Url("http://nas:4040".into()));
    assert_eq!((scenario.plan.duration, scenario.plan.seed), (secs(20), u64::MAX));
    assert_eq!(scenario.plan.warm_up, secs(3));
    assert_eq!(scenario.plan.clients.len(), 1);
    assert_eq!(scenario.plan.clients[0].populations.len(), 2);
    let again = parse("", &scenario.text).unwrap();
    assert_eq!(again, scenario);
}

#[test]
fn a_warning_about_one_device_points_into_no_file_that_nobody_wrote() {
    let scenario = single_client(&["voip".to_owned()], "http://nas".into(), secs(20), 1).unwrap();
    let [warning] = &scenario.warnings[..] else { panic!("{:?}", scenario.warnings) };
    let expected = "the server has no port, so 80 is meant; `netburn serve` listens on 4040 unless told otherwise";
    assert_eq!(warning.to_string(), expected);
}

#[test]
fn one_device_with_a_slip_in_its_command_line_hears_all_of_it() {
    let workloads = ["voi".to_owned(), "voip".to_owned(), "voip".to_owned()];
    let errors = single_client(&workloads, "nas".into(), Duration::ZERO, 1).unwrap_err().to_string();
    let expected = "unknown workload 'voi'; did you mean 'voip'?\n\n\
                    workload 'voip' stands twice\n\n\
                    'nas' is no server; write an address such as \"http://192.168.1.10:4040\"\n\n\
                    duration: between 1 s and 24 h, found 0 s";
    assert_eq!(errors, expected);
    let nothing = single_client(&[], "http://nas:1".into(), secs(20), 1).unwrap_err().to_string();
    assert_eq!(nothing, "nothing to run; known here: browsing, 4kstream, voip, download");
}
