//! Tries a file: alone, and as a client of a real run.
//!
//! A file for another kind of processor runs on an emulated one (qemu-user). It takes part as a device that joins by itself:
//! server and controller are an ordinary netburn of this machine, so messages, clocks and results go between two architectures.

use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use super::{Arch, note, output};

/// One client for three seconds, which joins by itself; an exchange of 1000 bytes, fifty times a second.
const SCENARIO: &str = r#"
name = "foreign"
duration = "3 s"
warm_up = "1 s"

[[client]]
name = "foreign"
via = "join"
run = ["exchange"]

[workload.exchange]
arrival = "constant"
objects = 1
object_size = "1000 B"
rate = "50/s"
in_flight = 100
deadline = "2 s"
drain = "1 s"
[[workload.exchange.goal]]
metric = "response_time"
quantile = 0.95
good = "1.5 s"
bad = "1.9 s"
"#;

/// Runs it in every way that matters here.
pub(super) fn check(arch: Arch, file: &Path) -> Result<()> {
    let began = Instant::now();
    let version = output(start(arch, file).arg("--version"))?;
    ensure!(version.starts_with(concat!("netburn ", env!("CARGO_PKG_VERSION"))), "--version says: {version}");
    let workloads = output(start(arch, file).arg("workloads"))?;
    ensure!(workloads.contains("voip"), "workloads names no voip: {workloads}");
    let digest = output(start(arch, file).args(["agent", "--digest"]))?;
    let expected = output(Command::new("sha256sum").arg(file))?;
    ensure!(expected.starts_with(digest.trim()) && digest.trim().len() == 64, "it takes itself for {digest}");
    let completed = take_part(arch, file).context("it takes no part in a run")?;
    note(&format!(
        "{} ran, and completed {completed} operations as a client of a run, in {:.1} s",
        file.display(),
        began.elapsed().as_secs_f64()
    ));
    Ok(())
}

/// The file, on an emulated processor where it is not for this one.
fn start(arch: Arch, file: &Path) -> Command {
    if arch.name() == std::env::consts::ARCH {
        return Command::new(file);
    }
    let mut command = Command::new(arch.emulator());
    command.arg(file);
    command
}

/// Ends what is still running where the check fails.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A real run in which it is the one client. How many operations it completed.
fn take_part(arch: Arch, file: &Path) -> Result<u64> {
    let native: PathBuf = crate::bench::netburn_for_tests()?;
    let place = tempfile::tempdir().context("cannot make a folder")?;
    let scenario = place.path().join("foreign.toml");
    std::fs::write(&scenario, SCENARIO)?;
    let mut controller = Command::new(native);
    controller.arg("run").arg(&scenario).arg("--json").arg("--out").arg(place.path().join("runs"));
    controller.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut controller = Running(controller.spawn().context("cannot start the controller")?);
    let mut said = BufReader::new(controller.0.stderr.take().context("the controller has no stderr")?);
    let mut heard = String::new();
    let link = loop {
        let mut line = String::new();
        if said.read_line(&mut line)? == 0 {
            bail!("the controller never said how to join: {heard}");
        }
        if let Some((_, rest)) = line.split_once("netburn join ") {
            break rest.split_whitespace().next().context("there is no link after 'netburn join'")?.to_owned();
        }
        heard.push_str(&line);
    };
    let rest = std::thread::spawn(move || {
        let mut text = String::new();
        let _ = said.read_to_string(&mut text);
        text
    });
    let mut client = start(arch, file);
    client.args(["join", &link, "--as", "foreign"]).stdin(Stdio::null());
    let client_ended = Running(client.spawn().context("cannot start the client")?).0.wait()?;
    let mut result = String::new();
    controller.0.stdout.take().context("the controller has no stdout")?.read_to_string(&mut result)?;
    let ended = controller.0.wait()?;
    let notes = rest.join().unwrap_or_default();
    ensure!(client_ended.success(), "the client ended with {client_ended}: {notes}");
    let result: Value = serde_json::from_str(&result).with_context(|| format!("{ended}: {result}{notes}"))?;
    completed(&result).with_context(|| format!("the result has no data of the client: {result}"))
}

/// The operations that the client completed, by the result's JSON.
fn completed(result: &Value) -> Option<u64> {
    let applications = result.get("applications")?.as_array()?.iter();
    let of_client = applications.filter(|application| application["client"] == "foreign");
    let total = of_client.filter_map(|application| application["operations"]["completed"].as_u64()).sum();
    (total > 0).then_some(total)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_the_client_itself_completed_counts() {
        let application =
            |client, completed: u64| json!({ "client": client, "operations": { "completed": completed } });
        let result = |applications: Vec<Value>| json!({ "applications": applications });
        // 150 + 3 are the client's; 7 are somebody else's.
        let mixed = result(vec![application("foreign", 150), application("tv", 7), application("foreign", 3)]);
        assert_eq!(completed(&mixed), Some(153));
        assert_eq!(completed(&result(vec![application("foreign", 0)])), None);
        assert_eq!(completed(&result(vec![application("tv", 7)])), None);
        assert_eq!(completed(&json!({ "error": "…" })), None);
    }
}
