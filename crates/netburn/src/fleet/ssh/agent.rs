//! An agent's stream over SSH.
//!
//! A shell's start files may print what they like before the agent says its first word. So the agent's command prints a line of ours
//! before it becomes the agent, and everything up to that line is dropped.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, ReadBuf};

use super::login::Login;
use super::remote::{AGENT_FOLLOWS, RemoteCommand};
use crate::fleet::link::Link;

/// An agent over SSH may be silent for this long: a loaded or roaming Wi-Fi holds a session up for many seconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// The most that start files may print.
const MOST_NOISE: usize = 256 * 1024;

impl Login {
    /// Starts an agent on the device, with what [`install`](super::install()) says. It ends with the link or with the login.
    ///
    /// # Errors
    /// Where `ssh` cannot be started.
    pub fn link(&self, agent: &RemoteCommand) -> anyhow::Result<Link> {
        let mut link = Link::of_process(self.command(agent), PATIENCE)?;
        link.input = Box::new(AfterNoise::new(link.input));
        Ok(link)
    }
}

/// A stream from [`AGENT_FOLLOWS`] on. One that ends before is empty.
#[derive(Debug)]
struct AfterNoise<R> {
    stream: R,
    /// What was read and not yet handed on.
    kept: Vec<u8>,
    state: State,
}

#[derive(Debug)]
enum State {
    /// So many bytes were dropped so far.
    Searching(usize),
    Found,
}

impl<R> AfterNoise<R> {
    const fn new(stream: R) -> Self {
        Self { stream, kept: Vec::new(), state: State::Searching(0) }
    }
}

impl<R: AsyncRead + Unpin> AsyncRead for AfterNoise<R> {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, out: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let mark = AGENT_FOLLOWS.as_bytes();
        while let State::Searching(dropped) = &mut this.state {
            let mut bytes = [0; 4096];
            let mut more = ReadBuf::new(&mut bytes);
            ready!(Pin::new(&mut this.stream).poll_read(cx, &mut more))?;
            if more.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
            this.kept.extend_from_slice(more.filled());
            if let Some(at) = this.kept.windows(mark.len()).position(|window| window == mark) {
                this.kept.drain(..at + mark.len());
                this.state = State::Found;
            } else {
                // The mark may come in pieces.
                let excess = this.kept.len().saturating_sub(mark.len() - 1);
                this.kept.drain(..excess);
                *dropped += excess;
                if *dropped > MOST_NOISE {
                    let error =
                        "the login there prints without end before it runs anything; look at its shell's start files";
                    return Poll::Ready(Err(io::Error::new(io::ErrorKind::InvalidData, error)));
                }
            }
        }
        if this.kept.is_empty() {
            return Pin::new(&mut this.stream).poll_read(cx, out);
        }
        let n = this.kept.len().min(out.remaining());
        out.put_slice(this.kept.get(..n).unwrap_or_default());
        this.kept.drain(..n);
        Poll::Ready(Ok(()))
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    /// What comes out where these pieces go in, one after the other.
    async fn after(pieces: &[&[u8]]) -> Vec<u8> {
        // So small that each piece is read before the next one fits.
        let (mut inside, outside) = duplex(1);
        let mut out = Vec::new();
        let mut stream = AfterNoise::new(outside);
        let give = async {
            for piece in pieces {
                let _ = inside.write_all(piece).await;
            }
            drop(inside);
        };
        let (_, read) = tokio::join!(give, stream.read_to_end(&mut out));
        read.unwrap();
        out
    }

    #[tokio::test]
    async fn an_agent_is_heard_from_its_first_byte_on_whatever_a_login_prints_before() {
        let heard = after(&[b"Welcome!\nyou have mail", b"\n@netburn@ agent\n", b"\n@netburn@ agent\nhello"]).await;
        assert_eq!(heard, b"\n@netburn@ agent\nhello");
        assert_eq!(after(&[b"\n@netburn@ agent\nx"]).await, b"x");
    }

    #[tokio::test]
    async fn a_login_that_never_comes_to_the_agent_says_nothing() {
        assert_eq!(after(&[b"This account is for file transfer only.\n@netburn@"]).await, b"");
        let endless = vec![b'y'; MOST_NOISE + 100];
        let refused = AfterNoise::new(endless.as_slice()).read_to_end(&mut Vec::new()).await;
        assert_eq!(refused.unwrap_err().kind(), io::ErrorKind::InvalidData);
    }
}
