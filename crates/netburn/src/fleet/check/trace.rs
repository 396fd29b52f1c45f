//! Where a login's time goes, from the lines that `ssh -vv` writes and the moments at which they came.
//!
//! Each line that marks a step ends the one before. The lines are those of OpenSSH 7 to 10; a line that is not known belongs to
//! the step that is under way, so that a new version's words make this less precise and never wrong. What each step is
//! for is in the source of OpenSSH (`sshconnect.c`, `sshconnect2.c`, `clientloop.c`) and in RFC 4253 and RFC 4252.

use std::time::Duration;

/// A step of a login.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// This machine's `ssh` starts and reads its configuration.
    Configuration,
    /// This machine looks the host's name up.
    Resolution,
    /// This machine tries an address in vain.
    DeadAddress(String),
    /// This machine connects.
    Connection,
    /// A jump host or another command makes the way.
    Proxy,
    /// The server is connected, and has not greeted yet.
    Banner,
    /// The two agree on keys.
    KeyExchange,
    /// This machine asks its key agent, and for the login to begin.
    KeyAgent,
    /// The server looks up who comes and whom they want to be.
    Lookup,
    /// A way to prove oneself that came to nothing, by its name in RFC 4252: `gssapi-with-mic`.
    Method(String),
    /// Keys are offered, and the server looks for them among those it knows.
    KeyOffers,
    /// The proof is made here, and the account looked at there.
    Proof,
    /// The server prepares the session.
    Session,
    /// The login shell starts, to run a command that does nothing.
    Shell,
    /// The session ends.
    End,
}

/// How long a step took, and what shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Which.
    pub step: Step,
    /// All its parts together.
    pub took: Duration,
    /// The line before its longest silence, and the line that ended it.
    pub between: (String, String),
    /// How often it was begun: for keys, how many were offered.
    pub times: usize,
    longest_silence: Duration,
}

/// The steps of a login in the order in which each was met first.
#[must_use]
pub fn steps(lines: &[(Duration, String)]) -> Vec<Timing> {
    let mut steps: Vec<Timing> = Vec::new();
    let mut current = Step::Configuration;
    let (mut then, mut before) = (Duration::ZERO, "");
    let mut begins = true;
    for (at, line) in lines {
        let silence = at.saturating_sub(then);
        // The connection that could not be made is known only when it fails.
        if let Some(address) = dead_address(line) {
            current = Step::DeadAddress(address.to_owned());
        }
        let step = match steps.iter_mut().find(|timing| timing.step == current) {
            Some(step) => step,
            None => {
                steps.push(Timing {
                    step: current.clone(),
                    took: Duration::ZERO,
                    between: (String::new(), String::new()),
                    times: 0,
                    longest_silence: Duration::ZERO,
                });
                let Some(step) = steps.last_mut() else { continue };
                step
            }
        };
        step.times += usize::from(begins);
        step.took += silence;
        if silence > step.longest_silence {
            step.longest_silence = silence;
            step.between = (before.to_owned(), line.clone());
        }
        let next = next_step(line);
        begins = next.is_some();
        current = next.unwrap_or(current);
        (then, before) = (*at, line);
    }
    steps
}

/// The step that begins with a line, where one does.
fn next_step(line: &str) -> Option<Step> {
    let line = line.trim_start_matches("debug1: ").trim_start_matches("debug2: ");
    let begins = |text: &str| line.starts_with(text);
    if let Some(method) = line.strip_prefix("Next authentication method: ") {
        return Some(match method {
            "publickey" => Step::KeyOffers,
            other => Step::Method(other.to_owned()),
        });
    }
    let step = match () {
        () if begins("resolving \"") => Step::Resolution,
        () if begins("Connecting to ") => Step::Connection,
        () if begins("Executing proxy command") => Step::Proxy,
        () if begins("Connection established.") || begins("Local version string") => Step::Banner,
        () if begins("Remote protocol version") => Step::KeyExchange,
        () if begins("SSH2_MSG_NEWKEYS received") => Step::KeyAgent,
        () if begins("SSH2_MSG_SERVICE_ACCEPT received") => Step::Lookup,
        () if begins("Offering public key") || begins("Trying private key") => Step::KeyOffers,
        () if begins("Server accepts key") => Step::Proof,
        () if begins("Authenticated to ") || begins("Authentication succeeded") => Step::Session,
        () if begins("exec request accepted") => Step::Shell,
        () if line.contains(" rtype exit-status") => Step::End,
        () => return None,
    };
    Some(step)
}

/// The address in `debug1: connect to address 2001:db8::7 port 22: Connection timed out`.
fn dead_address(line: &str) -> Option<&str> {
    let (address, _) = line.strip_prefix("debug1: connect to address ")?.split_once(" port ")?;
    Some(address)
}
