//! How our own programs are built and asked: the server is the program itself, the client half is driven by the examples
//! of `netburn-io`, which do one thing each and print one JSON document.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::lateness::Lateness;
use super::peers::{Job, Server};
use super::transfer::Transfer;

/// Our programs, built for release.
pub(crate) struct Ours {
    pub(crate) netburn: PathBuf,
    pub(crate) bulk: PathBuf,
    pub(crate) lateness: PathBuf,
}

impl Ours {
    /// Builds what drives our client half, beside the program, and finds out from cargo where it is.
    pub(crate) fn build(netburn: PathBuf) -> Result<Self> {
        let examples =
            build(&["--package", "netburn-io", "--example", "bulk", "--example", "lateness"], &["--release"])?;
        Ok(Self { netburn, bulk: executable(&examples, "bulk")?, lateness: executable(&examples, "lateness")? })
    }
}

/// The program as people have it.
pub(crate) fn netburn_for_release() -> Result<PathBuf> {
    super::note("building our programs for release");
    executable(&build(&["--package", "netburn", "--bin", "netburn"], &["--release"])?, "netburn")
}

/// The program as the tests have it: built without optimisation, so that a check after the tests need not build it again.
pub(crate) fn netburn_for_tests() -> Result<PathBuf> {
    executable(&build(&["--package", "netburn", "--bin", "netburn"], &[])?, "netburn")
}

fn build(what: &[&str], profile: &[&str]) -> Result<String> {
    let output = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--locked", "--message-format", "json-render-diagnostics"])
        .args(profile)
        .args(what)
        .stdin(Stdio::null())
        .stderr(Stdio::inherit())
        .output()
        .context("cannot start cargo")?;
    if !output.status.success() {
        bail!("our programs do not build");
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Where the program `name` is, by what cargo says of each thing that it built, one JSON document in each line.
fn executable(messages: &str, name: &str) -> Result<PathBuf> {
    let messages = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut built = messages.filter(|message| message["target"]["name"] == name);
    let path = built.find_map(|message| message["executable"].as_str().map(PathBuf::from));
    path.with_context(|| format!("cargo does not say where it built '{name}'"))
}

/// `netburn serve` on this port of 127.0.0.1.
pub(crate) fn serve(command: &mut Command, port: u16) {
    command.args(["serve", "--listen", &format!("127.0.0.1:{port}")]);
}

/// The bulk example, for the same job as the peers.
pub(crate) fn bulk(command: &mut Command, job: &Job, server: Server) {
    let url = format!("http://127.0.0.1:{}{}", job.port, server.path(job.object_bytes));
    command.args(["--url", &url, "--bytes", &job.object_bytes.to_string()]);
    command.args(["--connections", &job.connections.to_string(), "--seconds", &job.seconds.to_string()]);
}

/// What the bulk example says that it moved.
pub(crate) fn bulk_transfer(report: &str) -> Result<Transfer> {
    let report: Value = serde_json::from_str(report).context("netburn's bulk example printed no JSON")?;
    let value = |name: &str| report[name].as_f64().with_context(|| format!("the bulk example gave no '{name}'"));
    let failed = value("failed")?;
    if failed > 0.0 {
        bail!("netburn: {failed} operations failed");
    }
    Transfer::new(value("bytes")?, value("seconds")?)
}

/// The lateness example: so many operations each second, of `object_bytes`, from so many flows.
pub(crate) fn lateness_command(program: &Path, port: u16, load: &Load) -> Command {
    let mut command = Command::new(program);
    command.args(["--url", &format!("http://127.0.0.1:{port}{}", Server::Netburn.path(load.object_bytes))]);
    command.args(["--bytes", &load.object_bytes.to_string(), "--rate", &load.per_second.to_string()]);
    command.args(["--flows", &load.flows.to_string(), "--seconds", &load.time.as_secs().to_string()]);
    command
}

/// An open-loop load: `flows` populations of `per_second` operations each.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Load {
    pub(crate) flows: u32,
    pub(crate) per_second: u32,
    pub(crate) object_bytes: u32,
    pub(crate) time: Duration,
}

/// What the lateness example says.
pub(crate) fn lateness(report: &str) -> Result<Lateness> {
    let report: Value = serde_json::from_str(report).context("netburn's lateness example printed no JSON")?;
    let value = |name: &str| report[name].as_f64().with_context(|| format!("the lateness example gave no '{name}'"));
    let lost = value("failed")? + value("not_sent")?;
    Ok(Lateness { p50_us: value("p50_us")?, p99_us: value("p99_us")?, max_us: value("max_us")?, lost })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_says_where_a_program_is_and_a_library_is_none() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"bulk"},"executable":null}
{"reason":"compiler-artifact","target":{"name":"bulk"},"executable":"/t/release/examples/bulk"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executable(messages, "bulk").unwrap(), PathBuf::from("/t/release/examples/bulk"));
        assert!(executable(messages, "lateness").is_err());
    }

    #[test]
    fn a_bulk_report_with_a_failure_is_no_transfer() {
        let report = r#"{"bytes": 1000, "seconds": 2.0, "failed": 0}"#;
        assert_eq!(bulk_transfer(report).unwrap(), Transfer { bytes: 1000.0, seconds: 2.0 });
        assert!(bulk_transfer(&report.replace(r#""failed": 0"#, r#""failed": 1"#)).is_err());
        assert!(bulk_transfer("{}").is_err());
    }

    #[test]
    fn lost_operations_are_the_failed_and_the_unsent_ones() {
        let report = r#"{"p50_us": 40.5, "p99_us": 180, "max_us": 900, "failed": 2, "not_sent": 3}"#;
        let expected = Lateness { p50_us: 40.5, p99_us: 180.0, max_us: 900.0, lost: 5.0 };
        assert_eq!(lateness(report).unwrap(), expected);
        // No operation completed: there are no quantiles, and so no figure.
        assert!(lateness(r#"{"p50_us": null, "failed": 0, "not_sent": 0}"#).is_err());
    }
}
