//! The devices that are there: gathered once, they serve one run after the other.

use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::process::Child;
use tokio::sync::mpsc::{Receiver, Sender, UnboundedReceiver, UnboundedSender, channel, unbounded_channel};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout, timeout_at};

use super::process::last_words;
use crate::control::frame::{self, Decoder};
use crate::control::message::{FromAgent, ToAgent, VERSION};
use crate::control::testimony::legible;
use crate::fleet::link::Link;

/// How long an agent may take to say hello once its stream is there.
const HELLO_DEADLINE: Duration = Duration::from_secs(15);
/// How long agents may take to end once their stream is closed.
const GRACE: Duration = Duration::from_secs(2);
/// How long a process may take to end, and to say why, once it has closed its stream.
const LAST_WORDS: Duration = Duration::from_secs(2);
/// Messages from agents that may wait to be heard. Further ones wait in the streams, and the agents bear it.
const INBOX: usize = 64;

/// What comes from an agent.
#[derive(Debug)]
pub(super) enum Heard {
    /// It said something.
    Message(FromAgent),
    /// Something happened to its stream that a person should know.
    Note(String),
    /// It is gone, or speaks nonsense.
    Gone(String),
}

/// Bytes of control messages between here and one agent, frames and all.
#[derive(Debug, Default)]
struct Traffic {
    to_agent: AtomicU64,
    from_agent: AtomicU64,
}

/// One device.
#[derive(Debug)]
struct Member {
    /// Messages to an agent are few (a plan, a start, some probes); dropping the sender closes its stream.
    outbox: Option<UnboundedSender<Vec<u8>>>,
    traffic: Arc<Traffic>,
    patience: Duration,
    /// Why it is not there, where it is not.
    absent: Option<String>,
}

/// All devices of a scenario, in its order, whether they are there or not.
#[derive(Debug)]
pub(super) struct Roster {
    inbox: Receiver<(usize, Heard)>,
    members: Vec<Member>,
    tasks: Vec<JoinHandle<()>>,
    /// Set when no agent may live on.
    force: watch::Sender<bool>,
}

impl Roster {
    /// Takes over a link to each device, or the reason why there is none, and hears every agent's hello.
    pub(super) async fn gather(links: Vec<(String, Result<Link, String>)>) -> Self {
        let (to_inbox, inbox) = channel(INBOX);
        let (force, forced) = watch::channel(false);
        let mut roster = Self { inbox, members: Vec::new(), tasks: Vec::new(), force };
        for (device, (name, link)) in links.into_iter().enumerate() {
            let member = match link {
                Ok(link) => roster.attach(device, name, link, &to_inbox, &forced),
                Err(reason) => {
                    Member { outbox: None, traffic: Arc::default(), patience: Duration::ZERO, absent: Some(reason) }
                }
            };
            roster.members.push(member);
        }
        roster.hear_hellos().await;
        roster
    }

    /// Why a device is not there, where it is not.
    pub(super) fn absent(&self, device: usize) -> Option<&str> {
        self.members.get(device)?.absent.as_deref()
    }

    /// How long a device may be silent under load.
    pub(super) fn patience(&self, device: usize) -> Duration {
        self.members.get(device).map_or(Duration::ZERO, |member| member.patience)
    }

    /// Bytes so far to a device's agent and from it.
    pub(super) fn traffic(&self, device: usize) -> (u64, u64) {
        self.members.get(device).map_or((0, 0), |member| {
            (member.traffic.to_agent.load(Ordering::Relaxed), member.traffic.from_agent.load(Ordering::Relaxed))
        })
    }

    /// The next thing that any agent says; `None` when there is no agent any more.
    pub(super) async fn hear(&mut self) -> Option<(usize, Heard)> {
        let (device, heard) = self.inbox.recv().await?;
        if let Heard::Gone(reason) = &heard {
            self.lose(device, reason.clone());
        }
        Some((device, heard))
    }

    /// Sends a message to an agent; where it is gone, its listener says so.
    pub(super) fn send(&self, device: usize, message: &ToAgent) -> Result<()> {
        let frame = frame::encode(message)
            .context("an agent cannot be told its part: the plan is too large; take fewer clients or workloads")?;
        if let Some(outbox) = self.members.get(device).and_then(|member| member.outbox.as_ref()) {
            let _ = outbox.send(frame);
        }
        Ok(())
    }

    /// Closes an agent's stream, which ends it: it takes no part in anything any more.
    pub(super) fn lose(&mut self, device: usize, reason: String) {
        if let Some(member) = self.members.get_mut(device) {
            member.outbox = None;
            member.absent.get_or_insert(reason);
        }
    }

