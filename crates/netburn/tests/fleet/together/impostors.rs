//! A device whose program claims to be ours and is not: the run ends before it begins, and says why.

use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use netburn::control::frame;
use netburn::control::message::{FromAgent, VERSION};

use super::{Pair, is_alive};
use crate::wait::until;

fn hello(version: u32) -> Vec<u8> {
    let hello = FromAgent::Hello { version, program: "netburn 0.0.1".to_owned(), facts: [].into() };
    frame::encode(&hello).unwrap()
}

/// A run of a device that says `bytes` and then does what `then` says.
fn refuses(bytes: &[u8], then: &str, why: &str) {
    let pair = Pair::with_agent(&format!("cat \"$HERE/words\"; {then}"), "3 s");
    fs::write(pair.beside("words"), bytes).unwrap();
    let run = pair.finish();
    assert_eq!(run.code, Some(4), "{}", run.told);
    let line = run.told.lines().find(|line| line.contains("tv") && line.contains(why));
    assert!(line.is_some(), "'{why}' is not in: {}", run.told);
    assert!(!pair.record().unwrap_or_default().contains("\"event\":\"interval\""), "nobody has begun");
    let agent = pair.agent();
    until("the impostor to end", || (!is_alive(agent)).then_some(()));
}

/// Hears and says nothing until its stream is closed.
const LISTEN: &str = "exec cat >/dev/null";

#[test]
fn an_agent_of_another_version_is_told_apart() {
    refuses(&hello(1), LISTEN, "control messages are version 1");
}

#[test]
fn garbage_instead_of_frames_is_none_of_ours() {
    // The frame has the right length, and no message in it.
    refuses(b"\0\0\0\x05hello", LISTEN, "could not be understood");
}

#[test]
fn half_a_frame_and_the_end_is_a_torn_message() {
    let hello = hello(VERSION);
    refuses(&hello[..hello.len() / 2], "exit 0", "in the middle of a message");
}

#[test]
fn a_frame_that_claims_four_gigabytes_is_not_waited_for() {
    // The first bit says that it is compressed; the others are 2^31 - 1.
    refuses(&[0xff; 4], LISTEN, "a message of 2147483647 bytes");
}

#[test]
fn a_frame_that_unpacks_without_end_is_dropped_where_it_is_too_long() {
    let mut bomb = DeflateEncoder::new(Vec::new(), Compression::best());
    bomb.write_all(&vec![b' '; 64 << 20]).unwrap();
    let bomb = bomb.finish().unwrap();
    let head = (u32::try_from(bomb.len()).unwrap() | 1 << 31).to_be_bytes();
    // 8 MiB and one byte: there is no look at what would follow.
    refuses(&[&head, bomb.as_slice()].concat(), LISTEN, "a message of 8388609 bytes");
}

#[test]
fn an_agent_that_is_done_before_it_was_asked_anything_is_out_of_turn() {
    let done = frame::encode(&FromAgent::Done).unwrap();
    refuses(&done, LISTEN, "spoke before it said hello");
}

#[test]
fn an_agent_that_is_done_before_it_has_a_task_is_out_of_turn() {
    let done = frame::encode(&FromAgent::Done).unwrap();
    refuses(&[hello(VERSION), done].concat(), LISTEN, "out of turn");
}

#[test]
fn an_agent_that_never_says_hello_is_given_up() {
    refuses(b"", LISTEN, "did not say hello within 15 s");
}
