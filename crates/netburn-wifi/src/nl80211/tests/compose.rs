//! Puts messages together from their parts, in the machine's own byte order.

use crate::netlink::{Attributes, Message, Messages};

/// The number that nl80211 has in these messages: any from 0x10 on may be.
pub(super) const FAMILY: u16 = 0x1c;

/// `struct nlattr` and its value, padded to four octets.
pub(super) fn attr(kind: u16, value: &[u8]) -> Vec<u8> {
    let length = u16::try_from(4 + value.len()).expect("short");
    let mut octets = [length.to_ne_bytes(), kind.to_ne_bytes()].concat();
    octets.extend_from_slice(value);
    while octets.len() % 4 != 0 {
        octets.push(0);
    }
    octets
}

/// An attribute that holds others, with `NLA_F_NESTED` (0x8000) set, as newer kernels do.
pub(super) fn nested(kind: u16, parts: &[Vec<u8>]) -> Vec<u8> {
    attr(kind | 0x8000, &parts.concat())
}

pub(super) fn flag(kind: u16) -> Vec<u8> {
    attr(kind, &[])
}

pub(super) fn u8(kind: u16, value: u8) -> Vec<u8> {
    attr(kind, &[value])
}

/// A signed octet: signals are sent so.
pub(super) fn i8(kind: u16, value: i8) -> Vec<u8> {
    attr(kind, &value.to_ne_bytes())
}

pub(super) fn u16(kind: u16, value: u16) -> Vec<u8> {
    attr(kind, &value.to_ne_bytes())
}

pub(super) fn u32(kind: u16, value: u32) -> Vec<u8> {
    attr(kind, &value.to_ne_bytes())
}

pub(super) fn u64(kind: u16, value: u64) -> Vec<u8> {
    attr(kind, &value.to_ne_bytes())
}

/// `struct nlmsghdr` and what it is about. Flags: `NLM_F_MULTI` (2).
pub(super) fn message(kind: u16, sequence: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(16 + payload.len()).expect("short");
    let mut octets = length.to_ne_bytes().to_vec();
    octets.extend_from_slice(&kind.to_ne_bytes());
    octets.extend_from_slice(&2_u16.to_ne_bytes());
    octets.extend_from_slice(&sequence.to_ne_bytes());
    octets.extend_from_slice(&0_u32.to_ne_bytes());
    octets.extend_from_slice(payload);
    octets
}

/// `struct genlmsghdr` (command, version 1, reserved) and attributes, in a message of nl80211.
pub(super) fn generic(command: u8, sequence: u32, attributes: &[Vec<u8>]) -> Vec<u8> {
    let mut payload = vec![command, 1, 0, 0];
    payload.extend_from_slice(&attributes.concat());
    message(FAMILY, sequence, &payload)
}

/// Command and attributes of the only message in a datagram.
pub(super) fn only(datagram: &[u8]) -> (u8, Attributes<'_>) {
    let mut messages = Messages::new(datagram);
    let Some(Message::Generic { family: FAMILY, command, attributes, .. }) = messages.next() else {
        panic!("one message of nl80211");
    };
    assert!(messages.next().is_none(), "only one");
    (command, attributes)
}
