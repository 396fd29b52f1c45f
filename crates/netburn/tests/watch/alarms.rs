//! From a verdict that changes to somebody who knows of it.

use std::fs;

use serde_json::Value;

use crate::harness::{EASY, Place, Watching, hopeless, scribe, until};
use crate::receiver::WebHook;

#[test]
fn a_change_is_told_once_after_a_confirming_run_and_recovery_likewise_also_over_a_restart() {
    let place = Place::with(&hopeless());
    let hook = WebHook::answering(&["200 OK"]);
    let url = format!("http://127.0.0.1:{}/T0KEN", hook.port);
    let script = scribe(&place.path(""));
    let args = ["--post", &url, "--on-change", "/bin/sh", "--on-change-arg", "-c", "--on-change-arg", script.as_str()];

    let mut watch = place.watch(&args);
    let first = watch.hear("fail after ");
    assert!(first.contains("to confirm the change"), "{first}");
    watch.hear("fail after ");
    let alarm = watch.hear("alarm: ");
    assert!(alarm.ends_with("alarm: small: the run fails; exchange of phone fails"), "{alarm}");
    let request = hook.next();
    // A third bad run is no news.
    watch.hear("fail after ");
    let heard = watch.interrupt();
    assert!(heard.iter().filter(|line| line.contains("alarm: ")).count() == 1, "{heard:#?}");
    assert!(!heard.iter().any(|line| line.contains("T0KEN")), "{heard:#?}");
    assert!(hook.further().is_none());

    assert_eq!(request.line, "POST /T0KEN HTTP/1.1");
    assert!(request.fields.iter().any(|field| field == "content-type: application/json"), "{:?}", request.fields);
    let document: Value = serde_json::from_str(&request.body).unwrap();
    assert_eq!(document["condition"], "bad");
    assert_eq!(document["changes"][0]["subject"], "run");
    assert_eq!(document["bad"][0]["application"], "exchange");
    assert_eq!(document["run"]["result"], "fail");
    let file = document["run"]["file"].as_str().unwrap();
    assert!(fs::read_to_string(file).unwrap().contains(document["run"]["id"].as_str().unwrap()));
    // The command got the same document, and the facts.
    assert_eq!(fs::read_to_string(place.path("documents")).unwrap(), request.body);
    let facts = || fs::read_to_string(place.path("facts")).unwrap();
    assert_eq!(facts(), "bad small: the run fails; exchange of phone fails\n");

    // All is mended, and the watch begins anew: it knows what it told, so this is a recovery, and no first good news.
    place.write(EASY);
    let mut watch = place.watch(&args);
    watch.hear("pass after ");
    watch.hear("alarm: small: the run is good again; exchange of phone is good again");
    let document: Value = serde_json::from_str(&hook.next().body).unwrap();
    assert_eq!((&document["condition"], &document["bad"]), (&Value::from("good"), &Value::Array(vec![])));
    assert_eq!(document["changes"][0]["from"], "bad");
    until("the command", || (facts().lines().count() == 2).then_some(()));
    watch.interrupt();
    assert!(facts().ends_with("good small: the run is good again; exchange of phone is good again\n"), "{}", facts());
}

#[test]
fn one_glitch_is_told_to_nobody() {
    let place = Place::with(EASY);
    let script = scribe(&place.path(""));
    // Seconds between two runs, in which the scenario can be changed.
    let mut command = place.command(&["--every", "10s", "--confirm-after", "5s"]);
    command.args(["--on-change", "/bin/sh", "--on-change-arg", "-c", "--on-change-arg", &script]);
    let mut watch = Watching::start(&mut command);
    watch.hear("pass after ");
    place.write(&hopeless());
    let glitch = watch.hear("fail after ");
    place.write(EASY);
    assert!(glitch.contains("to confirm the change"), "{glitch}");
    let next = watch.hear("pass after ");
    assert!(!next.contains("confirm"), "{next}");
    let heard = watch.interrupt();
    assert!(!heard.iter().any(|line| line.contains("alarm: ")), "{heard:#?}");
    assert!(!place.path("facts").exists());
}

