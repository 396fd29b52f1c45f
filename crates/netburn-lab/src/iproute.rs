//! Runs `ip` and `tc`, which speak the kernel's own language for links and queues.

use std::env;
use std::ffi::OsStr;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::LabError;

/// Links, addresses, routes.
pub(crate) const IP: &str = "ip";
/// Queues.
pub(crate) const TC: &str = "tc";
/// Where both come from.
const PACKAGE: &str = "iproute2";

/// Runs the lines of `script`, up to the first that fails. `prepare` says where.
pub(crate) fn run_batch(
    program: &'static str,
    script: &str,
    prepare: impl FnOnce(&mut Command),
) -> Result<(), LabError> {
    let mut command = locate(program)?;
    command.args(["-batch", "-"]);
    prepare(&mut command);
    let output = finish(&mut command, script).map_err(|source| LabError::Run { program, source })?;
    if output.status.success() { Ok(()) } else { Err(refused_step(program, script, &output.stderr)) }
}

/// What `program` prints as JSON.
pub(crate) fn run_json(
    program: &'static str,
    arguments: &[&str],
    prepare: impl FnOnce(&mut Command),
) -> Result<Vec<u8>, LabError> {
    let mut command = locate(program)?;
    command.args(arguments);
    prepare(&mut command);
    let output = finish(&mut command, "").map_err(|source| LabError::Run { program, source })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let message = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(LabError::Refused { program, step: arguments.join(" "), message })
}

fn locate(program: &'static str) -> Result<Command, LabError> {
    let path = env::var_os("PATH").unwrap_or_default();
    // Ordinary users' PATH lacks the last two on Debian.
    let folders = env::split_paths(&path).chain(["/usr/sbin", "/sbin"].map(PathBuf::from));
    find(program.as_ref(), folders).map(Command::new).ok_or(LabError::MissingProgram { program, package: PACKAGE })
}

fn find(program: &OsStr, folders: impl IntoIterator<Item = PathBuf>) -> Option<PathBuf> {
    // A relative entry of PATH depends on where one stands; it is passed over.
    folders.into_iter().filter(|folder| folder.is_absolute()).map(|folder| folder.join(program)).find(|p| is_file(p))
}

fn is_file(path: &Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.is_file())
}

fn finish(command: &mut Command, input: &str) -> io::Result<Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that stops at a bad line leaves the rest unread; its status and its words tell more than EPIPE.
        let _ = stdin.write_all(input.as_bytes());
    }
    child.wait_with_output()
}

/// Finds the failed line: iproute2 ends its words with `Command failed -:LINE`, counted from 1.
fn refused_step(program: &'static str, script: &str, stderr: &[u8]) -> LabError {
    let said = String::from_utf8_lossy(stderr);
    let (message, number) = said.rsplit_once("Command failed -:").unwrap_or((&said, ""));
    let line = number.trim().parse::<usize>().ok().and_then(|number| script.lines().nth(number.checked_sub(1)?));
    LabError::Refused {
        program,
        step: line.unwrap_or("-batch").to_owned(),
        message: message.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_looked_for_in_absolute_folders_only() {
        assert_eq!(find("sh".as_ref(), ["bin".into(), "/bin".into()]), Some("/bin/sh".into()));
        assert_eq!(find("sh".as_ref(), ["/nowhere".into(), ".".into()]), None);
    }

    #[test]
    fn a_missing_program_is_told_with_its_package() {
        let text = LabError::MissingProgram { program: TC, package: PACKAGE }.to_string();
        assert_eq!(text, "the program 'tc' is missing: install the package iproute2 (apt-get install iproute2)");
    }

    #[test]
    fn a_refused_step_is_told_as_one_could_type_it() {
        let script = "link show dev lo\nlink show dev nothing\n";
        let error = run_batch(IP, script, |_| {}).unwrap_err().to_string();
        assert_eq!(error, "the kernel refused 'ip link show dev nothing': Device \"nothing\" does not exist.");
    }
}
