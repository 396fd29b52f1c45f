//! Devices and groups: where a client may be, how many a table may stand for, and what is said where that is wrong.

use burn_model::plan::Arrival;
use netburn::scenario::{Device, Scenario, ServerChoice, Via, parse};

const RADIO: &str = "[[radio]]\nname = 'r'\nrate = '1 Mbps'\nqueue = '1 s'\n";

fn good(text: &str) -> Scenario {
    parse("f.toml", &format!("duration = '60 s'\n{text}")).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Each problem as `LINE:COLUMN message; hint`, of a file whose first line is its duration.
fn said(text: &str) -> Vec<String> {
    let text = format!("duration = '60 s'\n{text}");
    let errors = parse("f.toml", &text).expect_err(&text);
    let line = |problem: &netburn::scenario::Diagnostic| {
        let place = problem.place.as_ref().map(|place| format!("{}:{} ", place.line, place.column));
        let hint = problem.hint.as_ref().map(|hint| format!("; {hint}"));
        format!("{}{}{}", place.unwrap_or_default(), problem.message, hint.unwrap_or_default())
    };
    errors.problems.iter().map(line).collect()
}

fn warned(text: &str) -> Vec<String> {
    good(text).warnings.iter().map(|warning| warning.message.clone()).collect()
}

/// What is said of a client with this `via`, which stands in line 5.
fn said_of_via(via: &str) -> Vec<String> {
    said(&format!("[[client]]\nname = 'c'\nrun = ['voip']\nvia = '{via}'\n"))
}

fn client(name: &str, lines: &str) -> String {
    format!("[[client]]\nname = '{name}'\nrun = ['voip']\n{lines}\n")
}

fn via_of(text: &str) -> Via {
    good(&client("c", &format!("via = '{text}'"))).devices[0].via.clone()
}

#[test]
fn a_device_is_here_or_reached_over_ssh_or_comes_by_itself() {
    assert_eq!(via_of("local"), Via::Local);
    assert_eq!(via_of("join"), Via::Join);
    let Via::Ssh(destination) = via_of("ssh:me@tv-room:2222") else { panic!("it is ssh") };
    assert_eq!(destination.arguments(), ["-p", "2222", "--", "me@tv-room"]);
    let Via::Ssh(alias) = via_of("ssh:tv-room") else { panic!("it is ssh") };
    assert_eq!(alias.to_string(), "tv-room");
}

#[test]
fn a_group_is_one_device_with_many_clients_each_with_its_own_name() {
    let text = [client("tv", ""), client("phone", "count = 3\nvia = 'join'"), client("one", "count = 1")].concat();
    let scenario = good(&text);
    let names: Vec<_> = scenario.plan.clients.iter().map(|client| client.name.as_str()).collect();
    assert_eq!(names, ["tv", "phone-1", "phone-2", "phone-3", "one-1"]);
    let device = |name: &str, via, clients| Device { name: name.into(), via, clients };
    let expected = [device("tv", Via::Local, 0..1), device("phone", Via::Join, 1..4), device("one", Via::Local, 4..5)];
    assert_eq!(scenario.devices, expected);
}

#[test]
fn two_clients_of_a_group_do_not_keep_step() {
    let plan = good(&client("phone", "count = 20")).plan;
    let mut phases: Vec<_> = plan
        .clients
        .iter()
        .map(|client| match client.populations[0].arrival {
            Arrival::Constant { phase, .. } => phase,
            _ => unreachable!("a call is constant"),
        })
        .collect();
    phases.sort();
    phases.dedup();
    // Two of twenty draws out of 20 million nanoseconds are equal with a probability of 190 in 20,000,000.
    assert_eq!(phases.len(), 20);
}

#[test]
fn a_group_is_part_of_what_the_plan_is_known_by() {
    let digest = |lines: &str| good(&client("phone", lines)).plan.digest();
    assert_eq!(digest("count = 2"), digest("count = 2"));
    assert_ne!(digest("count = 2"), digest("count = 3"));
    assert_ne!(digest(""), digest("count = 1"), "another name");
    // Where they run is no part of what they do.
    assert_eq!(digest("count = 2"), digest("count = 2\nvia = 'join'"));
}

#[test]
fn a_group_in_the_lab_is_one_station() {
    let scenario =
        good(&format!("{}{}{RADIO}", client("a", "count = 40\nvia = 'lab:r'"), client("b", "via = 'lab:r'")));
    assert_eq!(scenario.devices.len(), 2);
    assert_eq!(scenario.plan.clients.len(), 41);
    assert_eq!(scenario.devices[1].clients, 40..41);
}

#[test]
fn a_group_has_room_for_a_thousand_people_and_no_more() {
    assert_eq!(good(&client("c", "count = 1000")).plan.clients.len(), 1000);
    assert_eq!(said(&client("c", "count = 1001")), ["5:9 count: between 1 and 1000, found 1001"]);
    assert_eq!(said(&client("c", "count = 0")), ["5:9 count: between 1 and 1000, found 0"]);
    assert_eq!(said(&client("c", "count = '3'")), ["5:9 count: expected a whole number such as 1, found the text '3'"]);
    let two = [client("a", "count = 600"), client("b", "count = 401")].concat();
    assert_eq!(said(&two), ["9:9 1001 clients in all: 1000 is the most"]);
}

#[test]
fn a_group_that_would_have_another_clients_name_is_reported() {
    let after = [client("phone", "count = 3"), client("phone-2", "")].concat();
    assert_eq!(said(&after), ["7:8 two clients are named 'phone-2': the group 'phone' has one by that name"]);
    let before = [client("phone-2", ""), client("phone", "count = 3")].concat();
    assert_eq!(said(&before), ["7:8 two clients are named 'phone-2': the group 'phone' has one by that name"]);
    let same = [client("phone", "count = 3"), client("phone", "")].concat();
    assert_eq!(said(&same), ["7:8 two clients are named 'phone'"], "a device's name stands once, and it is said once");
}

#[test]
fn a_group_whose_clients_names_would_be_too_long_is_reported() {
    // 62 letters, a hyphen and one digit are 64; a second digit is one too many.
    let name = "x".repeat(62);
    assert_eq!(good(&client(&name, "count = 9")).plan.clients.len(), 9);
    assert_eq!(
        said(&client(&name, "count = 10")),
        [format!("3:8 the group's clients get names such as '{}…', longer than 64 characters", "x".repeat(60))]
    );
}

#[test]
fn a_login_that_ssh_could_take_for_more_than_a_name_is_refused() {
    for (via, expected) in [
        ("ssh", "via: 'ssh' does not say which device; write \"ssh:HOST\" or \"ssh:USER@HOST\""),
        ("ssh:", "via: 'ssh:': no host is named; write [user@]host[:port], like me@tv-room"),
        ("ssh:@tv", "via: 'ssh:@tv': no user stands before the '@'; write user@host, or the host alone"),
        ("ssh:-l", "via: 'ssh:-l': '-l' begins with '-', which ssh would take for an option"),
        ("ssh:tv:0", "via: 'ssh:tv:0': '0' is no port; write a number from 1 to 65535"),
        (
            "ssh:-oProxyCommand=x",
            "via: 'ssh:-oProxyCommand=x': '=' cannot stand in a host; letters, digits, '.', '_' and '-' can",
        ),
        ("ssh:tv; reboot", "via: 'ssh:tv; reboot': ';' cannot stand in a host; letters, digits, '.', '_' and '-' can"),
        ("ssh: tv", "via: 'ssh: tv': ' ' cannot stand in a host; letters, digits, '.', '_' and '-' can"),
    ] {
        assert_eq!(said_of_via(via), [format!("5:7 {expected}")]);
    }
}

#[test]
fn a_place_with_a_slip_in_it_is_shown_what_was_meant() {
    for (via, expected) in [
        ("jion", "via: unknown place 'jion'; did you mean 'join'?"),
        ("me@tv", "via: unknown place 'me@tv'; did you mean 'ssh:me@tv'?"),
        ("ssh me@tv", "via: unknown place 'ssh me@tv'; did you mean 'ssh:me@tv'?"),
        ("join:tv", "via: nothing comes after 'join'; write \"join\""),
        ("local:", "via: nothing comes after 'local'; write \"local\""),
        ("lab", "via: 'lab' does not say which radio; write \"lab:RADIO\""),
        ("telnet:tv", "via: unknown place 'telnet:tv'; known here: local, join, ssh:HOST"),
    ] {
        assert_eq!(said_of_via(via), [format!("5:7 {expected}")]);
    }
    assert_eq!(said(&client("c", "vai = 'join'")), ["5:1 unknown key 'vai'; did you mean 'via'?"]);
    assert_eq!(said(&client("c", "cuont = 3")), ["5:1 unknown key 'cuont'; did you mean 'count'?"]);
}

#[test]
fn the_lab_is_for_all_clients_or_none_and_has_its_own_server() {
    let lab = client("a", "via = 'lab:r'");
    let beside = |via: &str| said(&format!("{lab}{}{RADIO}", client("b", &format!("via = '{via}'"))));
    let apart = "the lab is a network inside this machine, which no other device is in; write two scenarios";
    assert_eq!(
        beside("local"),
        ["9:7 this client is local, while 'a' is in the lab; give every client a via = \"lab:RADIO\", or none"]
    );
    assert_eq!(beside("ssh:tv"), [format!("9:7 this client is reached over ssh, while 'a' is in the lab; {apart}")]);
    assert_eq!(beside("join"), [format!("9:7 this client is one that joins, while 'a' is in the lab; {apart}")]);
    for server in ["http://nas:1", "local:192.168.1.10"] {
        assert_eq!(
            said(&format!("server = '{server}'\n{lab}{RADIO}")),
            [
                "6:7 a client in the lab reaches only the lab's own server; leave server out, or write server = \"local\""
            ]
        );
    }
    assert_eq!(good(&format!("server = 'local'\n{lab}{RADIO}")).server, ServerChoice::Local { address: None });
    assert_eq!(said(&lab), ["5:7 via: unknown radio 'r'; add a [[radio]] with that name, a rate and a queue"]);
}

#[test]
fn this_machines_server_may_be_told_under_which_address_it_is_reached() {
    let server = |text: &str| good(&format!("server = '{text}'\n{}", client("c", "via = 'join'"))).server;
    for address in ["192.168.1.10", "192.168.1.10:4040", "desk.lan", "[2001:db8::7]:4040"] {
        assert_eq!(server(&format!("local:{address}")), ServerChoice::Local { address: Some(address.into()) });
    }
    let wrong = |text: &str| said(&format!("server = '{text}'\n{}", client("c", "")));
    let hint = "write \"local:HOST\" or \"local:HOST:PORT\", by which the devices reach this machine";
    assert_eq!(wrong("local:"), [format!("2:10 server: 'local:' is no server; {hint}")]);
    let port = "the port is a number between 1 and 65535";
    assert_eq!(wrong("local:desk:0"), [format!("2:10 server: 'local:desk:0' is no server; {port}")]);
    let host = "the host is a name, an IPv4 address, or an IPv6 address in brackets";
    assert_eq!(wrong("local:de sk"), [format!("2:10 server: 'local:de sk' is no server; {host}")]);
    assert_eq!(wrong("local:fe80::1"), [format!("2:10 server: 'local:fe80::1' is no server; {host}")]);
}

#[test]
fn an_address_that_leads_other_devices_to_themselves_is_warned_of() {
    let at =
        |server: &str, via: &str| warned(&format!("server = '{server}'\n{}", client("tv", &format!("via = '{via}'"))));
    let warning = "tv is another device, to which this address means itself";
    for server in ["local:127.0.0.1", "local:localhost:4040", "http://127.0.0.1:4040", "http://[::1]:4040"] {
        assert_eq!(at(server, "join"), [warning], "{server}");
        assert_eq!(at(server, "local"), [""; 0], "{server}");
    }
    assert_eq!(at("local:192.168.1.10", "ssh:tv"), [""; 0]);
}

#[test]
fn a_group_that_a_small_device_may_not_carry_is_warned_of() {
    assert_eq!(warned(&client("phone", "count = 100")), [""; 0]);
    assert_eq!(
        warned(&client("phone", "count = 101")),
        ["phone plays 101 people, each in a thread of its own: a small device may become what is measured"]
    );
}

#[test]
fn what_holds_for_each_of_a_group_is_said_once() {
    let text = "[[client]]\nname = 'desk'\ncount = 3\nrun = ['browsing']\n";
    let warnings = warned(text);
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("browsing on each of desk: a judged time of 1 min"), "{warnings:?}");
}
