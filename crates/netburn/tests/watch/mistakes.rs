//! What is refused, and how it is said.

use std::net::TcpListener;

use crate::harness::{EASY, Place, say};

#[test]
fn an_interval_that_is_too_short_is_refused_with_the_least_that_would_do() {
    let place = Place::with(EASY);
    let (code, said) = say(&mut place.command(&["--every", "2s"]));
    assert_eq!(code, Some(2));
    // 1 s of load and 100 ms of drain, and a second of rest.
    assert!(said.contains("--every 2 s is too short") && said.contains("give at least 2100 ms"), "{said}");
}

#[test]
fn a_scenario_that_needs_a_person_before_each_run_is_refused() {
    let place = Place::with(&EASY.replace("name = \"phone\"", "name = \"phone\"\nvia = \"join\""));
    let (code, said) = say(&mut place.command(&["--every", "1h"]));
    assert_eq!(code, Some(2));
    assert!(said.contains("client 'phone' joins by a link"), "{said}");
}

#[test]
fn a_url_that_is_none_is_refused_without_being_repeated() {
    let place = Place::with(EASY);
    let (code, said) = say(&mut place.command(&["--every", "1h", "--post", "ftp://s3cret/"]));
    assert_eq!(code, Some(2));
    assert!(said.contains("--post: the URL must begin with http:// or https://") && !said.contains("s3cret"), "{said}");
}

#[test]
fn a_command_that_is_not_there_or_cannot_be_run_is_refused_before_anything_is_watched() {
    let place = Place::with(EASY);
    let scenario = place.path("s.toml").display().to_string();
    // Missing, no program, a folder, and nothing of that name where $PATH leads.
    for command in ["/no/such/program", &scenario, "/bin", "no-such-program-of-netburn"] {
        let (code, said) = say(&mut place.command(&["--every", "1h", "--on-change", command]));
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(&format!("there is no program '{command}' that can be run")), "{said}");
    }
    assert!(!place.path("runs").exists());
}

#[test]
fn a_command_is_found_as_the_path_has_it() {
    let place = Place::with(EASY);
    let mut watch = place.watch(&["--on-change", "sh"]);
    watch.hear("alarms to sh");
    watch.interrupt();
}

#[test]
fn a_port_that_is_taken_is_named() {
    let place = Place::with(EASY);
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let (code, said) = say(&mut place.command(&["--every", "1h", "--metrics", &address]));
    assert_eq!(code, Some(4));
    assert!(said.contains(&format!("cannot listen on {address} for /metrics")), "{said}");
}

#[test]
fn a_second_watch_of_a_scenario_with_the_same_folder_is_refused() {
    let place = Place::with(EASY);
    let mut first = place.watch(&[]);
    first.hear("watching 'small'");
    let (code, said) = say(&mut place.command(&["--every", "1h"]));
    assert_eq!(code, Some(4));
    assert!(said.contains("another netburn watch of this scenario"), "{said}");
    first.interrupt();
}
