//! One message: where in the stream its bytes stand, and how far the sender has heard.
//!
//! ```text
//! 1 byte    1: the stream ends after these bytes; 0: it goes on
//! 8 bytes   position of the first byte, most significant first
//! 8 bytes   how far the sender has heard the other stream
//! the rest  the bytes, at most PIECE
//! ```

/// The most bytes of a stream in one message.
pub const PIECE: usize = 32 << 10;
/// Bytes before those of the stream.
const HEAD: usize = 17;
/// The most bytes that a message has.
pub const LONGEST_MESSAGE: usize = HEAD + PIECE;

/// A message's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Piece<'a> {
    /// Position of the first byte.
    pub(super) begin: u64,
    /// How far the sender has heard.
    pub(super) heard: u64,
    /// Whether the stream ends after the bytes.
    pub(super) ends: bool,
    /// At most [`PIECE`] of them.
    pub(super) bytes: &'a [u8],
}

impl<'a> Piece<'a> {
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut message = Vec::with_capacity(HEAD + self.bytes.len());
        message.push(u8::from(self.ends));
        message.extend_from_slice(&self.begin.to_be_bytes());
        message.extend_from_slice(&self.heard.to_be_bytes());
        message.extend_from_slice(self.bytes);
        message
    }

    /// `None` where it is no such message.
    pub(super) fn decode(message: &'a [u8]) -> Option<Self> {
        let ([ends @ (0 | 1)], rest) = message.split_first_chunk::<1>()? else { return None };
        let (begin, rest) = rest.split_first_chunk::<8>()?;
        let (heard, bytes) = rest.split_first_chunk::<8>()?;
        (bytes.len() <= PIECE).then_some(Self {
            begin: u64::from_be_bytes(*begin),
            heard: u64::from_be_bytes(*heard),
            ends: *ends == 1,
            bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_as_the_table_above_says() {
        let piece = Piece { begin: 0x0102, heard: 3, ends: true, bytes: b"ab" };
        let message = piece.encode();
        assert_eq!(message, b"\x01\0\0\0\0\0\0\x01\x02\0\0\0\0\0\0\0\x03ab");
        assert_eq!(Piece::decode(&message), Some(piece));
    }

    #[test]
    fn what_is_too_short_or_too_long_or_of_another_kind_is_no_message() {
        assert_eq!(Piece::decode(&[0; HEAD - 1]), None);
        assert!(Piece::decode(&[0; HEAD]).is_some());
        assert!(Piece::decode(&[0; LONGEST_MESSAGE]).is_some());
        assert_eq!(Piece::decode(&[0; LONGEST_MESSAGE + 1]), None);
        assert_eq!(Piece::decode(&[2; HEAD]), None);
    }
}
