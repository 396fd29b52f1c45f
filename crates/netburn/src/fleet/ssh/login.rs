//! One login for each device, and commands through it.
//!
//! The master is the system's `ssh`, which goes to the background once the login is done: that is how we know that it is. It
//! speaks for us through its socket, and ends when it is told to, or some minutes after its last session where nobody
//! lives to tell it.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use thiserror::Error;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::time::timeout;

use super::cause::Cause;
use super::destination::Destination;
use super::remote::RemoteCommand;
use super::socket::{SocketError, Sockets, end_master, is_alive};

/// Where a login is asked of nobody, this much may pass after the connection before it is given up: PAM modules, name resolution
/// on the device, or a slow processor take seconds, and a login that takes half a minute is of no use.
const PATIENCE_AFTER_CONNECTING: Duration = Duration::from_secs(30);

/// The most that is kept of what a command says.
const LONGEST_REPLY: u64 = 1 << 20;

/// For the master alone. `ssh` takes the first value that it meets, so these win over the user's config.
///
/// - `ControlPersist`: a master whose controller was killed goes by itself. Long enough for a person to type the
///   passwords of all other devices.
/// - `ServerAlive…`: a loaded or roaming Wi-Fi may be silent for many seconds, and the session must not be the first to give
///   up: the controller calls a device lost long before a minute is over. It does end a session whose device
///   is gone, and keeps the entry of a router's address translation alive, for some 10 bytes each second.
/// - `IPQoS`: without a terminal `ssh` marks its packets CS1, which Wi-Fi sends in the background class, after all that the load sends.
/// - Nothing of the user's config may forward a port, open a tunnel, or run a command beside ours.
const MASTER_OPTIONS: [&str; 8] = [
    "ControlPersist=10m",
    "ServerAliveInterval=10",
    "ServerAliveCountMax=6",
    "IPQoS=none",
    "ClearAllForwardings=yes",
    "Tunnel=no",
    "PermitLocalCommand=no",
    "LogLevel=INFO",
];

/// How to log in.
#[derive(Clone, Debug)]
pub struct LoginOptions {
    /// Whether a person can be asked, for a password or about a new host key. Else such a login fails.
    pub interactive: bool,
    /// More arguments for `ssh`, before the destination.
    pub extra: Vec<String>,
    /// How long the connection may take, until the server greets. Whole seconds, at least one.
    pub connect_timeout: Duration,
}

impl LoginOptions {
    /// What the user wants: `NETBURN_SSH_CONFIG` names an ssh config to use in place of `~/.ssh/config`.
    #[must_use]
    pub fn from_environment(interactive: bool) -> Self {
        let config = std::env::var("NETBURN_SSH_CONFIG").ok().filter(|file| !file.is_empty());
        let extra = config.map_or_else(Vec::new, |file| vec!["-F".to_owned(), file]);
        Self { interactive, extra, connect_timeout: Duration::from_secs(10) }
    }
}

/// A login that failed.
#[derive(Debug, Error)]
pub enum LoginError {
    /// There is nowhere to put the control socket.
    #[error(transparent)]
    Socket(#[from] SocketError),
    /// `ssh` could not be started.
    #[error("cannot start ssh: {0}")]
    Start(io::Error),
    /// The device did not let us in, or was not there.
    #[error("cannot log in to {destination}: {cause}; {}{}", .cause.advice(.destination.host()), said(.words))]
    Failed {
        /// Whom we wanted to log in to.
        destination: Box<Destination>,
        /// Why.
        cause: Cause,
        /// The last that `ssh` said.
        words: String,
    },
}

fn said(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(" (ssh: {words})") }
}

/// A command on a device that came to nothing.
#[derive(Debug, Error)]
pub enum RunError {
    /// `ssh` could not be started, or not be spoken to.
    #[error("cannot run ssh: {0}")]
    Start(io::Error),
    /// It took too long.
    #[error("{destination} did not answer within {} s", .patience.as_secs())]
    Deadline {
        /// Whom we asked.
        destination: Box<Destination>,
        /// How long we waited.
        patience: Duration,
    },
    /// The login is gone.
    #[error("the connection to {destination} is lost{}", said(.words))]
    Lost {
        /// To whom.
        destination: Box<Destination>,
        /// The last that `ssh` said.
        words: String,
    },
}

/// A device that we are logged in to. Ends the login when it is dropped.
#[derive(Debug)]
pub struct Login {
    destination: Destination,
    socket: PathBuf,
    took: Duration,
    /// The socket's folder stays for as long as the login.
    _sockets: Sockets,
}

