//! One attempt to reach the lobby: TCP, TLS, WebSocket, greeting.

use std::io;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use rustls::pki_types::ServerName;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_tungstenite::tungstenite::{self, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

use super::verifier::client;
use crate::fleet::address::JoinLink;
use crate::fleet::greeting::{Greeting, Refusal, Reply};
use crate::fleet::resume::conversation::bounds;

/// How long an attempt may take in all: some round trips over a loaded network.
const DEADLINE: Duration = Duration::from_secs(5);

/// A connection to the lobby.
pub type Socket = WebSocketStream<TlsStream<TcpStream>>;

/// The lobby has let us in.
#[derive(Debug)]
pub struct Welcome {
    /// The connection; what comes next on it belongs to the conversation.
    pub socket: Socket,
    /// As whom.
    pub name: String,
    /// How far the lobby has heard.
    pub heard: u64,
}

/// Why an attempt failed.
#[derive(Debug, thiserror::Error)]
pub enum Failed {
    /// The machine is there, and nobody listens.
    #[error("nobody listens at {host}: the run may be over, or not started yet")]
    NobodyListens {
        /// Where.
        host: String,
    },
    /// No answer at all.
    #[error("cannot reach {host} ({why}): is this device on the same network, and does no firewall stand in between?")]
    NoAnswer {
        /// Where.
        host: String,
        /// What the system said.
        why: String,
    },
    /// Somebody answers, but not to the end.
    #[error(
        "{host} ended the connection before it let this device in ({why}): is it the netburn of the link? Try again in a minute"
    )]
    Cut {
        /// Where.
        host: String,
        /// What was the matter.
        why: String,
    },
    /// Another certificate than the link's.
    #[error(
        "{host} shows another certificate than the link names: the link is from an earlier run, or somebody stands in \
         between. Nothing was sent to it; ask for the link of the present run"
    )]
    OtherCertificate {
        /// Where.
        host: String,
    },
    /// The lobby knows no such code.
    #[error(
        "the controller does not know this code: it may be mistyped, of an earlier run, or replaced by a newer one"
    )]
    UnknownCode,
    /// The code is known, and yet.
    #[error("{0}")]
    Refused(#[from] Refusal),
}

/// Tries once.
///
/// # Errors
/// Where the lobby cannot be reached, is not the link's, or does not let the device in.
pub async fn dial(link: &JoinLink, greeting: &Greeting) -> Result<Welcome, Failed> {
    let host = || link.host.clone();
    match timeout(DEADLINE, attempt(link, greeting)).await {
        Ok(result) => result,
        Err(_) => Err(Failed::NoAnswer { host: host(), why: format!("no answer for {} s", DEADLINE.as_secs()) }),
    }
}

async fn attempt(link: &JoinLink, greeting: &Greeting) -> Result<Welcome, Failed> {
    let host = || link.host.clone();
    let cut = |why: String| Failed::Cut { host: link.host.clone(), why };
    let stream = TcpStream::connect(&link.host).await.map_err(|error| match error.kind() {
        io::ErrorKind::ConnectionRefused => Failed::NobodyListens { host: host() },
        _ => Failed::NoAnswer { host: host(), why: error.to_string() },
    })?;
    // Messages are small and answered at once: waiting to fill a segment would delay every comparison of clocks.
    stream.set_nodelay(true).map_err(|error| cut(error.to_string()))?;

    let (config, verifier) = client(link.fingerprint).map_err(|error| cut(error.to_string()))?;
    let name = ServerName::try_from("netburn").map_err(|error| cut(error.to_string()))?;
    let stream = TlsConnector::from(config).connect(name, stream).await.map_err(|error| {
        if verifier.other_came() { Failed::OtherCertificate { host: host() } } else { cut(error.to_string()) }
    })?;

    let request = format!("ws://{}/j/{}", link.host, link.code);
    let (mut socket, _) =
        client_async_with_config(request, stream, Some(bounds())).await.map_err(|error| match error {
            tungstenite::Error::Http(reply) if reply.status().as_u16() == 404 => Failed::UnknownCode,
            error => cut(error.to_string()),
        })?;

    let greeting = serde_json::to_string(greeting).map_err(|error| cut(error.to_string()))?;
    socket.send(Message::text(greeting)).await.map_err(|error| cut(error.to_string()))?;
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) => {
                return match serde_json::from_str(&text) {
                    Ok(Reply::Welcome { name, heard }) => Ok(Welcome { socket, name, heard }),
                    Ok(Reply::Refused { refusal }) => Err(refusal.into()),
                    Err(_) => Err(cut("it does not speak as netburn does: take the same version on both".to_owned())),
                };
            }
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
            Some(Ok(_)) | None => return Err(cut("it closed the connection".to_owned())),
            Some(Err(error)) => return Err(cut(error.to_string())),
        }
    }
}
