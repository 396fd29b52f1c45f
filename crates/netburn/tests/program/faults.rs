//! What goes wrong, one after the other: a clear message or a verdict, the documented exit code, and a run file that can be
//! read up to the fault.

use std::fs;
use std::net::TcpListener;
use std::process::{Command, Stdio};

use crate::harness::{LIGHT, Place, UnderWay, is_alive, long, netburn, say, signal, until};

/// A second of load has been recorded.
const LOADED: &str = "\"event\":\"interval\"";
/// Two seconds after the warm-up have been recorded too, of every client.
const JUDGED: &str = "\"client\":1,\"population\":0,\"second\":2";

fn report(place: &Place) -> serde_json::Value {
    say(netburn(&["report", "--json"]).arg(place.run_file())).json()
}

#[test]
fn a_misspelt_key_is_named_with_its_place_and_what_was_meant() {
    let place = Place::with(&LIGHT.replace("warm_up", "warmup"));
    let said = say(&mut place.run(&["--json"]));
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("s.toml:4:1") && said.err.contains("warm_up"), "{}", said.err);
    assert!(said.json()["error"].as_str().unwrap().contains("warm_up"));
    assert!(!place.out().exists(), "nothing is left behind");
}

#[test]
fn a_server_that_is_not_there_is_named() {
    // A port that was free a moment ago, and that nobody listens on.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let out = tempfile::tempdir().unwrap();
    let server = format!("http://127.0.0.1:{port}");
    let args = ["client", "--server", &server, "--run", "voip", "--json", "--out", out.path().to_str().unwrap()];
    let said = say(&mut netburn(&args));
    assert_eq!(said.code, Some(4));
    assert!(said.err.contains(&format!("127.0.0.1:{port}")), "{}", said.err);
    assert!(said.json()["verdict"].is_null());
}

#[test]
fn a_name_that_does_not_resolve_is_named() {
    let out = tempfile::tempdir().unwrap();
    let args = ["client", "--server", "http://nobody.invalid", "--run", "voip", "--out", out.path().to_str().unwrap()];
    let said = say(&mut netburn(&args));
    assert_eq!(said.code, Some(4));
    assert!(said.err.contains("nobody.invalid"), "{}", said.err);
}

#[test]
fn a_port_in_use_is_named() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let said = say(&mut netburn(&["serve", "--listen", &address]));
    assert_eq!(said.code, Some(4));
    assert!(said.err.contains(&address), "{}", said.err);
}

#[test]
fn a_folder_that_cannot_be_written_is_named_before_anything_starts() {
    let place = Place::with(LIGHT);
    fs::write(place.out(), "a file, not a folder").unwrap();
    let said = say(&mut place.run(&[]));
    assert_eq!(said.code, Some(4));
    assert!(said.err.contains("runs") && said.err.contains("--out"), "{}", said.err);
}

#[test]
fn a_server_with_too_few_connections_is_told_before_the_load() {
    let place =
        Place::with(&LIGHT.replace("objects = 1", "objects = 20").replace("in_flight = 100", "in_flight = 500"));
    let said = say(&mut place.run(&[]));
    assert_eq!(said.code, Some(4));
    assert!(said.err.contains("connections"), "{}", said.err);
    let reasons = report(&place)["reasons"].to_string();
    assert!(reasons.contains("connections"), "the file says too why there was no run: {reasons}");
}

#[test]
fn a_full_disk_stops_the_run_and_says_so() {
    let place = Place::with(&long());
    fs::create_dir(place.out()).unwrap();
    // A file system of 64 KiB, in a mount namespace that ends with the run; the file is copied out before.
    let script = "mount -t tmpfs -o size=64k none \"$1\" && { \"$2\" run \"$3\" --out \"$1\"; code=$?; cp \"$1\"/*.netburn \"$4\"; exit $code; }";
    let saved = place.path().join("saved.netburn");
    let mut command = Command::new("unshare");
    command.args(["--mount", "--map-root-user", "--user", "sh", "-c", script, "sh"]);
    command.arg(place.out()).arg(env!("CARGO_BIN_EXE_netburn")).arg(place.path().join("s.toml")).arg(&saved);
    let said = say(&mut command);
    assert_eq!(said.code, Some(4), "{}", said.err);
    assert!(said.err.contains("free some space"), "{}", said.err);
    assert!(said.out.contains("phone"), "what was measured is still reported: {}", said.out);
    let again = say(netburn(&["report", "--json"]).arg(&saved)).json();
    assert_eq!(again["verdict"], "inconclusive", "the file is readable, and known not to be whole");
}

