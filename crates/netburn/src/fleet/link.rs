//! One agent's stream, whatever carries it.

use std::fmt;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::process::Child;
use tokio::sync::mpsc::UnboundedReceiver;

/// One agent's stream: bytes in both directions, and the process that carries it, where there is one (a local agent, or
/// `ssh`).
///
/// Dropping it ends the agent: its stream is closed, and a process is killed.
pub struct Link {
    /// What the agent says.
    pub input: Box<dyn AsyncRead + Send + Unpin>,
    /// What it is told.
    pub output: Box<dyn AsyncWrite + Send + Unpin>,
    /// The process; its stderr is piped: its last words say why it ended.
    pub process: Option<Child>,
    /// Silent for this long under load, the agent is lost.
    pub patience: Duration,
    /// What happens to the stream that a person should know at once ("connection lost, waiting for it to come back").
    pub notes: Option<UnboundedReceiver<String>>,
}

impl Link {
    /// The link to an agent that this command starts, over its stdin and stdout. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// Where the command cannot be started.
    pub fn of_process(mut command: Command, patience: Duration) -> Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let program = command.get_program().to_string_lossy().into_owned();
        let mut command = tokio::process::Command::from(command);
        let mut child = command.kill_on_drop(true).spawn().with_context(|| format!("cannot start '{program}'"))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            anyhow::bail!("the streams of '{program}' could not be opened");
        };
        Ok(Self { input: Box::new(stdout), output: Box::new(stdin), process: Some(child), patience, notes: None })
    }

    /// A link over a stream that somebody else carries.
    pub fn of_stream(
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
        patience: Duration,
    ) -> Self {
        Self { input: Box::new(input), output: Box::new(output), process: None, patience, notes: None }
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").field("process", &self.process).field("patience", &self.patience).finish_non_exhaustive()
    }
}
