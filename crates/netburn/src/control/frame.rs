//! Frames: a length of four bytes, most significant first, then that many bytes of JSON.
//!
//! Where the first bit of the length is set, the bytes are a piece of a raw deflate stream (RFC 1951) that all such frames of
//! this direction make up, each ended by a sync flush: an agent's seconds differ in few numbers, and in one stream they
//! take an eighth of the room. What comes out of such a piece has the same bound as any frame.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The longest frame that is taken, in bytes. A plan of 1000 clients with some workloads each and a second of any
/// client's events are below it; a peer that claims more is not ours.
pub const LONGEST: usize = 8 << 20;

/// Set in the length of a frame whose body is compressed.
const COMPRESSED: u32 = 1 << 31;

/// Why a stream cannot be read on.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The peer announced more than [`LONGEST`], or the message to be sent has more.
    #[error("a message of {0} bytes; {LONGEST} is the most")]
    TooLong(u32),
    /// The frame does not hold a message that this version knows.
    #[error("a message could not be understood ({0}): the peer may be another version of netburn")]
    Unknown(#[from] serde_json::Error),
    /// A compressed frame is not a piece of a deflate stream.
    #[error("a message was damaged on its way, or the peer is none of ours")]
    Damaged,
}

/// A message as a frame.
///
/// # Errors
/// Where the message has no JSON form, or is too long.
pub fn encode<M: Serialize>(message: &M) -> Result<Vec<u8>, FrameError> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = checked_length(frame.len() - 4)?;
    frame[..4].copy_from_slice(&length.to_be_bytes());
    Ok(frame)
}

fn checked_length(bytes: usize) -> Result<u32, FrameError> {
    let length = u32::try_from(bytes).unwrap_or(u32::MAX);
    if bytes > LONGEST { Err(FrameError::TooLong(length)) } else { Ok(length) }
}

/// Makes compressed frames, which must be sent in the order in which they were made.
#[derive(Debug)]
pub struct Packer {
    stream: Compress,
}

impl Default for Packer {
    fn default() -> Self {
        Self { stream: Compress::new(Compression::default(), false) }
    }
}

impl Packer {
    /// A message as a compressed frame.
    ///
    /// # Errors
    /// Where the message has no JSON form, or is too long. The stream is as if it had never been asked for it.
    pub fn encode<M: Serialize>(&mut self, message: &M) -> Result<Vec<u8>, FrameError> {
        let json = serde_json::to_vec(message)?;
        checked_length(json.len())?;
        let mut frame = vec![0; 4];
        let begin = self.stream.total_in();
        loop {
            frame.reserve(json.len() / 4 + 64);
            let taken = usize::try_from(self.stream.total_in() - begin).unwrap_or(usize::MAX);
            let rest = json.get(taken..).unwrap_or_default();
            self.stream.compress_vec(rest, &mut frame, FlushCompress::Sync).map_err(|_| FrameError::Damaged)?;
            let all_taken = self.stream.total_in() - begin == json.len() as u64;
            // All of it is out where room was left (zlib's manual on Z_SYNC_FLUSH).
            if all_taken && frame.len() < frame.capacity() {
                break;
            }
        }
        // What cannot be compressed grows by 5 bytes in 16 KiB at most, and no JSON is of that kind.
        let length = checked_length(frame.len() - 4)? | COMPRESSED;
        frame[..4].copy_from_slice(&length.to_be_bytes());
        Ok(frame)
    }
}

/// The other end of a [`Packer`].
#[derive(Debug)]
struct Unpacker {
    stream: Decompress,
}

impl Default for Unpacker {
    fn default() -> Self {
        Self { stream: Decompress::new(false) }
    }
}

impl Unpacker {
    /// What a compressed frame holds; never more than [`LONGEST`].
    fn unpack(&mut self, piece: &[u8]) -> Result<Vec<u8>, FrameError> {
        let mut json: Vec<u8> = Vec::new();
        let begin = self.stream.total_in();
        loop {
            // Twice the room each time, but never room for more than the first byte too many: it is all filled before we look.
            let step = piece.len().saturating_mul(4).clamp(256, 1 << 16).max(json.len());
            json.reserve_exact(step.min((LONGEST + 1).saturating_sub(json.len())));
            let taken = usize::try_from(self.stream.total_in() - begin).unwrap_or(usize::MAX);
            let rest = piece.get(taken..).unwrap_or_default();
            let before = json.len();
            self.stream.decompress_vec(rest, &mut json, FlushDecompress::Sync).map_err(|_| FrameError::Damaged)?;
            checked_length(json.len())?;
            let all_taken = self.stream.total_in() - begin == piece.len() as u64;
            if all_taken && json.len() < json.capacity() {
                return Ok(json);
            }
            let stands_still = json.len() == before && taken as u64 == self.stream.total_in() - begin;
            if stands_still {
                // The stream has an end, which none of ours has.
                return Err(FrameError::Damaged);
            }
        }
    }
}

/// Collects bytes until they make up frames.
#[derive(Debug, Default)]
pub struct Decoder {
    bytes: Vec<u8>,
    unpacker: Unpacker,
}

