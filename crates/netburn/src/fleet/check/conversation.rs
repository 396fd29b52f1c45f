//! What an agent is asked in a check: its clock, and whether it could do its part of the run. It never starts.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use burn_model::clock::Comparison;
use burn_model::time::nanos;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{sleep, timeout};

use crate::control::frame::{self, Decoder};
use crate::control::message::{Assignment, FromAgent, ToAgent, VERSION};
use crate::control::testimony::{facts_of, legible};
use crate::fleet::link::Link;

/// How long an agent may take to begin, to read its clock, and to reach the server.
const HELLO: Duration = Duration::from_secs(20);
const READING: Duration = Duration::from_secs(10);
const READY: Duration = Duration::from_secs(25);
/// Exchanges of which the best compares the clocks, as in a run.
const EXCHANGES: u64 = 20;
/// The agent looks at its processors for so long before it is given a task.
const LOOKING: Duration = Duration::from_secs(1);

/// What an agent said.
#[derive(Debug, Default)]
pub(super) struct Heard {
    pub(super) facts: BTreeMap<String, String>,
    pub(super) clock: Option<Comparison>,
    /// Whether it reaches the server; nothing where it was not asked.
    pub(super) server: Option<Result<(), String>>,
}

/// An agent in a check.
pub(super) struct Conversation {
    link: Link,
    decoder: Decoder,
    epoch: Instant,
}

impl Conversation {
    pub(super) fn new(link: Link) -> Self {
        Self { link, decoder: Decoder::default(), epoch: Instant::now() }
    }

    /// Asks all there is to ask. The words of an error are for the person.
    pub(super) async fn hold(mut self, task: Option<Assignment>) -> Result<Heard, String> {
        let mut heard = Heard::default();
        match self.hear(HELLO).await? {
            FromAgent::Hello { version: VERSION, facts, .. } => heard.facts = facts_of(facts),
            FromAgent::Hello { program, .. } => {
                return Err(format!("its agent is {}, which speaks another version", legible(&program, 64)));
            }
            _ => return Err("its agent spoke before it said hello".to_owned()),
        }
        let looks_until = Instant::now() + LOOKING;
        heard.clock = Some(self.compare().await?);
        // It measures how much of the processors is free meanwhile.
        sleep(looks_until.saturating_duration_since(Instant::now())).await;
        if let Some(task) = task {
            self.say(&ToAgent::Prepare(Box::new(task))).await?;
            heard.server = Some(match self.hear(READY).await? {
                FromAgent::Ready { facts, .. } => {
                    heard.facts.extend(facts_of(facts));
                    Ok(())
                }
                FromAgent::Refused { reason } => Err(legible(&reason, 300)),
                _ => return Err("its agent spoke out of turn".to_owned()),
            });
        }
        if let Some(process) = &mut self.link.process {
            let _ = process.kill().await;
        }
        Ok(heard)
    }

    async fn compare(&mut self) -> Result<Comparison, String> {
        let mut best: Option<Comparison> = None;
        for id in 1..=EXCHANGES {
            let sent = nanos(self.epoch.elapsed());
            self.say(&ToAgent::Probe { id }).await?;
            let reading = self.hear(READING).await?;
            let received = nanos(self.epoch.elapsed());
            match reading {
                FromAgent::Reading { id: of, now_ns } if of == id => {
                    let seen = Comparison::of(sent, now_ns, received);
                    best = Some(best.filter(|best| best.uncertainty <= seen.uncertainty).unwrap_or(seen));
                }
                _ => return Err("its agent answered a clock probe that was not asked".to_owned()),
            }
        }
        best.ok_or_else(|| "its clock was not read".to_owned())
    }

    async fn say(&mut self, message: &ToAgent) -> Result<(), String> {
        let frame = frame::encode(message).map_err(|error| error.to_string())?;
        let lost = |error: std::io::Error| format!("its agent is gone: {error}");
        self.link.output.write_all(&frame).await.map_err(lost)?;
        self.link.output.flush().await.map_err(lost)
    }

    async fn hear(&mut self, patience: Duration) -> Result<FromAgent, String> {
        let message = async {
            let mut buffer = vec![0; 64 * 1024];
            loop {
                if let Some(message) = self.decoder.poll().map_err(|error| error.to_string())? {
                    return Ok(message);
                }
                match self.link.input.read(&mut buffer).await {
                    Ok(0) => return Err("its agent ended".to_owned()),
                    Ok(n) => self.decoder.push(buffer.get(..n).unwrap_or_default()),
                    Err(error) => return Err(format!("its agent is gone: {error}")),
                }
            }
        };
        let late = |_| format!("its agent was silent for {} s", patience.as_secs());
        timeout(patience, message).await.map_err(late)?
    }
}