#[test]
fn an_alarm_that_nobody_takes_is_kept_over_a_restart_until_somebody_does() {
    let place = Place::with(&hopeless());
    let hook = WebHook::answering(&["503 Service Unavailable", "503 Service Unavailable", "204 No Content"]);
    let url = format!("http://me:s3cret@127.0.0.1:{}/", hook.port);
    fs::write(place.path("url"), &url).unwrap();
    let post = format!("@{}", place.path("url").display());
    let mut watch = place.watch(&["--post", &post]);
    let line = watch.hear("could not be sent");
    assert!(line.contains("the receiver answered 503") && line.contains("it is kept"), "{line}");
    assert!(!line.contains("s3cret"), "{line}");
    let first = hook.next();
    // "me:s3cret" in base 64 (RFC 4648).
    assert!(first.fields.iter().any(|field| field == "authorization: Basic bWU6czNjcmV0"), "{:?}", first.fields);
    watch.interrupt();
    assert_eq!(place.ledger()["post"]["summary"], "small: the run fails; exchange of phone fails");

    // At once, before any run: the second try is refused too, the third one is taken.
    let watch = place.watch(&["--post", &post]);
    assert_eq!(hook.next().body, first.body);
    assert_eq!(hook.next().body, first.body);
    until("the delivery to be noted", || place.ledger()["post"].is_null().then_some(()));
    watch.interrupt();
    assert_eq!(place.ledger()["tally"]["posts"]["done"], 1);
}

#[test]
fn an_alarm_goes_over_tls_to_a_host_that_the_machine_trusts_and_to_no_other() {
    let place = Place::with(&hopeless());
    let (hook, pem) = WebHook::over_tls();
    let url = format!("https://localhost:{}/", hook.port);
    fs::write(place.path("roots.pem"), pem).unwrap();
    let (_, other) = WebHook::over_tls();
    fs::write(place.path("other.pem"), other).unwrap();
    let watch_with = |roots: &str| {
        let mut command = place.command(&["--every", "4s", "--confirm-after", "1s", "--post", &url]);
        Watching::start(command.env("SSL_CERT_FILE", place.path(roots)).env_remove("SSL_CERT_DIR"))
    };
    let mut watch = watch_with("other.pem");
    let line = watch.hear("could not be sent");
    assert!(line.contains("no TLS connection"), "{line}");
    watch.interrupt();
    assert!(hook.further().is_none());
    let watch = watch_with("roots.pem");
    assert!(hook.next().body.contains("exchange of phone fails"));
    watch.interrupt();
}

#[test]
fn that_it_cannot_be_run_is_told_after_a_second_try_and_a_broken_scenario_is_one_such_reason() {
    let place = Place::with(EASY);
    let mut watch = place.watch(&[]);
    watch.hear("pass after ");
    place.write("name = 3");
    let line = watch.hear("could_not_run after ");
    assert!(line.contains("s.toml") && line.contains("name"), "{line}");
    let alarm = watch.hear("alarm: ");
    assert!(alarm.contains("small: it cannot be run: "), "{alarm}");
    place.write(EASY);
    watch.hear("alarm: small: it can be run again");
    watch.interrupt();
}

#[test]
fn a_command_that_fails_is_told_of_and_ends_nothing() {
    let place = Place::with(&hopeless());
    let script = "echo 'no mail today' >&2; exit 3";
    let mut watch = place.watch(&["--on-change", "/bin/sh", "--on-change-arg", "-c", "--on-change-arg", script]);
    let line = watch.hear("the command of --on-change");
    assert!(line.ends_with("did not do its work: it ended with exit status: 3: no mail today"), "{line}");
    watch.hear("fail after ");
    watch.interrupt();
    assert_eq!(place.ledger()["tally"]["commands"]["failed"], 1);
}
