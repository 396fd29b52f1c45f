//! One more login, by itself, that tells what it does.

use std::io;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::time::timeout_at;

use super::destination::Destination;
use super::login::LoginOptions;
use super::remote::RemoteCommand;

/// The most that is read of what `ssh` says.
const LONGEST: u64 = 1 << 20;

/// Logs in beside any control socket, runs nothing there, and gives what `ssh -vv` says: each line, with how long after the start it
/// came. Nobody is asked anything. A login that takes longer than `patience` is told up to there.
///
/// # Errors
/// Where `ssh` cannot be started or read from.
pub async fn watch_login(
    destination: &Destination,
    options: &LoginOptions,
    patience: Duration,
) -> io::Result<Vec<(Duration, String)>> {
    let mut command = tokio::process::Command::from(command(destination, options));
    let began = Instant::now();
    let mut ssh = command.kill_on_drop(true).spawn()?;
    let mut lines = Vec::new();
    if let Some(stderr) = ssh.stderr.take() {
        let mut stderr = BufReader::new(stderr.take(LONGEST));
        let deadline = tokio::time::Instant::now() + patience;
        let mut line = Vec::new();
        while let Ok(read) = timeout_at(deadline, stderr.read_until(b'\n', &mut line)).await {
            if read? == 0 {
                break;
            }
            let text: String = String::from_utf8_lossy(&line).chars().filter(|c| !c.is_control()).take(300).collect();
            lines.push((began.elapsed(), text));
            line.clear();
        }
    }
    let _ = ssh.kill().await;
    Ok(lines)
}

fn command(destination: &Destination, options: &LoginOptions) -> Command {
    let mut command = Command::new("ssh");
    command.args(["-vv", "-T", "-x", "-a", "-S", "none"]);
    for option in [
        "ControlMaster=no",
        "BatchMode=yes",
        "ClearAllForwardings=yes",
        "Tunnel=no",
        "PermitLocalCommand=no",
        "RemoteCommand=none",
    ] {
        command.args(["-o", option]);
    }
    command.args(["-o", &format!("ConnectTimeout={}", options.connect_timeout.as_secs().max(1))]);
    command.args(&options.extra).args(destination.arguments()).arg(RemoteCommand::Nothing.text());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}
