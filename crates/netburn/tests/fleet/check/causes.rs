//! The cause of a slow login, found in what `ssh -vv` said of real ones; tests/data/ssh/README.md says how each was made.

use std::time::Duration;

use netburn::fleet::check::{Cause, Certainty, Diagnosis, Evidence, diagnose};

/// The recorded lines of a login; those after a line that contains `from` come `later`.
fn recorded_and(name: &str, from: Option<&str>, later: Duration) -> Vec<(Duration, String)> {
    let file = format!("{}/tests/data/ssh/{name}.log", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(file).unwrap();
    let mut added = Duration::ZERO;
    let line = |line: &str| {
        let (at, line) = line.split_once(' ').unwrap_or((line, ""));
        let at = Duration::from_secs_f64(at.parse().unwrap()) + added;
        if from.is_some_and(|from| line.contains(from)) {
            added = later;
        }
        (at, line.to_owned())
    };
    text.lines().map(line).collect()
}

fn recorded(name: &str) -> Vec<(Duration, String)> {
    recorded_and(name, None, Duration::ZERO)
}

fn diagnosed(name: &str, set_up: &str) -> Diagnosis {
    diagnose(&recorded(name), &Evidence::of_device(set_up.as_bytes()), "tv-room")
}

fn first(diagnosis: &Diagnosis) -> &Cause {
    diagnosis.causes.first().expect("a step stands out")
}

fn is_about(took: Duration, ms: u64) -> bool {
    // What the log's own timer waited for, and less than half a second of work around it.
    took >= Duration::from_millis(ms) && took < Duration::from_millis(ms + 500)
}

#[test]
fn a_server_that_asks_dns_for_us_is_told_to_stop() {
    let set_up = "@netburn@ sshd UseDNS yes\n@netburn@ nsswitch hosts: files dns\n";
    let diagnosis = diagnosed("slow-lookup", set_up);
    let cause = first(&diagnosis);
    // Two tries of 1 s each.
    assert!(is_about(cause.took, 2000), "{cause:?}");
    assert_eq!((cause.change.line.as_str(), cause.certainty), ("UseDNS no", Certainty::Certain));
    assert!(cause.change.place.contains("/etc/ssh/sshd_config on the device"));
    assert!(
        cause.between.0.contains("SERVICE_ACCEPT") && cause.between.1.contains("Authentications that can continue")
    );
    assert_eq!(cause.evidence, ["UseDNS yes", "there: hosts: files dns"]);
    // Without its config nobody can be sure.
    assert_eq!(first(&diagnosed("slow-lookup", "")).certainty, Certainty::Likely);
}

#[test]
fn a_user_who_is_looked_up_in_a_directory_is_not_blamed_on_dns() {
    let set_up = "@netburn@ sshd UseDNS no\n@netburn@ nsswitch passwd: files sss\n";
    let diagnosis = diagnosed("slow-lookup", set_up);
    assert_eq!(first(&diagnosis).change.line, "passwd: files");
}

#[test]
fn a_slow_pam_module_is_seen_when_the_session_opens() {
    let set_up =
        "@netburn@ pam session optional pam_motd.so\n@netburn@ pam session optional pam_exec.so /bin/sleep 0.8\n";
    let diagnosis = diagnosed("slow-session", set_up);
    let cause = first(&diagnosis);
    assert!(is_about(cause.took, 800), "{cause:?}");
    assert_eq!(cause.change.line, "# session optional pam_exec.so /bin/sleep 0.8");
    assert_eq!((cause.certainty, cause.evidence.len()), (Certainty::Likely, 2));
}

#[test]
fn a_session_that_takes_as_long_as_a_call_to_logind_is_pam_systemds() {
    // D-Bus gives a call up after 25 s: 24.2 s more than the 0.8 s of the record.
    let lines = recorded_and("slow-session", Some("Authenticated to "), Duration::from_millis(24_500));
    let set_up = b"@netburn@ pam session optional pam_exec.so\n@netburn@ pam session optional pam_systemd.so\n";
    let diagnosis = diagnose(&lines, &Evidence::of_device(set_up), "tv-room");
    assert_eq!(first(&diagnosis).change.line, "# session optional pam_systemd.so");
}

#[test]
fn an_account_that_is_looked_at_for_long_is_no_slow_session() {
    let diagnosis = diagnosed("slow-account", "@netburn@ pam account optional pam_exec.so /bin/sleep 0.8\n");
    let cause = first(&diagnosis);
    assert!(is_about(cause.took, 800), "{cause:?}");
    assert_eq!(cause.change.line, "# account optional pam_exec.so /bin/sleep 0.8");
    assert!(cause.between.0.contains("Server accepts key"));
}

#[test]
fn a_late_greeting_is_seen_before_the_servers_version() {
    let diagnosis = diagnosed("late-banner", "");
    let cause = first(&diagnosis);
    assert!(is_about(cause.took, 700), "{cause:?}");
    assert!(cause.between.1.contains("Remote protocol version") && cause.seen.contains("greets late"));
}

#[test]
fn a_name_that_takes_long_to_find_is_this_machines_matter() {
    let lines = recorded("slow-name");
    let with = |hosts: &str| {
        let evidence = Evidence { hosts_here: Some(hosts.to_owned()), ..Evidence::default() };
        diagnose(&lines, &evidence, "tv-room")
    };
    let dns = with("hosts: dns files");
    assert!(is_about(first(&dns).took, 1000), "{dns:?}");
    assert_eq!(first(&dns).change.line, "Host tv-room: HostName ADDRESS");
    let multicast = with("hosts: files mdns4 dns");
    assert_eq!(first(&multicast).change.line, "hosts: files dns");
    assert!(first(&multicast).change.place.contains("on this machine"));
    // The minimal kind asks for names that end in .local alone.
    assert_ne!(first(&with("hosts: files mdns4_minimal [NOTFOUND=return] dns")).change.line, "hosts: files dns");
}

#[test]
fn an_address_that_leads_nowhere_is_named() {
    let diagnosis = diagnosed("dead-ipv6", "");
    let cause = first(&diagnosis);
    assert!(is_about(cause.took, 1000), "{cause:?}");
    assert!(cause.seen.contains("2001:db8:1::7"), "{cause:?}");
    assert_eq!((cause.change.line.as_str(), cause.certainty), ("Host tv-room: AddressFamily inet", Certainty::Certain));
}

#[test]
fn a_command_that_the_server_puts_in_place_of_ours_is_no_start_file() {
    let forced = diagnosed("forced-command", "@netburn@ sshd ForceCommand sleep 0.6; exec true\n");
    assert_eq!(first(&forced).change.line, "ForceCommand none");
    let start_file = diagnosed("forced-command", "");
    assert!(first(&start_file).change.place.contains("~/.bashrc"), "{start_file:?}");
}

#[test]
fn many_keys_are_counted_where_they_cost_time() {
    // Each round trip made 0.5 s longer: four keys in vain, and the fifth.
    let mut lines = recorded("five-keys");
    let mut added = Duration::ZERO;
    for (at, line) in &mut lines {
        *at += added;
        if line.contains("Offering public key") {
            added += Duration::from_millis(500);
        }
    }
    let diagnosis = diagnose(&lines, &Evidence::default(), "tv-room");
    let cause = first(&diagnosis);
    assert!(is_about(cause.took, 2500), "{cause:?}");
    assert!(cause.seen.starts_with("5 keys"), "{cause:?}");
    assert!(cause.change.line.contains("IdentitiesOnly yes"));
}

#[test]
fn kerberos_that_comes_to_nothing_is_not_tried_any_more() {
    let lines = recorded_and("gssapi", Some("Next authentication method: gssapi-with-mic"), Duration::from_secs(3));
    let diagnosis = diagnose(&lines, &Evidence::default(), "tv-room");
    assert_eq!(first(&diagnosis).change.line, "Host tv-room: GSSAPIAuthentication no");
    // As it was recorded, it costs nothing: there is no ticket to ask with.
    let untouched = diagnosed("gssapi", "");
    assert!(untouched.causes.iter().all(|cause| !cause.seen.contains("gssapi")), "{untouched:?}");
}

#[test]
fn a_log_of_nothing_or_of_unknown_words_blames_nobody_wrongly() {
    assert!(diagnose(&[], &Evidence::default(), "tv").causes.is_empty());
    let strange = [(Duration::from_secs(3), "quantum handshake begins".to_owned())];
    let diagnosis = diagnose(&strange, &Evidence::default(), "tv");
    assert!(diagnosis.causes.iter().all(|cause| cause.certainty == Certainty::Likely));
}
