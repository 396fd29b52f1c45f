//! Sees to it that this very netburn is on a device, where nothing need be installed.
//!
//! A netburn on the device's `PATH` is used where its `--version` prints the same line as ours: program version and version of the
//! control messages. Else ours is copied into a cache folder of the user there, named by its digest, and started from
//! there. The digest of what is in the cache is taken anew before each use.

use std::net::IpAddr;
use std::time::{Duration, Instant};

use thiserror::Error;

use super::binary::{Arch, Binaries, BinaryError, Digest, Linkage};
use super::login::{Login, RunError, last_line};
use super::remote::{Program, RemoteCommand};
use super::reply::Reply;
use crate::facts::VERSION_LINE;

/// A device may take this long to answer a question. A slow start file of its shell is part of that.
const PATIENCE: Duration = Duration::from_secs(30);

/// And this long to take a program of some megabytes, over a bad radio.
const PATIENCE_FOR_COPY: Duration = Duration::from_secs(300);

/// Whether a program may be copied to a device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Push {
    /// Where the device lacks it.
    Allowed,
    /// `--no-push`: the device must have it, installed or from an earlier copy.
    Forbidden,
}

/// What a device has now.
#[derive(Clone, Debug)]
pub struct Installed {
    /// Starts the agent there: for [`Login::command`].
    pub agent: RemoteCommand,
    /// What was copied, where something was.
    pub pushed: Option<PushedBinary>,
    /// Its kind of machine, as its kernel names it: `aarch64`.
    pub arch: String,
    /// What its netburn says of its version; the same as ours.
    pub version: String,
    /// The address from which the device sees us: that of a jump host, where there is one.
    pub seen_from: Option<IpAddr>,
}

/// A program that was copied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PushedBinary {
    /// Its size, in bytes.
    pub bytes: u64,
    /// How long copying, checking and trying it took.
    pub took: Duration,
    /// Its digest, which names its folder there.
    pub digest: Digest,
    /// What it is for.
    pub arch: Arch,
}

/// Why a device has no netburn that would do.
#[derive(Debug, Error)]
pub enum InstallError {
    /// It could not be asked.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Its answer is none: the login may be for something else than commands, like a menu or file transfer alone.
    #[error("the device ran no command for us{}; does its login allow any? try: ssh HOST uname", said(.0))]
    NoAnswer(String),
    /// There is no netburn for such a machine at all.
    #[error("the device is '{0}', and netburn is made for Linux on x86_64, aarch64 and armv7 (ARMv7 and later)")]
    Unsupported(String),
    /// There could be, but is none on this machine.
    #[error(transparent)]
    Binary(#[from] BinaryError),
    /// It lacks it, and copying was forbidden.
    #[error(
        "the device has {found}, and --no-push forbids to copy '{}' there; install that, or leave --no-push out",
        ours()
    )]
    Forbidden {
        /// `no netburn`, or what it has.
        found: String,
    },
    /// Something went wrong on the device.
    #[error("the device could not take the program: {what}{}", said(.words))]
    Failed {
        /// What, and how to mend it.
        what: &'static str,
        /// The words of the tool that failed.
        words: String,
    },
    /// The file for such machines is of another build.
    #[error("{file} is of another version ('{found}', and this is '{}'); make it anew by: cargo xtask dist", ours())]
    OtherVersion {
        /// The file on this machine.
        file: String,
        /// What it says of its version.
        found: String,
    },
}

fn ours() -> &'static str {
    &VERSION_LINE
}

fn said(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!(" ({words})") }
}

/// Sees to it that the device has this very netburn, and says how to start it there.
///
/// # Errors
/// Where it has not, and it cannot or may not be copied; or where the device cannot be asked.
pub async fn install(login: &Login, policy: Push) -> Result<Installed, InstallError> {
    install_from(Binaries::of_this_machine(), login, policy).await
}