impl Login {
    /// Logs in, with the user's own config, keys, agent and jump hosts. Where `options` allow it, `ssh` asks on the terminal
    /// what it must ask.
    ///
    /// # Errors
    /// Where the login fails; the error names the cause and how to mend it.
    pub async fn open(
        destination: &Destination,
        sockets: &Sockets,
        options: &LoginOptions,
    ) -> Result<Self, LoginError> {
        let socket = sockets.path()?;
        let log = socket.with_extension("log");
        let began = Instant::now();
        let mut master = tokio::process::Command::from(master(destination, &socket, &log, options));
        let mut master = master.kill_on_drop(true).spawn().map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => failed(destination, Cause::NoSsh, String::new()),
            _ => LoginError::Start(error),
        })?;
        // A person may take as long as they like to find a password.
        let patience =
            if options.interactive { None } else { Some(options.connect_timeout + PATIENCE_AFTER_CONNECTING) };
        let ended = match patience {
            Some(patience) => timeout(patience, master.wait()).await.ok(),
            None => Some(master.wait().await),
        };
        let took = began.elapsed();
        let words = std::fs::read(&log).unwrap_or_default();
        let words = String::from_utf8_lossy(&words).into_owned();
        let _ = std::fs::remove_file(&log);
        match ended {
            Some(Ok(status)) if status.success() => {
                Ok(Self { destination: destination.clone(), socket, took, _sockets: sockets.clone() })
            }
            Some(Ok(_)) => {
                let cause = Cause::of(&words);
                let telling = last_line(cause.telling(&words));
                Err(failed(destination, cause, telling))
            }
            Some(Err(error)) => Err(LoginError::Start(error)),
            None => {
                let _ = master.kill().await;
                Err(failed(destination, Cause::TimedOut, last_line(&words)))
            }
        }
    }

    /// Whom we are logged in to.
    #[must_use]
    pub const fn destination(&self) -> &Destination {
        &self.destination
    }

    /// How long the login took, with the time in which a person was asked.
    #[must_use]
    pub const fn took(&self) -> Duration {
        self.took
    }

    /// The control socket.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// Runs something on the device, through the socket only: where the login is gone this fails, and never logs in anew. Its streams are
    /// the caller's to set. It is in a process group of its own: a Ctrl-C is for the controller.
    #[must_use]
    pub fn command(&self, remote: &RemoteCommand) -> Command {
        let mut command = Command::new("ssh");
        // Everything that a config could say was said at the login. Where no master answers, ssh would go on to connect by
        // itself; its way there is a program that fails.
        command.args(["-F", "/dev/null", "-T", "-x", "-a", "-S"]).arg(&self.socket);
        for option in ["ControlMaster=no", "ProxyCommand=false", "BatchMode=yes", "LogLevel=ERROR"] {
            command.args(["-o", option]);
        }
        command.args(self.destination.arguments()).arg(remote.text()).process_group(0);
        command
    }

    /// Runs something on the device, gives it `input`, and waits for its end.
    ///
    /// # Errors
    /// Where it is not over within `deadline`, or the connection is lost. That it fails on the device is no error: see
    /// the output's status.
    pub async fn run(&self, remote: &RemoteCommand, input: &[u8], deadline: Duration) -> Result<Output, RunError> {
        let mut command = self.command(remote);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut command = tokio::process::Command::from(command);
        let mut child = command.kill_on_drop(true).spawn().map_err(RunError::Start)?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let give = async {
            if let Some(mut stdin) = stdin {
                // Whoever stops reading has a reason, and tells it.
                let _ = stdin.write_all(input).await;
                let _ = stdin.shutdown().await;
            }
        };
        let all = async { tokio::join!(give, take(stdout), take(stderr), child.wait()) };
        let Ok(((), stdout, stderr, status)) = timeout(deadline, all).await else {
            return Err(RunError::Deadline { destination: Box::new(self.destination.clone()), patience: deadline });
        };
        let output = Output { status: status.map_err(RunError::Start)?, stdout, stderr };
        // 255 is ssh's own failure; nothing that we run ends so.
        if output.status.code() == Some(255) {
            let words = last_line(&String::from_utf8_lossy(&output.stderr));
            return Err(RunError::Lost { destination: Box::new(self.destination.clone()), words });
        }
        Ok(output)
    }

    /// Whether the master is still there.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        is_alive(&self.socket)
    }

    /// Logs out. All that still runs through the login ends.
    pub async fn close(self) {
        // Dropping it waits for the master's answer, which is no work for a thread of the runtime.
        let _ = tokio::task::spawn_blocking(move || drop(self)).await;
    }
}

impl Drop for Login {
    fn drop(&mut self) {
        end_master(&self.socket);
    }
}

/// The `ssh` that logs in and goes to the background.
fn master(destination: &Destination, socket: &Path, log: &Path, options: &LoginOptions) -> Command {
    let mut command = Command::new("ssh");
    // -M -S: a master. -f -N: no command, to the background once we are in. -E: what it says goes where we can read it, while its
    // questions go to the terminal.
    command.args(["-M", "-N", "-f", "-T", "-x", "-a", "-S"]).arg(socket).arg("-E").arg(log);
    for option in MASTER_OPTIONS {
        command.args(["-o", option]);
    }
    command.args(["-o", &format!("ConnectTimeout={}", options.connect_timeout.as_secs().max(1))]);
    if !options.interactive {
        command.args(["-o", "BatchMode=yes"]);
    }
    command.args(options.extra.iter().map(OsString::from)).args(destination.arguments());
    // A server's banner and "touch your key" go to stderr past the log: they are for whoever is asked.
    let banner = if options.interactive { Stdio::inherit() } else { Stdio::null() };
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(banner);
    command
}

fn failed(destination: &Destination, cause: Cause, words: String) -> LoginError {
    LoginError::Failed { destination: Box::new(destination.clone()), cause, words }
}

/// All that a stream gives, up to what is kept of it.
async fn take(stream: Option<impl AsyncRead + Unpin>) -> Vec<u8> {
    let mut kept = Vec::new();
    if let Some(mut stream) = stream {
        let _ = (&mut stream).take(LONGEST_REPLY).read_to_end(&mut kept).await;
        let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
    }
    kept
}

/// The last line that says something, cut to what a message can hold. What it cannot hold is left out: a server's words are in it.
pub(super) fn last_line(text: &str) -> String {
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().filter(|c| !c.is_control()).take(300).collect()
}
