//! A run, and everything that is made of it.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use crate::harness::{LIGHT, Place, netburn, say};

#[test]
fn a_report_from_the_file_is_what_the_run_printed() {
    let place = Place::with(LIGHT);
    let ran = say(&mut place.run(&[]));
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let file = place.run_file();
    let again = say(netburn(&["report"]).arg(&file));
    assert_eq!(again.out, ran.out);
    assert_eq!(again.code, ran.code);
    assert!(ran.err.contains(&file.display().to_string()), "a person is told where the record is: {}", ran.err);
}

#[test]
fn json_is_one_document_with_the_stable_core() {
    let place = Place::with(LIGHT);
    let ran = say(&mut place.run(&["--json"]));
    let document = ran.json();
    assert_eq!(document["verdict"], "pass", "{}", ran.out);
    let application = &document["applications"][0];
    assert_eq!((application["client"].as_str(), application["name"].as_str()), (Some("phone"), Some("exchange")));
    // 50 operations a second for the three seconds that are judged.
    assert_eq!(application["operations"]["scheduled"], 150);
    assert_eq!(application["operations"]["completed"], 150);
    // 1000 bytes 50 times a second are 0.4 Mbps; one exchange more or less may fall into the window.
    let goodput = application["goodput_mbps"].as_f64().unwrap();
    assert!((goodput - 0.4).abs() < 0.003, "{goodput}");
    let goal = &application["goals"][0];
    assert_eq!((goal["outcome"].as_str(), goal["n"].as_u64()), (Some("met"), Some(150)));
    let again = say(netburn(&["report", "--json"]).arg(place.run_file()));
    assert_eq!(again.out, ran.out);
}

#[test]
fn csv_has_a_header_and_a_row_for_each_application() {
    let place = Place::with(LIGHT);
    assert_eq!(say(&mut place.run(&["--quiet"])).err, "");
    let csv = say(netburn(&["report", "--csv"]).arg(place.run_file()));
    assert_eq!(csv.out.lines().count(), 2, "{}", csv.out);
}

#[test]
fn the_same_seed_asks_the_same_of_the_clients() {
    let digest = |seed: &str| {
        let place = Place::with(LIGHT);
        say(&mut place.run(&["--json", "--for", "1s", "--seed", seed])).json()["run"]["digest"].clone()
    };
    let (first, second, other) = (digest("7"), digest("7"), digest("8"));
    assert_eq!(first, second);
    assert_ne!(first, other);
    assert!(first.is_string());
}

#[test]
fn every_operation_is_kept_where_that_is_asked() {
    let place = Place::with(LIGHT);
    say(&mut place.run(&["--keep-operations"]));
    let text = fs::read_to_string(place.run_file()).unwrap();
    let kept = text.lines().filter(|line| line.starts_with("{\"event\":\"operation\"")).count();
    // A second of warm-up and three that are judged.
    assert_eq!(kept, 200);
}

#[test]
fn a_device_alone_measures_against_a_server_and_against_any_web_server() {
    let mut serve = netburn(&["serve", "--listen", "127.0.0.1:0"]);
    let mut child = serve.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned();
    let out = tempfile::tempdir().unwrap();
    let out = out.path().to_str().unwrap();

    let served =
        say(&mut netburn(&["client", "--server", &url, "--run", "voip", "--for", "2s", "--json", "--out", out]));
    let page = format!("{url}/netburn/v1/bytes/5000");
    let fetched =
        say(&mut netburn(&["client", "--url", &page, "--run", "voip", "--for", "2s", "--json", "--out", out]));
    crate::harness::signal(child.id(), "INT");
    assert_eq!(child.wait().unwrap().code(), Some(0), "Ctrl-C ends a server in order");

    let served = served.json();
    assert_eq!(served["applications"][0]["operations"]["completed"], 100);
    assert_eq!(served["applications"][0]["operations"]["failed"], 0);
    let fetched = fetched.json();
    assert_eq!(fetched["applications"][0]["operations"]["completed"], 100, "{fetched:#}");
    assert_eq!(fetched["run"]["verified_server"], false);
    assert!(fetched["cautions"].to_string().contains("Nothing proves"), "{fetched:#}");
}

#[test]
fn workloads_are_listed_with_their_goals() {
    let listed = say(&mut netburn(&["workloads"]));
    for word in ["browsing", "4kstream", "voip", "download", "500 ms", "150 ms", "20 Mbps"] {
        assert!(listed.out.contains(word), "{word} in {}", listed.out);
    }
    assert_eq!(listed.code, Some(0));
}

#[test]
fn a_url_that_cannot_be_one_is_a_mistake_on_the_command_line() {
    for url in ["https://127.0.0.1/", "127.0.0.1"] {
        let said = say(&mut netburn(&["client", "--run", "voip", "--json", "--url", url]));
        assert_eq!((said.code, said.json()["exit_code"].as_i64()), (Some(2), Some(2)), "{url}: {}", said.err);
    }
}

