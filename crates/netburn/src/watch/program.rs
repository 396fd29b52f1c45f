//! The user's command: one program and its arguments, told of an alarm by its stdin and its environment.

use std::env;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;
use tokio::time::timeout;

use super::alarm::Alarm;
use super::attempt::without_service;
use crate::control::testimony::legible;
use crate::controller::process::last_words;

/// How long a command may take.
pub(crate) const LIMIT: Duration = Duration::from_secs(30);
/// The longest value in its environment, in characters: a kernel takes 128 KiB.
const LONGEST_VALUE: usize = 2000;

/// A program and its arguments, run as they stand: no shell reads them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Program {
    /// What is run.
    pub(crate) path: OsString,
    /// With what.
    pub(crate) args: Vec<OsString>,
}

/// A command came to nothing.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ProgramError {
    /// It could not be started.
    #[error("cannot start it: {0}")]
    Start(std::io::Error),
    /// It ended badly.
    #[error("it ended with {status}{}", if words.is_empty() { String::new() } else { format!(": {words}") })]
    Failed {
        /// How.
        status: std::process::ExitStatus,
        /// The last line that it wrote to stderr.
        words: String,
    },
    /// It could not be waited for.
    #[error("cannot wait for it: {0}")]
    Lost(std::io::Error),
    /// It took too long.
    #[error("it took longer than {} s and was ended", LIMIT.as_secs())]
    TooLong,
}

impl Program {
    /// Whether there is such a program now, by its path or where `$PATH` finds it: what is missing would be missed only at the first
    /// alarm.
    pub(crate) fn is_there(&self) -> bool {
        let path = Path::new(&self.path);
        if path.components().count() > 1 || path.is_absolute() {
            return can_be_run(path);
        }
        let folders: Vec<PathBuf> = env::var_os("PATH").map_or_else(Vec::new, |path| env::split_paths(&path).collect());
        folders.iter().any(|folder| can_be_run(&folder.join(path)))
    }

    /// Tells it of an alarm, and waits for its end.
    ///
    /// # Errors
    /// Where it could not be run, failed, or took too long.
    pub(crate) async fn tell(&self, alarm: &Alarm) -> Result<(), ProgramError> {
        let mut command = Command::new(&self.path);
        command.args(&self.args).envs(facts(alarm)).process_group(0).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = without_service(&mut command).spawn().map_err(ProgramError::Start)?;
        let group = child.id().and_then(|pid| i32::try_from(pid).ok()).map(Pid::from_raw);
        let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
        let told = async {
            let feed = async {
                if let Some(mut stdin) = stdin {
                    // Who does not read it does not need it.
                    let _ = stdin.write_all(alarm.document().as_bytes()).await;
                }
            };
            let listen = async {
                match stderr {
                    Some(stderr) => last_words(stderr).await,
                    None => String::new(),
                }
            };
            tokio::join!(feed, listen)
        };
        // Its streams end when all that it started is through, so it is waited for afterwards.
        let outcome = timeout(LIMIT, async {
            let ((), words) = told.await;
            child.wait().await.map(|status| (status, words))
        })
        .await;
        match outcome {
            Ok(Ok((status, _))) if status.success() => Ok(()),
            Ok(Ok((status, words))) => Err(ProgramError::Failed { status, words }),
            Ok(Err(error)) => Err(ProgramError::Lost(error)),
            Err(_) => {
                // With all that it started. It has not been waited for, so the number is still its own.
                if let (Some(group), Some(_)) = (group, child.id()) {
                    let _ = killpg(group, Signal::SIGKILL);
                }
                let _ = child.wait().await;
                Err(ProgramError::TooLong)
            }
        }
    }
}

fn can_be_run(path: &Path) -> bool {
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

/// What is in its environment. `NETBURN_RUN` and `NETBURN_RUN_FILE` are empty where there is none.
pub(crate) fn facts(alarm: &Alarm) -> [(&'static str, String); 8] {
    let text = |text: &str| legible(text, LONGEST_VALUE);
    [
        ("NETBURN_AT", text(&alarm.at)),
        ("NETBURN_HOST", text(&alarm.host)),
        ("NETBURN_SCENARIO", text(&alarm.scenario)),
        ("NETBURN_SUMMARY", text(&alarm.summary)),
        ("NETBURN_CONDITION", alarm.condition.word().to_owned()),
        ("NETBURN_RESULT", alarm.run.result.word().to_owned()),
        ("NETBURN_RUN", text(alarm.run.id.as_deref().unwrap_or_default())),
        ("NETBURN_RUN_FILE", text(alarm.run.file.as_deref().unwrap_or_default())),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::alarm::tests::alarm;
    use crate::watch::condition::Condition;

    fn shell(script: &str) -> Program {
        Program { path: "/bin/sh".into(), args: vec!["-c".into(), script.into()] }
    }

    fn tell(program: &Program) -> Result<(), ProgramError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(program.tell(&alarm(&[("$(touch x)\n\0", Condition::Bad)])))
    }

    #[test]
    fn a_command_gets_the_document_on_stdin_and_the_facts_in_its_environment() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().display().to_string();
        let script = format!("cat >{out}/document; printf %s \"$NETBURN_SUMMARY|$NETBURN_CONDITION\" >{out}/facts");
        tell(&shell(&script)).unwrap();
        let read = |name| std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert_eq!(read("document"), alarm(&[("$(touch x)\n\0", Condition::Bad)]).document());
        assert_eq!(read("facts"), "Evening: stream of $(touch x)   fails|good");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn arguments_reach_the_program_as_they_stand() {
        let args = ["-c", "[ \"$#\" = 2 ] && [ \"$1\" = 'a b' ] && [ \"$2\" = '$HOME;' ]", "sh", "a b", "$HOME;"];
        tell(&Program { path: "/bin/sh".into(), args: args.map(OsString::from).into() }).unwrap();
    }

    #[test]
    fn one_that_reads_nothing_is_none_the_worse_for_it() {
        tell(&shell("exec true")).unwrap();
    }

    #[test]
    fn one_that_fails_is_told_of_with_its_last_words() {
        let said = tell(&shell("echo first >&2; echo 'no mail\u{1b}[2J today' >&2; exit 3")).unwrap_err().to_string();
        assert_eq!(said, "it ended with exit status: 3: no mail [2J today");
        let missing = Program { path: "/no/such/program".into(), args: vec![] };
        assert!(tell(&missing).unwrap_err().to_string().starts_with("cannot start it: No such file"));
    }
}
