//! Requests to the kernel.

use super::ALIGN;

/// `NLM_F_REQUEST`.
const REQUEST: u16 = 0x1;
/// `NLM_F_ACK`: say when it is done, also where there is no answer.
const ACKNOWLEDGE: u16 = 0x4;
/// `NLM_F_DUMP`: list all that there are.
const DUMP: u16 = 0x300;
/// Octets of `struct nlmsghdr`.
const HEADER: u32 = 16;

/// A request to a generic netlink family, built from the front.
#[derive(Debug)]
pub(crate) struct Request {
    kind: u16,
    flags: u16,
    /// The generic header and the attributes.
    payload: Vec<u8>,
}

impl Request {
    /// About one thing.
    pub(crate) fn get(family: u16, command: u8) -> Self {
        Self::new(family, command, REQUEST | ACKNOWLEDGE)
    }

    /// About all that there are.
    pub(crate) fn list(family: u16, command: u8) -> Self {
        Self::new(family, command, REQUEST | DUMP)
    }

    fn new(family: u16, command: u8, flags: u16) -> Self {
        // Version 1 of the family's own protocol; nl80211 has had no other.
        Self { kind: family, flags, payload: vec![command, 1, 0, 0] }
    }

    pub(crate) fn u32(self, attribute: u16, value: u32) -> Self {
        self.attribute(attribute, &value.to_ne_bytes())
    }

    /// A name, with the zero that ends it. Names are ours and short.
    pub(crate) fn text(self, attribute: u16, value: &str) -> Self {
        let mut octets = value.as_bytes().to_vec();
        octets.push(0);
        self.attribute(attribute, &octets)
    }

    fn attribute(mut self, attribute: u16, value: &[u8]) -> Self {
        let length = u16::try_from(value.len() + 4).unwrap_or(u16::MAX);
        self.payload.extend_from_slice(&length.to_ne_bytes());
        self.payload.extend_from_slice(&attribute.to_ne_bytes());
        self.payload.extend_from_slice(value);
        self.payload.resize(self.payload.len().next_multiple_of(ALIGN), 0);
        self
    }

    /// The whole message; the kernel fills in the sender's port.
    pub(crate) fn with_sequence(&self, sequence: u32) -> Vec<u8> {
        let length = HEADER.saturating_add(u32::try_from(self.payload.len()).unwrap_or(u32::MAX));
        let mut bytes = Vec::with_capacity(16 + self.payload.len());
        bytes.extend_from_slice(&length.to_ne_bytes());
        bytes.extend_from_slice(&self.kind.to_ne_bytes());
        bytes.extend_from_slice(&self.flags.to_ne_bytes());
        bytes.extend_from_slice(&sequence.to_ne_bytes());
        bytes.extend_from_slice(&0_u32.to_ne_bytes());
        bytes.extend_from_slice(&self.payload);
        bytes
    }
}
