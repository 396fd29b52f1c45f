//! Agents as child processes: their streams, and what becomes of them.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use netburn_lab::{Lab, end_with_spawning_thread};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStderr, ChildStdin};
use tokio::sync::mpsc::{Receiver, Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::control::frame::{self, Decoder};
use crate::control::message::{FromAgent, ToAgent};
use crate::scenario::{Scenario, Via};

/// How long agents may take to end once their stream is closed.
const GRACE: Duration = Duration::from_secs(2);

/// Messages from agents that may wait to be heard. Further ones wait in the pipes, and the agents bear it.
const INBOX: usize = 64;

/// What comes from an agent.
#[derive(Debug)]
pub(super) enum Heard {
    /// It said something.
    Message(FromAgent),
    /// It is gone, or speaks nonsense.
    Gone(String),
}

/// All agents of a run.
#[derive(Debug)]
pub(super) struct Agents {
    inbox: Receiver<(usize, Heard)>,
    /// Messages to an agent are few and small (a plan, a start, some probes); dropping the sender closes its stdin.
    outboxes: Vec<Option<UnboundedSender<Vec<u8>>>>,
    tasks: Vec<JoinHandle<()>>,
    /// Set when no agent may live on.
    force: watch::Sender<bool>,
}

impl Agents {
    /// Starts an agent for each client, where the scenario wants it.
    pub(super) fn start(scenario: &Scenario, lab: Option<&Lab>) -> Result<Self> {
        let (to_inbox, inbox) = channel(INBOX);
        let (force, forced) = watch::channel(false);
        let mut agents = Self { inbox, outboxes: Vec::new(), tasks: Vec::new(), force };
        for (client, via) in scenario.via.iter().enumerate() {
            let mut command = own_program()?;
            command.args(["agent", "--stdio"]);
            if let (Via::Lab { .. }, Some(lab)) = (via, lab) {
                lab.station(client).attach(&mut command);
            }
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut command = tokio::process::Command::from(command);
            let mut child = command.kill_on_drop(true).spawn().with_context(|| {
                let name = scenario.plan.clients.get(client).map_or("", |client| client.name.as_str());
                format!("cannot start the agent of client '{name}'")
            })?;
            let stdin = child.stdin.take().context("the agent's stdin could not be opened")?;
            let (outbox, frames) = unbounded_channel();
            agents.outboxes.push(Some(outbox));
            agents.tasks.push(tokio::spawn(speak(stdin, frames)));
            agents.tasks.push(tokio::spawn(attend(client, child, to_inbox.clone(), forced.clone())));
        }
        Ok(agents)
    }

    /// The next thing that any agent says.
    pub(super) async fn hear(&mut self) -> Option<(usize, Heard)> {
        self.inbox.recv().await
    }

    /// Sends a message to an agent; where it is gone, its listener says so.
    pub(super) fn send(&self, client: usize, message: &ToAgent) -> Result<()> {
        let frame = frame::encode(message)
            .context("an agent cannot be told its part: the plan is too large; take fewer clients or workloads")?;
        if let Some(Some(outbox)) = self.outboxes.get(client) {
            let _ = outbox.send(frame);
        }
        Ok(())
    }

    /// Closes an agent's stdin, which ends it.
    pub(super) fn dismiss(&mut self, client: usize) {
        if let Some(outbox) = self.outboxes.get_mut(client) {
            *outbox = None;
        }
    }

    /// Ends all agents: kindly first, then by force.
    pub(super) async fn end(mut self) {
        self.outboxes.clear();
        // Somebody must go on reading, or an agent that still writes would never come to its end.
        let drain = async { while self.inbox.recv().await.is_some() {} };
        let _ = timeout(GRACE, drain).await;
        self.force.send_replace(true);
        let ended = async {
            for task in &mut self.tasks {
                let _ = task.await;
            }
        };
        // A process that the kernel itself holds up cannot be waited for.
        let _ = timeout(GRACE, ended).await;
    }
}

/// This very program, in a process group of its own: a Ctrl-C is for the controller, which ends the others in order. One
/// that hangs does not hear that its stdin is closed, so the kernel ends it where the controller cannot.
pub(super) fn own_program() -> Result<Command> {
    let path = std::env::current_exe().context("cannot find this program's own file to start agents from")?;
    let mut command = Command::new(path);
    command.process_group(0);
    // The controller's one thread spawns all children, and lives as long as the run.
    end_with_spawning_thread(&mut command);
    Ok(command)
}

async fn speak(mut stdin: ChildStdin, mut frames: UnboundedReceiver<Vec<u8>>) {
    while let Some(frame) = frames.recv().await {
        if stdin.write_all(&frame).await.is_err() || stdin.flush().await.is_err() {
            return;
        }
    }
}

/// Listens to an agent until it ends or is made to, and sees it dead in either case.
async fn attend(client: usize, mut child: Child, inbox: Sender<(usize, Heard)>, mut forced: watch::Receiver<bool>) {
    let heard_out = async {
        let reason = listen(client, &mut child, &inbox).await;
        let _ = inbox.send((client, Heard::Gone(reason))).await;
    };
    let forced = async {
        let _ = forced.wait_for(|forced| *forced).await;
    };
    tokio::select! {
        () = heard_out => {}
        () = forced => {}
    }
    // Fails where it has ended by itself.
    let _ = child.kill().await;
}

/// Hands on what an agent says; says how it ended.
async fn listen(client: usize, child: &mut Child, inbox: &Sender<(usize, Heard)>) -> String {
    let (Some(mut stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return "its streams could not be opened".to_owned();
    };
    let complaint = tokio::spawn(last_words(stderr));
    let mut decoder = Decoder::default();
    let mut buffer = vec![0; 64 * 1024];
    let gone = 'stream: loop {
        match stdout.read(&mut buffer).await {
            Ok(0) => break None,
            Ok(n) => decoder.push(buffer.get(..n).unwrap_or_default()),
            Err(error) => break Some(error.to_string()),
        }
        loop {
            match decoder.poll() {
                Ok(Some(message)) => {
                    if inbox.send((client, Heard::Message(message))).await.is_err() {
                        return "nobody listens to it any more".to_owned();
                    }
                }
                Ok(None) => break,
                Err(error) => break 'stream Some(error.to_string()),
            }
        }
    };
    if let Some(reason) = gone {
        reason
    } else {
        let status = child.wait().await.map_or_else(|error| error.to_string(), |status| status.to_string());
        let words = complaint.await.unwrap_or_default();
        let torn = if decoder.is_torn() { ", in the middle of a message" } else { "" };
        let colon = if words.is_empty() { "" } else { ": " };
        format!("its agent ended ({status}){torn}{colon}{words}")
    }
}

/// The last line that a process wrote to stderr, cut to a length that a message can hold.
pub(super) async fn last_words(mut stderr: ChildStderr) -> String {
    let mut kept = Vec::new();
    let mut buffer = vec![0; 4096];
    while let Ok(n @ 1..) = stderr.read(&mut buffer).await {
        kept.extend_from_slice(buffer.get(..n).unwrap_or_default());
        let excess = kept.len().saturating_sub(4096);
        kept.drain(..excess);
    }
    let text = String::from_utf8_lossy(&kept);
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default().trim().chars().take(300).collect()
}
