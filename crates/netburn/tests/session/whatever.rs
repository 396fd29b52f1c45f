//! Whatever is said, at any time.

use netburn::control::frame::{Decoder, encode};
use proptest::prelude::*;

use std::collections::BTreeMap;

use burn_model::record::{RunEvent, UsageRecord};
use netburn::control::message::FromAgent;
use netburn::control::session::Attendance;

use crate::household::{Household, MS};

fn message() -> impl Strategy<Value = FromAgent> {
    let event = (0..4_u32, any::<u64>()).prop_map(|(client, second)| {
        RunEvent::Usage(UsageRecord { client, second, driver_cpu: 0.5, machine_cpu: None, resident_bytes: None })
    });
    prop_oneof![
        Just(FromAgent::Done),
        (0..40_u64, any::<u64>()).prop_map(|(id, now_ns)| FromAgent::Reading { id, now_ns }),
        Just(FromAgent::Ready { facts: BTreeMap::new(), server_facts: BTreeMap::new() }),
        ".{0,20}".prop_map(|reason| FromAgent::Refused { reason }),
        prop::collection::vec(event, 0..5).prop_map(|events| FromAgent::Events { events }),
        (any::<u32>(), ".{0,20}").prop_map(|(version, program)| FromAgent::Hello {
            version,
            program,
            facts: BTreeMap::new()
        }),
    ]
}

proptest! {
    /// Messages of any kind at any time: the session comes to an end, and records nothing of another's clients.
    #[test]
    fn the_session_comes_to_its_end(said in prop::collection::vec((0..3_usize, message(), 0..3000_u64), 0..60)) {
        let mut household = Household::of(&[1, 2, 1], 5, Attendance::WhoeverIsThere, &[]);
        for (device, message, after_ms) in said {
            let until = household.now + after_ms * MS;
            household.run_until(until);
            household.now = household.now.max(until);
            household.session.handle_message(device, message, household.now);
            household.settle();
        }
        household.run();
        prop_assert!(household.session.is_over());
    }

    /// Bytes of a valid frame, some of them changed: a message, an error, or not enough; never a panic.
    #[test]
    fn a_changed_frame_is_a_message_an_error_or_too_short(
        message in message(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
    ) {
        let mut frame = encode(&message).unwrap();
        for (at, byte) in changes {
            let at = at.index(frame.len());
            frame[at] = byte;
        }
        let mut decoder = Decoder::default();
        decoder.push(&frame);
        if let Ok(Some(message)) = decoder.poll::<FromAgent>() {
            let mut household = Household::new(1, 5);
            household.session.handle_message(0, message, household.now);
        }
    }
}
