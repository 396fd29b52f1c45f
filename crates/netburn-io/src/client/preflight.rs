//! Is the server there, and is it ours? Asked before any load.

use std::net::SocketAddr;
use std::time::Duration;

use crate::protocol::{HELLO_PATH, Hello, RUN_HEADER, RunToken, VERSION};

use super::exchange::{Exchange, ExchangeError, Head};
use super::request;
use super::target::{RequestKind, Target, TargetError};

/// Bytes of a greeting at most.
const MAX_HELLO: usize = 64 * 1024;

/// A server cannot serve the run.
#[derive(Debug, thiserror::Error)]
pub enum PreflightError {
    /// It did not answer.
    #[error(transparent)]
    Exchange(#[from] ExchangeError),
    /// The target cannot be asked for.
    #[error("the server is unusable: {0}")]
    Target(#[from] TargetError),
    /// Somebody else answered.
    #[error(
        "{address} answers, but it is not a netburn server ({seen}): \
         is it another web server, or the login page of a captive portal? Use --url to measure any web server"
    )]
    NotOurs {
        /// Where.
        address: SocketAddr,
        /// What gave it away.
        seen: String,
    },
    /// It is ours, but refused.
    #[error("the server at {address} could not answer now (status {status}): too many others may be asking")]
    Refused {
        /// Where.
        address: SocketAddr,
        /// Its status.
        status: u16,
    },
    /// It speaks another version.
    #[error(
        "{address} is {program}, which speaks version {theirs} of netburn's protocol; this program speaks version {VERSION}: bring both to the same release"
    )]
    OtherVersion {
        /// Where.
        address: SocketAddr,
        /// What it calls itself.
        program: String,
        /// Its version of the protocol.
        theirs: u32,
    },
    /// The target is a URL: there is nobody to greet.
    #[error("a URL has no netburn server to greet")]
    NotAServer,
}

/// Greets a netburn server: reaches it, sees that it gives the token back, and that both speak the same version.
///
/// Blocks for `timeout` at most.
///
/// # Errors
/// Where the server cannot be reached in time, or is not one that can serve this run.
pub fn preflight(target: &Target, timeout: Duration) -> Result<Hello, PreflightError> {
    target.check()?;
    let RequestKind::Generated { token } = target.request else { return Err(PreflightError::NotAServer) };
    let mut exchange = Exchange::connect(target.address, timeout)?;
    greet(&mut exchange, target, token)
}

/// One greeting on a connection.
pub(crate) fn greet(exchange: &mut Exchange, target: &Target, token: RunToken) -> Result<Hello, PreflightError> {
    let address = target.address;
    let head = exchange.ask(&request::for_path(target, HELLO_PATH, token, None))?;
    let body = proven_body(exchange, &head, address, token, MAX_HELLO)?;
    // The version is read first: another version's greeting may have another form.
    #[derive(serde::Deserialize)]
    struct Version {
        protocol: u32,
        #[serde(default)]
        program: String,
    }
    let not_ours = |what: &str| PreflightError::NotOurs { address, seen: what.to_owned() };
    let version: Version = serde_json::from_slice(&body).map_err(|_| not_ours("its greeting cannot be read"))?;
    if version.protocol != VERSION {
        let program = version.program.chars().filter(|c| !c.is_control()).take(64).collect();
        return Err(PreflightError::OtherVersion { address, program, theirs: version.protocol });
    }
    serde_json::from_slice(&body).map_err(|_| not_ours("its greeting cannot be read"))
}

/// The body of an answer that proves to come from our server.
pub(crate) fn proven_body(
    exchange: &mut Exchange,
    head: &Head,
    address: SocketAddr,
    token: RunToken,
    most: usize,
) -> Result<Vec<u8>, PreflightError> {
    let not_ours = |seen: String| PreflightError::NotOurs { address, seen };
    let is_ours = head.field(RUN_HEADER).and_then(|field| field.parse().ok()) == Some(token);
    if head.status == 503 && is_ours {
        return Err(PreflightError::Refused { address, status: head.status });
    }
    if head.status != 200 {
        return Err(not_ours(format!("status {}", head.status)));
    }
    if !is_ours {
        return Err(not_ours("it does not give the run's token back".to_owned()));
    }
    let length = head.content_length().ok_or_else(|| exchange.not_understood("without the length of its answer"))?;
    Ok(exchange.body(length, most)?)
}