#[test]
fn a_result_that_cannot_be_written_is_told_but_a_closed_pipe_is_no_error() {
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut program = netburn(&["workloads"]).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = String::new();
    program.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    program.wait().unwrap();
    assert!(told.starts_with("netburn: cannot write the result: No space left"), "{told}");

    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let closed = netburn(&["workloads"]).stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
    assert_eq!(closed.wait_with_output().unwrap().stderr, b"");
}

#[test]
fn runs_of_two_set_ups_are_held_against_each_other_and_one_of_each_proves_nothing() {
    let place = Place::with(&LIGHT.replace("3 s", "1 s"));
    say(&mut place.run(&["--quiet"]));
    let file = place.run_file();
    let compared = say(netburn(&["compare"]).arg(&file).arg("--vs").arg(&file));
    assert_eq!(compared.code, Some(3), "nothing can be told: {}", compared.err);
    assert!(compared.out.contains("phone exchange: cannot tell"), "{}", compared.out);
    assert!(compared.out.contains("proves nothing"), "{}", compared.out);
    let document = say(netburn(&["compare", "--json"]).arg(&file).arg("--vs").arg(&file)).json();
    assert_eq!(document["comparisons"][0]["answer"], "cannot_tell");
    assert_eq!(document["exit_code"], 3);
    let missing = say(netburn(&["compare", "--json", "nowhere.netburn", "--vs"]).arg(&file));
    assert_eq!((missing.code, missing.json()["exit_code"].as_u64()), (Some(2), Some(2)));
    assert!(missing.err.contains("nowhere.netburn"), "{}", missing.err);
}

#[test]
fn nothing_is_written_over_a_run_file_or_a_scenario() {
    let place = Place::with(LIGHT);
    let scenario = place.path().join("s.toml");
    let record = "{\"event\":\"opened\",\"format\":2,\"torn";
    let torn = place.path().join("torn.netburn");
    fs::write(&torn, record).unwrap();
    let link = place.path().join("link");
    std::os::unix::fs::symlink(&torn, &link).unwrap();
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden/format-1.netburn");
    let refused = |command: &mut Command, what: &str| {
        let said = say(command);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{}", said.err);
        assert!(said.err.contains(&format!("this is {what}, and is not written over")), "{}", said.err);
    };
    for form in ["--text", "--csv", "--flent", "--figures"] {
        refused(netburn(&["report", golden, form, "--output"]).arg(&torn), "a run file");
    }
    refused(netburn(&["report", golden, "--output"]).arg(&link), "a run file");
    refused(netburn(&["report", golden, "--html"]).arg(&torn), "a run file");
    refused(netburn(&["report", golden, "--html"]).arg(&scenario), "a scenario");
    // Before the run, not after it.
    refused(place.run(&["--html"]).arg(&scenario), "a scenario");
    assert!(!place.out().exists());
    assert_eq!(fs::read_to_string(torn).unwrap(), record);
    assert_eq!(fs::read_to_string(scenario).unwrap(), LIGHT);
}

#[test]
fn a_page_that_cannot_be_written_is_refused_before_the_run_but_its_folder_may_come_with_the_run() {
    let place = Place::with(LIGHT);
    let refused = say(place.run(&["--html"]).arg(place.path()));
    assert_eq!(refused.code, Some(4), "{}", refused.err);
    assert!(refused.err.contains("cannot write it: Is a directory") && !place.out().exists(), "{}", refused.err);
    let page = place.out().join("page.html");
    let ran = say(place.run(&["--for", "1s", "--html"]).arg(&page));
    assert!(page.exists(), "{}", ran.err);
}

#[test]
fn whoever_asked_for_a_result_and_got_none_is_told_so_by_the_exit_code() {
    let place = Place::with(LIGHT);
    let scenario = place.path().join("s.toml");
    let into = |command: &mut Command| {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command.stdout(full).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    for command in [&mut netburn(&["workloads"]), netburn(&["check"]).arg(&scenario)] {
        let (code, err) = into(command);
        assert_eq!(code, Some(4), "{err}");
        assert!(err.contains("cannot write the result"), "{err}");
    }
    // What was wrong before there could be a result is what is told.
    assert_eq!(into(&mut netburn(&["check", "/no/such/scenario"])).0, Some(2));
}

#[test]
fn what_is_said_before_a_run_fits_the_width_of_a_report() {
    let place = Place::with(&LIGHT.replace("3 s", "1 s"));
    let wide = |text: &str| text.lines().find(|line| line.chars().count() > 80).map(str::to_owned);
    let scenario = "s.toml";
    let checked = say(netburn(&["check", scenario]).current_dir(place.path()));
    assert!(checked.out.contains("Warning: s.toml:8:8: exchange on phone: a judged time of 1 s"), "{}", checked.out);
    assert_eq!(wide(&checked.out), None);
    let workloads = say(&mut netburn(&["workloads"]));
    assert!(workloads.out.contains("\n  a person clicks through pages"), "{}", workloads.out);
    assert_eq!(wide(&workloads.out), None);
}
