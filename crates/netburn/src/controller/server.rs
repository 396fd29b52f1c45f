//! The back-end server as a child process, where a scenario wants one of its own.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::fd::OwnedFd;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use netburn_lab::Lab;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdin};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::process::{last_words, own_program};

/// How long a server may take to listen.
const LISTEN_DEADLINE: Duration = Duration::from_secs(10);

/// A server that ends when its controller does: it watches the stdin that is held open here.
#[derive(Debug)]
pub(super) struct LocalServer {
    child: Child,
    _lifeline: Option<ChildStdin>,
    /// What it says on stderr, read all the while: a server must not come to wait for a full pipe.
    complaint: Option<JoinHandle<String>>,
    url: String,
    port: u16,
}

/// Where a server listens.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place<'a> {
    /// For this machine alone, on a free port.
    Loopback,
    /// For the stations of a lab, on a free port.
    Lab(&'a Lab),
    /// For devices elsewhere.
    Everywhere(SocketAddr),
}

impl LocalServer {
    /// Starts a server. Through `door`, its side of one, it hands over what begins with TLS.
    pub(super) async fn start(place: Place<'_>, door: Option<OwnedFd>) -> Result<Self> {
        let address = match place {
            Place::Loopback => (Ipv4Addr::LOCALHOST, 0).into(),
            Place::Lab(lab) => SocketAddr::new(lab.server().address(), 0),
            Place::Everywhere(address) => address,
        };
        let mut command = own_program()?;
        command.args(["serve", "--until-stdin-closes", "--listen", &address.to_string()]);
        if let Place::Lab(lab) = place {
            lab.server().attach(&mut command);
        }
        match door {
            Some(door) => command.arg("--door").stdin(door),
            None => command.stdin(Stdio::piped()),
        };
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut command = tokio::process::Command::from(command);
        let mut child = command.kill_on_drop(true).spawn().context("cannot start the server process")?;
        let lifeline = child.stdin.take();
        let complaint = child.stderr.take().map(|stderr| tokio::spawn(last_words(stderr)));
        let mut first = String::new();
        if let Some(stdout) = child.stdout.take() {
            // The line is all that a server says on stdout.
            let mut stdout = BufReader::new(stdout).take(4096);
            timeout(LISTEN_DEADLINE, stdout.read_line(&mut first))
                .await
                .context("the server did not listen in time")??;
        }
        let bound: Option<SocketAddr> =
            first.split_whitespace().find_map(|word| word.strip_prefix("http://")?.parse().ok());
        let (url, port) =
            bound.map_or((String::new(), 0), |bound| (format!("http://{}", from_here(bound)), bound.port()));
        let mut server = Self { child, _lifeline: lifeline, complaint, url, port };
        if bound.is_none() {
            let words = timeout(LISTEN_DEADLINE, server.complaint()).await.unwrap_or_default();
            bail!("the server process did not listen: {words}");
        }
        Ok(server)
    }

    /// How this machine's own clients reach it.
    pub(super) fn url(&self) -> &str {
        &self.url
    }

    /// The port, on all addresses that it listens on.
    pub(super) const fn port(&self) -> u16 {
        self.port
    }

    /// Waits until the server is gone, which it should not be while a run goes on, and says how it ended.
    pub(super) async fn gone(&mut self) -> String {
        match self.child.wait().await {
            Ok(status) => {
                let words = self.complaint().await;
                let colon = if words.is_empty() { "" } else { ": " };
                format!("the server process ended in the middle of the run ({status}){colon}{words}")
            }
            Err(error) => format!("the server process was lost: {error}"),
        }
    }

    /// Ends it, and sees it dead. It has nothing to keep.
    pub(super) async fn end(mut self) {
        let _ = timeout(LISTEN_DEADLINE, self.child.kill()).await;
    }

    /// The last it said on stderr, once it has closed that.
    async fn complaint(&mut self) -> String {
        match &mut self.complaint {
            Some(complaint) => complaint.await.unwrap_or_default(),
            None => String::new(),
        }
    }
}

/// A listening address as this machine's own clients use it: where it is every address, by loopback.
fn from_here(bound: SocketAddr) -> SocketAddr {
    let ip = match bound.ip() {
        IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, bound.port())
}
