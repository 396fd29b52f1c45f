//! What a URL gives: learned once, and required of every reply after.

use std::net::SocketAddr;
use std::time::Duration;

use super::exchange::{Exchange, ExchangeError};
use super::request;
use super::resolve::{ResolveError, resolve_url};
use super::target::{RequestKind, Target, TargetError};

/// A URL cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// It does not lead to an address.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// It cannot be asked for.
    #[error("the URL is unusable: {0}")]
    Target(#[from] TargetError),
    /// Its server did not answer.
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
    /// It leads elsewhere.
    #[error(
        "{address} answers with status {status} and sends on to '{location}': redirects are not followed, give that URL itself"
    )]
    Redirect {
        /// Where.
        address: SocketAddr,
        /// The status.
        status: u16,
        /// Where it sends on to.
        location: String,
    },
    /// It gives an error.
    #[error("{address} answers with status {status}: give a URL that succeeds")]
    Status {
        /// Where.
        address: SocketAddr,
        /// The status.
        status: u16,
    },
    /// Its size is not told, so nobody could tell whether a reply is whole.
    #[error("{address} does not say how large the reply is (no Content-Length): give the URL of a plain file")]
    NoLength {
        /// Where.
        address: SocketAddr,
    },
    /// It gives nothing.
    #[error("{address} gives an empty reply: give the URL of a file with something in it")]
    Empty {
        /// Where.
        address: SocketAddr,
    },
}

/// Fetches a URL (`http://HOST[:PORT]/PATH`) for the first time, as far as its head, to learn the status and the size that
/// every later reply must have; both stand in the target's [`RequestKind::Url`].
///
/// Blocks for `timeout` at most, and for the time a name takes to resolve.
///
/// # Errors
/// Where the URL cannot be reached in time, or its reply is not one that can be measured: an error, a redirect, or of
/// unknown size.
pub fn learn_url(url: &str, timeout: Duration) -> Result<Target, LearnError> {
    let (address, host, path) = resolve_url(url)?;
    let mut target = Target { address, host, request: RequestKind::Url { path: path.clone(), status: 0, bytes: 0 } };
    target.check()?;
    let head = Exchange::connect(address, timeout)?.ask(&request::for_url(&target.host, &path))?;
    let status = head.status;
    if (300..400).contains(&status) {
        let location: String =
            head.field("location").unwrap_or("nowhere").chars().filter(|c| !c.is_control()).take(256).collect();
        return Err(LearnError::Redirect { address, status, location });
    }
    if !(200..300).contains(&status) {
        return Err(LearnError::Status { address, status });
    }
    let bytes = head.content_length().ok_or(LearnError::NoLength { address })?;
    if bytes == 0 {
        return Err(LearnError::Empty { address });
    }
    target.request = RequestKind::Url { path, status, bytes };
    Ok(target)
}
