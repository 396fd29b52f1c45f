//! Netlink as bytes: messages in a datagram, attributes in a message. No socket here.
//!
//! Layout: the kernel's `include/uapi/linux/netlink.h` and `genetlink.h`. Numbers are in the machine's own byte order.

mod attribute;
mod message;
mod request;

pub(crate) use attribute::Attributes;
pub(crate) use message::{Message, Messages};
pub(crate) use request::Request;

/// Lengths are rounded up to this (`NLMSG_ALIGNTO`, `NLA_ALIGNTO`).
const ALIGN: usize = 4;

/// Splits off a piece of `length` octets and the padding after it. The last piece of a buffer may come without its padding.
fn split_padded(bytes: &[u8], length: usize) -> Option<(&[u8], &[u8])> {
    let piece = bytes.get(..length)?;
    let rest = bytes.get(length.checked_next_multiple_of(ALIGN)?..).unwrap_or_default();
    Some((piece, rest))
}
