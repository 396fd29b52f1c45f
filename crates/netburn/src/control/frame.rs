//! Frames: a length of four bytes, most significant first, then that many bytes of JSON.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The longest frame that is taken, in bytes. A plan of 1000 clients with some workloads each and a second of any
/// client's events are below it; a peer that claims more is not ours.
pub const LONGEST: usize = 8 << 20;

/// Why a stream cannot be read on.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// The peer announced more than [`LONGEST`], or the message to be sent has more.
    #[error("a message of {0} bytes; {LONGEST} is the most")]
    TooLong(u32),
    /// The frame does not hold a message that this version knows.
    #[error("a message could not be understood ({0}): the peer may be another version of netburn")]
    Unknown(#[from] serde_json::Error),
}

/// A message as a frame.
///
/// # Errors
/// Where the message has no JSON form, or is too long.
pub fn encode<M: Serialize>(message: &M) -> Result<Vec<u8>, FrameError> {
    let mut frame = vec![0; 4];
    serde_json::to_writer(&mut frame, message)?;
    let length = u32::try_from(frame.len() - 4).unwrap_or(u32::MAX);
    if length as usize > LONGEST {
        return Err(FrameError::TooLong(length));
    }
    frame[..4].copy_from_slice(&length.to_be_bytes());
    Ok(frame)
}

/// Collects bytes until they make up frames.
#[derive(Debug, Default)]
pub struct Decoder {
    bytes: Vec<u8>,
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
        let length = u32::from_be_bytes(*head);
        if length as usize > LONGEST {
            return Err(FrameError::TooLong(length));
        }
        let Some(body) = rest.get(..length as usize) else { return Ok(None) };
        let message = serde_json::from_slice(body)?;
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

    proptest! {
        #[test]
        fn no_bytes_make_the_decoder_panic(bytes: Vec<u8>) {
            let mut decoder = Decoder::default();
            decoder.push(&bytes);
            while let Ok(Some(_)) = decoder.poll::<super::super::message::FromAgent>() {}
        }
    }
}