impl Decoder {
    /// Takes bytes as they come.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole message, if there is one.
    ///
    /// # Errors
    /// Where the stream is not one of ours; it cannot be read on then.
    pub fn poll<M: DeserializeOwned>(&mut self) -> Result<Option<M>, FrameError> {
        let Some((head, rest)) = self.bytes.split_first_chunk::<4>() else { return Ok(None) };
        let head = u32::from_be_bytes(*head);
        let length = head & !COMPRESSED;
        checked_length(length as usize)?;
        let Some(body) = rest.get(..length as usize) else { return Ok(None) };
        let message = if head & COMPRESSED == 0 {
            serde_json::from_slice(body)?
        } else {
            serde_json::from_slice(&self.unpacker.unpack(body)?)?
        };
        self.bytes.drain(..4 + length as usize);
        Ok(Some(message))
    }

    /// Whether bytes of an unfinished frame are left: the peer went away in the middle of one.
    #[must_use]
    pub fn is_torn(&self) -> bool {
        !self.bytes.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_frame_comes_through_in_single_bytes() {
        let frame = encode(&"hello").unwrap();
        assert_eq!(frame, b"\0\0\0\x07\"hello\"");
        let mut decoder = Decoder::default();
        for byte in &frame[..frame.len() - 1] {
            decoder.push(&[*byte]);
            assert!(decoder.poll::<String>().unwrap().is_none());
        }
        assert!(decoder.is_torn());
        decoder.push(b"\"");
        assert_eq!(decoder.poll::<String>().unwrap().as_deref(), Some("hello"));
        assert!(!decoder.is_torn());
    }

    #[test]
    fn a_peer_cannot_make_us_wait_for_four_gigabytes() {
        let mut decoder = Decoder::default();
        decoder.push(b"HTTP/1.1 200 OK");
        assert!(matches!(decoder.poll::<String>(), Err(FrameError::TooLong(0x4854_5450))));
    }

    #[test]
    fn compressed_frames_come_through_in_order_between_plain_ones() {
        let mut packer = Packer::default();
        let mut decoder = Decoder::default();
        // One that does not fit is not part of the stream.
        assert!(matches!(packer.encode(&"x".repeat(LONGEST)), Err(FrameError::TooLong(_))));
        for round in 0..50_usize {
            let (long, plain) = ("second ".repeat(round * 100), format!("plain {round}"));
            decoder.push(&packer.encode(&long).unwrap());
            decoder.push(&encode(&plain).unwrap());
            assert_eq!(decoder.poll::<String>().unwrap().as_ref(), Some(&long));
            assert_eq!(decoder.poll::<String>().unwrap().as_ref(), Some(&plain));
        }
        assert!(!decoder.is_torn());
    }

    #[test]
    fn what_repeats_from_frame_to_frame_costs_next_to_nothing() {
        let mut packer = Packer::default();
        let message = format!("{:?}", (0..200).map(|i| i * i).collect::<Vec<u32>>());
        let (first, second) = (packer.encode(&message).unwrap().len(), packer.encode(&message).unwrap().len());
        // The second one is one long match: some bytes for head and flush.
        assert!(second * 5 < first, "{first} {second}");
    }

    #[test]
    fn a_small_frame_that_would_unpack_to_gigabytes_is_refused() {
        let mut stream = Compress::new(Compression::best(), false);
        let mut bomb = Vec::with_capacity(1 << 20);
        stream.compress_vec(&vec![b' '; 64 << 20], &mut bomb, FlushCompress::Sync).unwrap();
        let mut decoder = Decoder::default();
        decoder.push(&(u32::try_from(bomb.len()).unwrap() | COMPRESSED).to_be_bytes());
        decoder.push(&bomb);
        assert!(matches!(decoder.poll::<String>(), Err(FrameError::TooLong(_))));
        // It is left alone at the first byte that is too many, not once there is no memory left.
        assert_eq!(decoder.unpacker.stream.total_out(), LONGEST as u64 + 1);
    }

    #[test]
    fn a_stream_that_ends_or_is_none_is_damaged() {
        let mut ended = Vec::with_capacity(100);
        Compress::new(Compression::fast(), false).compress_vec(b"\"x\"", &mut ended, FlushCompress::Finish).unwrap();
        for piece in [[ended.as_slice(), b"more"].concat(), vec![0xff; 9]] {
            let mut decoder = Decoder::default();
            decoder.push(&(u32::try_from(piece.len()).unwrap() | COMPRESSED).to_be_bytes());
            decoder.push(&piece);
            assert!(matches!(decoder.poll::<String>(), Err(FrameError::Damaged)));
        }
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_decoder_panic(bytes: Vec<u8>) {
            let mut decoder = Decoder::default();
            decoder.push(&bytes);
            while let Ok(Some(_)) = decoder.poll::<super::super::message::FromAgent>() {}
        }

        #[test]
        fn no_compressed_bytes_make_the_decoder_panic_or_turn_for_ever(bytes: Vec<u8>) {
            let mut decoder = Decoder::default();
            decoder.push(&(u32::try_from(bytes.len()).unwrap() | COMPRESSED).to_be_bytes());
            decoder.push(&bytes);
            while let Ok(Some(_)) = decoder.poll::<super::super::message::FromAgent>() {}
        }
    }
}
