//! What our client and our server say to each other: plain HTTP/1.1, so that any middlebox lets it pass.
//!
//! | request | reply |
//! |---|---|
//! | `GET /netburn/v1/hello` | [`Hello`] as JSON |
//! | `GET /netburn/v1/bytes/N` | `N` incompressible bytes, different for each request |
//! | `GET /netburn/v1/witness` | [`Witness`] of the run whose token the request carries, as JSON |
//!
//! Every request carries the run's token, and every reply gives it back: no captive portal does that.

use std::fmt;
use std::str::FromStr;

use burn_model::record::ConnectionsRecord;
use serde::{Deserialize, Serialize};

/// The version of what is said here.
pub const VERSION: u32 = 1;
/// Path of the greeting.
pub const HELLO_PATH: &str = "/netburn/v1/hello";
/// Path of a payload, before its size in bytes, in decimal.
pub const BYTES_PATH: &str = "/netburn/v1/bytes/";
/// Path of the server's account of a run: of one client's applications where the request names one of them
/// ([`APPLICATION_HEADER`]), else of all.
pub const WITNESS_PATH: &str = "/netburn/v1/witness";
/// The run's token, in requests and replies.
pub const RUN_HEADER: &str = "Netburn-Run";
/// Whose request it is, in requests: [`Label`].
pub const APPLICATION_HEADER: &str = "Netburn-Application";
/// In replies: nanoseconds from the request's arrival in the server's kernel (from its parsing, where the kernel does not
/// tell) to the reply's hand-over to the kernel. What stands here ends with the first write, which carries the whole
/// of a small reply; how fast the rest of a large one goes is the network's doing, or shows in the witness.
pub const SERVER_TIME_HEADER: &str = "Netburn-Server-Time";

/// Proves that one server answers one run: 128 random bits, written as 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunToken(u128);

impl RunToken {
    /// A token of these bits, which should be random.
    #[must_use]
    pub const fn from_bits(bits: u128) -> Self {
        Self(bits)
    }
}

impl fmt::Display for RunToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl fmt::Debug for RunToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text is not a run token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a run token is 32 hexadecimal digits")]
pub struct TokenError;

impl FromStr for RunToken {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Self, TokenError> {
        if text.len() != 32 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(TokenError);
        }
        u128::from_str_radix(text, 16).map(Self).map_err(|_| TokenError)
    }
}

impl TryFrom<String> for RunToken {
    type Error = TokenError;

    fn try_from(text: String) -> Result<Self, TokenError> {
        text.parse()
    }
}

impl From<RunToken> for String {
    fn from(token: RunToken) -> Self {
        token.to_string()
    }
}

/// Whose request it is: `CLIENT.POPULATION`, both as indexes into the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Label {
    /// Index into the plan's clients.
    pub client: u32,
    /// Index into the client's populations.
    pub population: u32,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.client, self.population)
    }
}

impl FromStr for Label {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (client, population) = text.split_once('.').unwrap_or((text, ""));
        Ok(Self { client: client.parse()?, population: population.parse()? })
    }
}

/// A server's greeting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hello {
    /// Program and version, for people: `netburn 0.1.0`.
    pub program: String,
    /// [`VERSION`] of the server.
    pub protocol: u32,
    /// The server's monotonic clock when it wrote this, in nanoseconds; its zero means nothing.
    pub now_ns: u64,
    /// The most bytes of one reply.
    pub max_reply_bytes: u64,
    /// The most connections at once.
    pub max_connections: u32,
    /// What is known of the server's host; keys as in the run file's environment.
    pub environment: std::collections::BTreeMap<String, String>,
}

/// A server's account of one run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Witness {
    /// The server's monotonic clock when it wrote this, in nanoseconds.
    pub now_ns: u64,
    /// Each second of each application, as far as the server's memory goes back. A second in which nothing at all happened
    /// is left out; the last one may be short, for it ends when this was written.
    pub applications: Vec<ApplicationSecond>,
    /// Each second of the server's own effort while the run was known to it; the last one may be short.
    pub server: Vec<ServerSecond>,
    /// How many seconds the server had to forget, to bound its memory.
    pub forgotten: u64,
}

/// What the server did for one application in one second (or the part of one that is over).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApplicationSecond {
    /// Whose.
    pub label: Label,
    /// From when, by the server's monotonic clock.
    pub from_ns: u64,
    /// Until when.
    pub to_ns: u64,
    /// Replies with payload begun, those to HEAD included.
    pub replies: u64,
    /// Payload bytes handed to the kernel.
    pub bytes: u64,
    /// `tcpi_busy_time`, over all connections of the application, in nanoseconds.
    pub busy_ns: u64,
    /// `tcpi_rwnd_limited`, likewise.
    pub rwnd_limited_ns: u64,
    /// `tcpi_sndbuf_limited`, likewise.
    pub sndbuf_limited_ns: u64,
    /// What else `TCP_INFO` says of the connections that the application held when the second ended. Servers before 0.2
    /// do not tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connections: Option<ConnectionsRecord>,
}

/// The server's own effort in one second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ServerSecond {
    /// From when, by the server's monotonic clock.
    pub from_ns: u64,
    /// Until when.
    pub to_ns: u64,
    /// Processor time of the busiest thread, as a share of one core.
    pub busiest_thread_cpu: f64,
    /// Busy share of all the machine's cores together, where it can be known.
    pub machine_cpu: Option<f64>,
    /// The latest wake-up of a timer of the server's own, beyond the millisecond that such timers are coarse.
    pub longest_pause_ns: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_and_labels_survive_the_wire_and_nothing_else_does() {
        let token = RunToken::from_bits(0xabc);
        assert_eq!(token.to_string().parse(), Ok(token));
        for text in ["", "abc", "+0000000000000000000000000000abc", &"f".repeat(33)] {
            assert!(text.parse::<RunToken>().is_err(), "{text:?}");
        }
        assert_eq!("3.1".parse(), Ok(Label { client: 3, population: 1 }));
        for text in ["", "3", "3.", ".1", "3.1.2", "-1.0"] {
            assert!(text.parse::<Label>().is_err(), "{text:?}");
        }
    }
}