    /// Ends all agents: kindly first, then by force.
    pub(super) async fn end(mut self) {
        self.members.iter_mut().for_each(|member| member.outbox = None);
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

    fn attach(
        &mut self,
        device: usize,
        name: String,
        link: Link,
        inbox: &Sender<(usize, Heard)>,
        forced: &watch::Receiver<bool>,
    ) -> Member {
        let Link { input, output, process, patience, notes } = link;
        let traffic = Arc::<Traffic>::default();
        let (outbox, frames) = unbounded_channel();
        self.tasks.push(tokio::spawn(speak(output, frames, Arc::clone(&traffic))));
        let listener = Listener { device, input, traffic: Arc::clone(&traffic), inbox: inbox.clone() };
        self.tasks.push(tokio::spawn(attend(listener, process, forced.clone())));
        if let Some(notes) = notes {
            // It ends with whoever writes the notes, and nobody need wait for that.
            tokio::spawn(hand_on(device, name, notes, inbox.downgrade()));
        }
        Member { outbox: Some(outbox), traffic, patience, absent: None }
    }

    /// Waits until every agent has said hello or is given up.
    async fn hear_hellos(&mut self) {
        let deadline = Instant::now() + HELLO_DEADLINE;
        let mut expected: Vec<bool> = self.members.iter().map(|member| member.absent.is_none()).collect();
        while expected.contains(&true) {
            let Ok(Some((device, heard))) = timeout_at(deadline, self.hear()).await else { break };
            match heard {
                Heard::Message(message) if expected[device] => {
                    if let Err(reason) = check_greeting(&message) {
                        self.lose(device, reason);
                    }
                }
                Heard::Message(_) => self.lose(device, "it spoke out of turn, before it was asked anything".to_owned()),
                Heard::Note(_) => continue,
                Heard::Gone(_) => {}
            }
            expected[device] = false;
        }
        for (device, expected) in expected.into_iter().enumerate() {
            if expected {
                self.lose(device, format!("its agent did not say hello within {} s", HELLO_DEADLINE.as_secs()));
            }
        }
    }
}

/// Whether an agent's first words are a hello from one that we can work with; otherwise why not.
fn check_greeting(message: &FromAgent) -> Result<(), String> {
    match message {
        FromAgent::Hello { version: VERSION, .. } => Ok(()),
        FromAgent::Hello { version, program, .. } => Err(format!(
            "it runs {}, whose control messages are version {version}; this is version {VERSION}: bring both to the same release",
            legible(program, 64)
        )),
        _ => Err("it spoke before it said hello".to_owned()),
    }
}

async fn speak(mut output: impl AsyncWrite + Unpin, mut frames: UnboundedReceiver<Vec<u8>>, traffic: Arc<Traffic>) {
    while let Some(frame) = frames.recv().await {
        if output.write_all(&frame).await.is_err() || output.flush().await.is_err() {
            return;
        }
        traffic.to_agent.fetch_add(frame.len() as u64, Ordering::Relaxed);
    }
    // Whoever carries the stream is told that it is over, and not only left alone with it.
    let _ = output.shutdown().await;
}

async fn hand_on(
    device: usize,
    name: String,
    mut notes: UnboundedReceiver<String>,
    inbox: tokio::sync::mpsc::WeakSender<(usize, Heard)>,
) {
    while let Some(note) = notes.recv().await {
        let Some(inbox) = inbox.upgrade() else { return };
        if inbox.send((device, Heard::Note(format!("{name}: {note}")))).await.is_err() {
            return;
        }
    }
}

/// Listens to an agent until it ends or is made to, and sees it dead in either case.
async fn attend(mut listener: Listener, mut process: Option<Child>, mut forced: watch::Receiver<bool>) {
    let complaint =
        process.as_mut().and_then(|child| child.stderr.take()).map(|stderr| tokio::spawn(last_words(stderr)));
    let heard_out = async {
        let reason = match listener.listen().await {
            End::Nonsense(reason) => reason,
            End::Closed { torn } => {
                let ended = match &mut process {
                    // One that only closed its stream may go on for ever.
                    Some(child) => timeout(LAST_WORDS, child.wait()).await.ok(),
                    None => None,
                };
                let words = match complaint {
                    Some(complaint) => timeout(LAST_WORDS, complaint).await.ok().and_then(Result::ok),
                    None => None,
                };
                how_it_ended(ended, torn, &words.unwrap_or_default())
            }
        };
        let _ = listener.inbox.send((listener.device, Heard::Gone(reason))).await;
    };
    tokio::select! {
        () = heard_out => {}
        _ = forced.wait_for(|forced| *forced) => {}
    }
    if let Some(child) = &mut process {
        // Fails where it has ended by itself.
        let _ = child.kill().await;
    }
}

/// Why an agent is gone, in words.
fn how_it_ended(ended: Option<std::io::Result<ExitStatus>>, torn: bool, words: &str) -> String {
    let status = match ended {
        Some(Ok(status)) => format!("its agent ended ({status})"),
        Some(Err(error)) => format!("its agent ended ({error})"),
        None => "its connection was lost".to_owned(),
    };
    let torn = if torn { ", in the middle of a message" } else { "" };
    let colon = if words.is_empty() { "" } else { ": " };
    format!("{status}{torn}{colon}{words}")
}

/// Reads what one agent says.
struct Listener {
    device: usize,
    input: Box<dyn AsyncRead + Send + Unpin>,
    traffic: Arc<Traffic>,
    inbox: Sender<(usize, Heard)>,
}

/// How a stream came to its end.
enum End {
    Closed { torn: bool },
    Nonsense(String),
}

impl Listener {
    /// Hands on what the agent says until its stream ends.
    async fn listen(&mut self) -> End {
        let mut decoder = Decoder::default();
        let mut buffer = vec![0; 64 * 1024];
        loop {
            match self.input.read(&mut buffer).await {
                Ok(0) => return End::Closed { torn: decoder.is_torn() },
                Ok(n) => {
                    self.traffic.from_agent.fetch_add(n as u64, Ordering::Relaxed);
                    decoder.push(buffer.get(..n).unwrap_or_default());
                }
                Err(error) => return End::Nonsense(format!("its stream broke: {error}")),
            }
            loop {
                match decoder.poll() {
                    Ok(Some(message)) => {
                        if self.inbox.send((self.device, Heard::Message(message))).await.is_err() {
                            return End::Nonsense("nobody listens to it any more".to_owned());
                        }
                    }
                    Ok(None) => break,
                    Err(error) => return End::Nonsense(error.to_string()),
                }
            }
        }
    }
}