#[test]
fn an_interrupt_ends_the_load_and_reports_what_there_is() {
    for name in ["INT", "TERM", "HUP"] {
        let place = Place::with(&long());
        let run = UnderWay::start(&mut heeding_hangup(&place.run(&["--json"])));
        place.wait_for(LOADED);
        run.signal(name);
        let said = run.end();
        let document = said.json();
        assert_eq!(document, report(&place), "the record is whole");
        let text = fs::read_to_string(place.run_file()).unwrap();
        assert!(text.lines().last().unwrap().contains("interrupted"), "{name}");
        assert!(matches!(said.code, Some(0 | 3)), "{name}: {:?} {}", said.code, said.err);
    }
}

/// The same command as if from a terminal: whoever started the tests by `nohup` has SIGHUP ignored, and a run keeps to that.
fn heeding_hangup(command: &Command) -> Command {
    let mut heeding = Command::new("env");
    heeding.arg("--default-signal=HUP").arg(command.get_program()).args(command.get_args()).stdin(Stdio::null());
    heeding
}

#[test]
fn a_second_interrupt_ends_at_once() {
    let place = Place::with(&long());
    let mut run = UnderWay::start(&mut place.run(&["--json"]));
    place.wait_for(LOADED);
    // An agent that hears nothing any more would be waited for after the first one.
    let agents = run.children("agent");
    agents.iter().for_each(|pid| signal(*pid, "STOP"));
    run.signal("INT");
    // The first one must have been taken before the second comes, or the two are one.
    run.hear("once more to stop at once");
    run.signal("INT");
    let said = run.end();
    assert_eq!(said.json()["verdict"], "inconclusive");
    assert!(agents.into_iter().all(|pid| !is_alive(pid)), "no agent is left");
}

#[test]
fn a_client_that_dies_makes_its_own_goals_inconclusive_and_stops_nobody() {
    let place = Place::with(&long().replace("60 s", "6 s"));
    let run = UnderWay::start(&mut place.run(&["--json"]));
    place.wait_for(JUDGED);
    signal(run.children("agent")[0], "KILL");
    let said = run.end();
    assert_eq!(said.code, Some(3), "{}", said.err);
    let document = said.json();
    assert_eq!(document["applications"][0]["verdict"], "inconclusive");
    assert!(document["applications"][1]["operations"]["completed"].as_u64().unwrap() > 0);
    assert!(document["reasons"].to_string().contains("phone"), "{document:#}");
    assert_eq!(document, report(&place));
}

#[test]
fn a_client_that_hangs_is_given_up() {
    let place = Place::with(&long().replace("60 s", "8 s"));
    let run = UnderWay::start(&mut place.run(&["--json"]));
    place.wait_for(LOADED);
    let hung = run.children("agent")[1];
    signal(hung, "STOP");
    let said = run.end();
    assert_eq!(said.code, Some(3), "{}", said.err);
    let document = said.json();
    assert_eq!(document["applications"][1]["verdict"], "inconclusive");
    assert!(document["reasons"].to_string().contains("tablet"), "{document:#}");
    assert!(!is_alive(hung), "it is not left behind");
}

#[test]
fn a_server_that_dies_is_not_blamed_on_the_network() {
    let place = Place::with(&long().replace("60 s", "4 s"));
    let run = UnderWay::start(&mut place.run(&["--json"]));
    place.wait_for(LOADED);
    signal(run.children("serve")[0], "KILL");
    let said = run.end();
    assert_eq!(said.code, Some(3), "{}", said.err);
    let document = said.json();
    assert_eq!(document["verdict"], "inconclusive", "{document:#}");
    assert!(document["reasons"].to_string().contains("server"), "{document:#}");
    assert_eq!(document, report(&place));
}

