//! Attributes: type, length, value, one after the other, and some within others.

use super::split_padded;

/// The two top bits of a type are marks (`NLA_F_NESTED`, `NLA_F_NET_BYTEORDER`), the rest is the type.
const TYPE_MASK: u16 = 0x3fff;
/// Octets of `struct nlattr`: length, then type.
const HEADER: usize = 4;

/// A sequence of attributes. What comes after a broken one cannot be told and is left.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Attributes<'a>(&'a [u8]);

impl<'a> Attributes<'a> {
    pub(crate) const fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The value of the attribute of type `kind`. Of several, the last: the kernel's own parser does the same.
    pub(crate) fn value(self, kind: u16) -> Option<&'a [u8]> {
        self.filter(|(found, _)| *found == kind).last().map(|(_, value)| value)
    }

    /// A value that has exactly `N` octets; any other length is not the number that is asked for.
    fn octets<const N: usize>(self, kind: u16) -> Option<[u8; N]> {
        self.value(kind)?.try_into().ok()
    }

    pub(crate) fn u8(self, kind: u16) -> Option<u8> {
        self.octets(kind).map(u8::from_ne_bytes)
    }

    pub(crate) fn i8(self, kind: u16) -> Option<i8> {
        self.octets(kind).map(i8::from_ne_bytes)
    }

    pub(crate) fn u16(self, kind: u16) -> Option<u16> {
        self.octets(kind).map(u16::from_ne_bytes)
    }

    pub(crate) fn u32(self, kind: u16) -> Option<u32> {
        self.octets(kind).map(u32::from_ne_bytes)
    }

    pub(crate) fn i32(self, kind: u16) -> Option<i32> {
        self.octets(kind).map(i32::from_ne_bytes)
    }

    pub(crate) fn u64(self, kind: u16) -> Option<u64> {
        self.octets(kind).map(u64::from_ne_bytes)
    }

    /// Whether the attribute is there: a flag has no value.
    pub(crate) fn has(self, kind: u16) -> bool {
        self.value(kind).is_some()
    }

    /// Attributes within an attribute.
    pub(crate) fn nested(self, kind: u16) -> Option<Self> {
        self.value(kind).map(Self)
    }

    /// A text that ends with a zero, or with the value.
    pub(crate) fn text(self, kind: u16) -> Option<&'a str> {
        let value = self.value(kind)?;
        std::str::from_utf8(value.split(|octet| *octet == 0).next()?).ok()
    }
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (u16, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let ([a, b, c, d], _) = self.0.split_first_chunk::<HEADER>()?;
        let length = usize::from(u16::from_ne_bytes([*a, *b]));
        let kind = u16::from_ne_bytes([*c, *d]) & TYPE_MASK;
        // A length below the header's own makes `get` of the value fail, so that no broken length can stand still.
        let Some((value, rest)) =
            split_padded(self.0, length).and_then(|(whole, rest)| Some((whole.get(HEADER..)?, rest)))
        else {
            self.0 = &[];
            return None;
        };
        self.0 = rest;
        Some((kind, value))
    }
}
