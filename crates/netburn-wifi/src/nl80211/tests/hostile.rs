//! Bytes that no kernel would send: nothing panics, nothing stands still, nothing is made up.

use proptest::collection::vec;
use proptest::prelude::{any, proptest};

use super::compose::{attr, generic, i8, nested, only, u8, u32};
use crate::netlink::{Attributes, Message, Messages};
use crate::nl80211::{AssociatedBss, Family, Interface, Peer, event};

/// Everything that may be read from attributes.
fn read_all(attributes: Attributes<'_>) {
    let _ = Family::read(attributes);
    let interface = Interface::read(attributes);
    let bss = AssociatedBss::read(attributes);
    let _ = bss.as_ref().map(AssociatedBss::beacon);
    if let (Some(peer), Some(interface)) = (Peer::read(attributes), &interface) {
        let _ = peer.connected_to(interface, bss.as_ref());
    }
    for command in 0..=u8::MAX {
        let _ = event(command, attributes, 4);
    }
}

/// A whole station message, for tests that cut and bend it.
fn whole() -> Vec<u8> {
    let rate = nested(8, &[u32(5, 8667), u8(6, 9), u8(7, 2)]);
    generic(19, 2, &[u32(3, 4), attr(6, &[2, 0, 0, 0, 1, 0]), nested(21, &[i8(7, -52), rate])])
}

#[test]
fn of_an_attribute_that_comes_twice_the_last_counts() {
    let octets = [u32(3, 4), u32(3, 5)].concat();
    assert_eq!(Attributes::new(&octets).u32(3), Some(5));
}

#[test]
fn a_number_of_another_length_is_not_read() {
    let octets = [attr(3, &[1, 2, 3]), attr(7, &[1, 2]), attr(5, &[0; 8])].concat();
    let attributes = Attributes::new(&octets);
    assert_eq!((attributes.u32(3), attributes.i8(7), attributes.u32(5)), (None, None, None));
}

#[test]
fn what_comes_after_a_broken_attribute_is_left() {
    for length in [0_u16, 3, 200] {
        let broken = [length.to_ne_bytes(), 9_u16.to_ne_bytes()].concat();
        let octets = [u32(3, 4), broken, u32(3, 5)].concat();
        assert_eq!(Attributes::new(&octets).u32(3), Some(4), "length {length}");
    }
}

#[test]
fn a_message_that_is_cut_anywhere_is_none() {
    let whole = whole();
    assert!(Peer::read(only(&whole).1).is_some());
    for length in 0..whole.len() {
        let cut = whole.get(..length).expect("shorter");
        assert!(Messages::new(cut).next().is_none(), "{length} octets");
    }
}

#[test]
fn a_message_that_claims_less_than_its_header_ends_the_datagram() {
    let mut datagram = whole();
    datagram.splice(..4, 15_u32.to_ne_bytes());
    assert!(Messages::new(&datagram).next().is_none());
}

proptest! {
    #[test]
    fn any_datagram_is_read_to_its_end(datagram in vec(any::<u8>(), 0..512)) {
        for message in Messages::new(&datagram) {
            if let Message::Generic { attributes, .. } = message {
                read_all(attributes);
            }
        }
    }

    #[test]
    fn any_attributes_are_read_to_their_end(octets in vec(any::<u8>(), 0..512)) {
        read_all(Attributes::new(&octets));
    }

    #[test]
    fn a_message_bent_anywhere_is_read_to_its_end(at in 0..whole().len(), octet in any::<u8>()) {
        let mut bent = whole();
        bent.splice(at..=at, [octet]);
        for message in Messages::new(&bent) {
            if let Message::Generic { attributes, .. } = message {
                read_all(attributes);
            }
        }
    }

    #[test]
    fn attributes_of_known_types_with_any_values_are_read(
        parts in vec((0_u16..170, vec(any::<u8>(), 0..40)), 0..12),
        info in vec((0_u16..30, vec(any::<u8>(), 0..24)), 0..12),
        bss in vec((0_u16..24, vec(any::<u8>(), 0..80)), 0..12),
    ) {
        let compose = |parts: Vec<(u16, Vec<u8>)>| parts.iter().map(|(kind, value)| attr(*kind, value)).collect::<Vec<_>>();
        let mut octets = compose(parts).concat();
        octets.extend(nested(21, &compose(info)));
        octets.extend(nested(47, &compose(bss)));
        read_all(Attributes::new(&octets));
    }
}
