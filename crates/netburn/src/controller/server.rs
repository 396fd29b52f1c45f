//! The back-end server as a child process, where a scenario wants one of its own.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use netburn_lab::Lab;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdin};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::gather::own_program;
use super::roster::last_words;

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
}

impl LocalServer {
    /// Starts a server on a free port, on loopback or in the lab's server namespace.
    pub(super) async fn start(lab: Option<&Lab>) -> Result<Self> {
        let address = lab.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |lab| lab.server().address());
        let mut command = own_program()?;
        command.args(["serve", "--until-stdin-closes", "--listen", &SocketAddr::new(address, 0).to_string()]);
        if let Some(lab) = lab {
            lab.server().attach(&mut command);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
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
        let url = first.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned);
        let mut server = Self { child, _lifeline: lifeline, complaint, url: url.unwrap_or_default() };
        if server.url.is_empty() {
            let words = timeout(LISTEN_DEADLINE, server.complaint()).await.unwrap_or_default();
            bail!("the server process did not listen: {words}");
        }
        Ok(server)
    }

    pub(super) fn url(&self) -> &str {
        &self.url
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