#[test]
fn a_controller_that_is_killed_leaves_no_process_and_a_readable_file() {
    let place = Place::with(&long());
    let run = UnderWay::start(&mut place.run(&[]));
    place.wait_for(LOADED);
    let mut all = run.children("agent");
    all.extend(run.children("serve"));
    assert_eq!(all.len(), 3);
    // One of them hangs: it would not hear that its controller is gone.
    signal(all[0], "STOP");
    run.signal("KILL");
    let said = run.end();
    assert_eq!(said.code, None);
    for pid in all {
        until("a process to end with its controller", || (!is_alive(pid)).then_some(()));
    }
    let document = report(&place);
    assert_eq!(document["verdict"], "inconclusive");
    assert!(document["applications"][0]["operations"]["completed"].as_u64().is_some());
}

#[test]
fn a_torn_line_is_dropped_and_the_report_says_so() {
    let place = Place::with(LIGHT);
    say(&mut place.run(&[]));
    let file = place.run_file();
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, &text[..text.len() - 30]).unwrap();
    let document = report(&place);
    assert_eq!(document["verdict"], "inconclusive");
    assert!(document["doubts"].to_string().contains("torn"), "{document:#}");
}

#[test]
fn a_file_that_is_no_run_is_refused() {
    let place = Place::with(LIGHT);
    let said = say(netburn(&["report", "--json"]).arg(place.path().join("s.toml")));
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("not a netburn run file"), "{}", said.err);
    assert!(said.json()["error"].is_string());
}

#[test]
fn a_file_without_end_is_refused() {
    let said = say(&mut netburn(&["report", "/dev/zero"]));
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("not a netburn run file"), "{}", said.err);
}

#[test]
fn a_wrong_command_line_still_gives_a_document_where_json_was_asked() {
    let said = say(&mut netburn(&["run", "--json", "--frobnicate"]));
    assert_eq!(said.code, Some(2));
    assert!(said.json()["error"].as_str().unwrap().contains("--frobnicate"));
}

/// A call, judged strictly enough that a standstill of two seconds shows: of 50 exchanges a second for 12 s, those of the
/// two seconds are 16 % of all, where 1 % may be late. They come in one piece, so that they are worth 12 independent ones
/// at least; by Clopper-Pearson 2 of 12 show more than 1 %.
fn strict_call() -> String {
    let judged = LIGHT.replace("3 s", "12 s").replace("deadline = \"2 s\"", "deadline = \"10 s\"");
    judged.replace("0.95", "0.99").replace("good = \"5 s\"\nbad = \"10 s\"", "good = \"150 ms\"\nbad = \"400 ms\"")
}

#[test]
fn a_server_that_stands_still_is_named_as_the_limit() {
    let place = Place::with(&strict_call());
    let run = UnderWay::start(&mut place.run(&["--json"]));
    place.wait_for("\"second\":2");
    let server = run.children("serve")[0];
    stand_still(server);
    let document = run.end().json();
    let application = &document["applications"][0];
    assert_eq!(application["verdict"], "inconclusive", "{document:#}");
    assert_eq!(application["limited_by"], "server", "{document:#}");
}

#[test]
fn a_client_that_stands_still_is_named_as_the_limit() {
    let place = Place::with(&strict_call());
    let run = UnderWay::start(&mut place.run(&["--json"]));
    place.wait_for("\"second\":2");
    let agent = run.children("agent")[0];
    stand_still(agent);
    let document = run.end().json();
    let application = &document["applications"][0];
    assert_eq!(application["verdict"], "inconclusive", "{document:#}");
    assert_eq!(application["limited_by"], "client", "{document:#}");
}

/// Stops a process for two seconds and lets it go on: the fault itself, not a wait for something.
fn stand_still(pid: u32) {
    signal(pid, "STOP");
    std::thread::sleep(std::time::Duration::from_secs(2));
    signal(pid, "CONT");
}