/// The same, with programs from elsewhere.
///
/// # Errors
/// As of [`install()`].
pub async fn install_from(binaries: &'static Binaries, login: &Login, policy: Push) -> Result<Installed, InstallError> {
    let survey = ask(login, &RemoteCommand::Survey, &[], PATIENCE).await?;
    let system = survey.system.unwrap_or_default();
    let (kernel, machine) = system.split_once(' ').unwrap_or((&system, ""));
    let done = |agent, pushed| Installed {
        agent: RemoteCommand::Agent(agent),
        pushed,
        arch: machine.to_owned(),
        version: ours().to_owned(),
        seen_from: survey.seen_from,
    };
    if survey.version.as_deref() == Some(ours()) {
        return Ok(done(Program::OnPath, None));
    }
    let found = match survey.version.as_deref() {
        None => "no netburn".to_owned(),
        Some("") => "a netburn that does not run".to_owned(),
        Some(other) => format!("'{other}'"),
    };
    let arch = Arch::of_kernel(machine).filter(|_| kernel == "Linux");
    let arch = arch.ok_or_else(|| InstallError::Unsupported(system.clone()))?;
    let binary = tokio::task::spawn_blocking(move || binaries.get(arch)).await;
    let binary = match (binary, policy) {
        (Ok(Ok(binary)), _) => binary,
        // Without a program of ours nobody knows what to look for in the cache there.
        (_, Push::Forbidden) => return Err(InstallError::Forbidden { found }),
        (Ok(Err(error)), Push::Allowed) => return Err(error.into()),
        (Err(error), Push::Allowed) => return Err(RunError::Start(error.into()).into()),
    };
    let cached = ask(login, &RemoteCommand::Verify(binary.digest), &[], PATIENCE).await?;
    if cached.cached == Some(binary.digest.to_string()) && cached.version.as_deref() == Some(ours()) {
        return Ok(done(Program::Cached(binary.digest), None));
    }
    if policy == Push::Forbidden {
        return Err(InstallError::Forbidden { found });
    }
    let began = Instant::now();
    let stored = ask(login, &RemoteCommand::Receive(binary.digest), &binary.bytes, PATIENCE_FOR_COPY).await?;
    if let Some((step, words)) = stored.failed {
        return Err(InstallError::Failed { what: meaning(&step, &words, binary.linkage), words });
    }
    if stored.version.as_deref() != Some(ours()) {
        let found = stored.version.unwrap_or_default();
        return Err(InstallError::OtherVersion { file: binary.file.display().to_string(), found });
    }
    let bytes = u64::try_from(binary.bytes.len()).unwrap_or(u64::MAX);
    let pushed = PushedBinary { bytes, took: began.elapsed(), digest: binary.digest, arch };
    Ok(done(Program::Cached(binary.digest), Some(pushed)))
}

/// Runs one of our scripts there, and reads what it says.
async fn ask(login: &Login, remote: &RemoteCommand, input: &[u8], patience: Duration) -> Result<Reply, InstallError> {
    let output = login.run(remote, input, patience).await?;
    let reply = Reply::parse(&output.stdout);
    if !reply.ended {
        return Err(InstallError::NoAnswer(last_line(&String::from_utf8_lossy(&output.stderr))));
    }
    Ok(reply)
}

/// What a failed step means, and how to mend it.
fn meaning(step: &str, words: &str, linkage: Linkage) -> &'static str {
    let says = |text: &str| words.contains(text);
    match step {
        _ if says("No space left") || says("quota exceeded") => {
            "no space is left there; free some, or set XDG_CACHE_HOME there to a folder on another disk"
        }
        _ if says("Read-only file system") => {
            "its cache folder is on a file system that is read-only; set XDG_CACHE_HOME there to a folder that can be written"
        }
        "folder" | "write" => {
            "its cache folder cannot be written; see to ~/.cache there, or set XDG_CACHE_HOME there to a folder of yours"
        }
        "digest" => {
            "what arrived is not what was sent (or nothing there can tell: install sha256sum, shasum or openssl); try again"
        }
        "run" if says("Permission denied") => {
            "programs may not be run from its cache folder (mounted noexec?); set XDG_CACHE_HOME there to a folder where they may, or \
             install netburn there"
        }
        "run" if says("xec format error") || says("Syntax error") => {
            "the program is for another kind of machine than its kernel claims to be"
        }
        "run" if linkage == Linkage::Dynamic => {
            "this netburn needs libraries that the device lacks; make one that stands alone by: cargo xtask dist"
        }
        "run" => "the program does not run there",
        _ => "it did not say why",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_wrong_on_a_device_is_named_with_its_cure() {
        for (step, words, linkage, part) in [
            ("write", "cat: write error: No space left on device", Linkage::Static, "free some"),
            ("folder", "mkdir: cannot create directory: Read-only file system", Linkage::Static, "read-only"),
            ("folder", "mkdir: cannot create directory '/.cache': Permission denied", Linkage::Static, "~/.cache"),
            ("run", "sh: 1: /home/me/…/incoming.7: Permission denied", Linkage::Static, "noexec"),
            ("run", "sh: …: Exec format error", Linkage::Static, "another kind of machine"),
            ("run", "sh: 1: …: not found", Linkage::Dynamic, "stands alone"),
            ("digest", "", Linkage::Static, "not what was sent"),
        ] {
            let meaning = meaning(step, words, linkage);
            assert!(meaning.contains(part), "{step}: {meaning}");
        }
    }
}
