//! `netburn wifi`, where there is none: on loopback, which no kernel drives by radio.

use crate::harness::{netburn, say};

#[test]
fn an_interface_that_is_no_wifi_ends_with_four_and_one_sentence() {
    let said = say(&mut netburn(&["wifi", "--interface", "lo"]));
    assert_eq!((said.code, said.out.as_str(), said.err.lines().count()), (Some(4), "", 1), "{}", said.err);
    assert!(said.err.contains("Wi-Fi"), "{}", said.err);
}

#[test]
fn an_interface_that_is_not_there_is_a_mistake_on_the_command_line() {
    let said = say(&mut netburn(&["wifi", "--interface", "wifi-of-none"]));
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(said.err.contains("wifi-of-none"), "{}", said.err);
}

#[test]
fn a_failure_is_told_as_json_where_that_is_asked() {
    let said = say(&mut netburn(&["wifi", "--interface", "lo", "--json"]));
    let document = said.json();
    assert_eq!((said.code, document["exit_code"].as_u64()), (Some(4), Some(4)));
    assert!(document["error"].as_str().is_some_and(|error| error.contains("Wi-Fi")), "{}", said.out);
}

#[test]
fn a_label_is_explained_without_any_wifi() {
    let said = say(&mut netburn(&["wifi", "explain", "AC2600"]));
    assert_eq!((said.code, said.err.as_str()), (Some(0), ""));
    assert!(said.out.contains("4×4:4") && said.out.contains("866.7 Mbps"), "{}", said.out);
}
