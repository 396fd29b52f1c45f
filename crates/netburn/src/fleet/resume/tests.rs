//! Two ends in virtual time, and a connection that is lost at any moment.

use proptest::prelude::*;

use super::*;

const MS: u64 = 1_000_000;

/// Both ends, and what is under way between them on the present connection.
#[derive(Default)]
struct Pair {
    near: Resumable,
    far: Resumable,
    to_far: VecDeque<Vec<u8>>,
    to_near: VecDeque<Vec<u8>>,
    heard_far: Vec<u8>,
    heard_near: Vec<u8>,
    now: u64,
}

impl Pair {
    fn send(&mut self) {
        while let Some(message) = self.near.poll_message(self.now) {
            self.to_far.push_back(message);
        }
        while let Some(message) = self.far.poll_message(self.now) {
            self.to_near.push_back(message);
        }
    }

    /// The first `to_far` and `to_near` messages that are under way arrive, the rest is lost, and the ends find each other.
    fn cut(&mut self, to_far: usize, to_near: usize) {
        self.arrive(to_far, to_near);
        self.to_far.clear();
        self.to_near.clear();
        let (near, far) = (self.near.heard(), self.far.heard());
        self.near.connected(far).unwrap();
        self.far.connected(near).unwrap();
    }

    fn arrive(&mut self, to_far: usize, to_near: usize) {
        for message in self.to_far.drain(..to_far.min(self.to_far.len())) {
            self.heard_far.extend_from_slice(self.far.handle_message(&message, self.now).unwrap().bytes);
        }
        for message in self.to_near.drain(..to_near.min(self.to_near.len())) {
            self.heard_near.extend_from_slice(self.near.handle_message(&message, self.now).unwrap().bytes);
        }
    }

    /// Until nothing is under way and nothing is due.
    fn settle(&mut self) {
        loop {
            self.send();
            if self.to_far.is_empty() && self.to_near.is_empty() {
                match self.near.poll_timeout().into_iter().chain(self.far.poll_timeout()).min() {
                    Some(at) => self.now = self.now.max(at),
                    None => return,
                }
            }
            self.arrive(usize::MAX, usize::MAX);
        }
    }
}

#[test]
fn what_was_lost_with_a_connection_is_said_again_and_what_was_not_is_not() {
    let mut pair = Pair::default();
    pair.near.say(b"one");
    pair.send();
    pair.near.say(b"two");
    pair.send();
    // The first arrives; the second and every acknowledgement are lost.
    pair.cut(1, 0);
    let again = pair.near.poll_message(pair.now).unwrap();
    assert_eq!(&again[17..], b"two");
    assert_eq!(pair.near.poll_message(pair.now), None);
    assert_eq!(pair.far.handle_message(&again, 0).unwrap().bytes, b"two");
    assert_eq!(pair.far.handle_message(&again, 0).unwrap().bytes, b"", "the same message twice brings nothing");
}

#[test]
fn an_acknowledgement_waits_40_ms_for_something_to_travel_with() {
    let mut pair = Pair::default();
    pair.near.say(b"x");
    pair.send();
    pair.arrive(1, 0);
    assert_eq!((pair.far.poll_message(39 * MS), pair.far.poll_timeout()), (None, Some(40 * MS)));
    pair.far.say(b"y");
    let reply = pair.far.poll_message(39 * MS).unwrap();
    assert_eq!(reply[9..17], 1_u64.to_be_bytes(), "it tells that one byte was heard");
    assert_eq!((pair.far.poll_timeout(), pair.far.poll_message(u64::MAX)), (None, None), "and that is told once");
}

#[test]
fn room_comes_back_with_acknowledgements_alone() {
    let mut near = Resumable::default();
    assert_eq!(near.say(&vec![7; ROOM + 5]), ROOM);
    assert_eq!((near.room(), near.say(b"x")), (0, 0));
    while near.poll_message(0).is_some() {}
    assert_eq!(near.room(), 0, "sent is not heard");
    let heard = Piece { begin: 0, heard: 100, ends: false, bytes: b"" }.encode();
    near.handle_message(&heard, 0).unwrap();
    assert_eq!(near.room(), 100);
}

#[test]
fn both_ends_know_when_all_is_over() {
    let mut pair = Pair::default();
    pair.near.say(b"bye");
    pair.near.finish();
    assert_eq!(pair.near.say(b"more"), 0, "nothing is said after the end");
    pair.settle();
    assert!(!pair.near.is_over() && !pair.far.is_over(), "the other may still speak");
    pair.far.say(b"good night");
    pair.far.finish();
    pair.send();
    // Both ends of the stream and the last words are lost once.
    pair.cut(0, 0);
    pair.settle();
    assert!(pair.near.is_over() && pair.far.is_over());
    assert_eq!((pair.heard_far, pair.heard_near), (b"bye".to_vec(), b"good night".to_vec()));
}

#[test]
fn a_peer_that_contradicts_itself_is_broken_and_not_believed() {
    let message = |begin, heard, ends, bytes: &[u8]| Piece { begin, heard, ends, bytes }.encode();
    let mut near = Resumable::default();
    assert_eq!(near.handle_message(&message(1, 0, false, b"x"), 0), Err(Broken::Gap { begin: 1, heard: 0 }));
    let impossible = Broken::Impossible { claimed: 1, acknowledged: 0, said: 0 };
    assert_eq!(near.handle_message(&message(0, 1, false, b"x"), 0), Err(impossible));
    assert_eq!(near.connected(1), Err(impossible));
    assert!(near.handle_message(&message(0, 0, true, b"x"), 0).unwrap().ended);
    assert_eq!(near.handle_message(&message(1, 0, false, b"yz"), 0), Err(Broken::AfterEnd));
    assert_eq!(near.handle_message(b"GET / HTTP/1.1\r\n", 0), Err(Broken::Malformed(16)));
    assert_eq!(near.heard(), 2, "one byte and the end");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn every_byte_arrives_once_and_in_order_whenever_the_connection_is_lost(
        steps in prop::collection::vec((0..3 * PIECE, 0..2 * PIECE, 0..6_usize, 0..6_usize, any::<bool>()), 1..12),
    ) {
        let (mut pair, mut near_said, mut far_said) = (Pair::default(), Vec::new(), Vec::new());
        for (step, (from_near, from_far, to_far, to_near, cut)) in (0_u8..).zip(steps) {
            // Each step's bytes differ, and no two neighbours are alike.
            let bytes = |n: usize| -> Vec<u8> { (0..=250).cycle().take(n).map(|byte: u8| byte ^ step).collect() };
            near_said.extend(bytes(from_near));
            far_said.extend(bytes(from_far));
            pair.near.say(&bytes(from_near));
            pair.far.say(&bytes(from_far));
            pair.now += 30 * MS;
            pair.send();
            if cut { pair.cut(to_far, to_near) } else { pair.arrive(to_far, to_near) }
        }
        pair.near.finish();
        pair.far.finish();
        pair.settle();
        prop_assert!(pair.heard_far == near_said && pair.heard_near == far_said);
        prop_assert!(pair.near.is_over() && pair.far.is_over());
        prop_assert!(pair.near.kept.is_empty() && pair.far.kept.is_empty());
    }

    #[test]
    fn no_message_makes_an_end_panic_or_keep_more(messages: Vec<Vec<u8>>, ends: bool) {
        let mut near = Resumable::default();
        near.say(b"something");
        while near.poll_message(0).is_some() {}
        if ends { near.finish() }
        for message in messages {
            let _ = near.handle_message(&message, 0);
        }
        prop_assert!(near.kept.len() <= 9);
    }
}
