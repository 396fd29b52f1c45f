//! Why a login failed, from what `ssh` said, and how to mend it.
//!
//! `ssh` has one exit code for everything (255), so its words are all there is. It does not translate them.

use std::fmt;

/// Why a login failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// There is no `ssh` on this machine.
    NoSsh,
    /// The name leads to no address.
    HostNotFound,
    /// A machine is there, but no SSH server on this port.
    Refused,
    /// No answer came in time.
    TimedOut,
    /// There is no way to the address.
    Unreachable,
    /// The host shows another key than before. Nothing was run there.
    HostKeyChanged,
    /// The host is not known yet, and nobody could be asked, or the answer was no.
    HostKeyUnknown,
    /// The host is known, but not us: no key, password or other way was accepted.
    PermissionDenied {
        /// What the server would have taken, in its words: `publickey,password`.
        methods: String,
    },
    /// The agent has so many keys that the server gave up before the right one.
    TooManyKeys,
    /// The server hung up before anybody was logged in.
    HungUp,
    /// The two have no way of encryption in common.
    NothingInCommon,
    /// The user's ssh config, or an option of ours, is not understood.
    Config,
    /// None of these; the words of `ssh` are all that is known.
    Other,
}

/// What `ssh` says, and what it means. Earlier lines win: a changed host key ends in "verification failed" too, and every
/// failure may end in "closed".
const SAYINGS: [(&str, Cause); 22] = [
    ("REMOTE HOST IDENTIFICATION HAS CHANGED", Cause::HostKeyChanged),
    ("POSSIBLE DNS SPOOFING DETECTED", Cause::HostKeyChanged),
    ("WARNING: REVOKED HOST KEY", Cause::HostKeyChanged),
    ("Bad configuration option", Cause::Config),
    ("bad configuration options", Cause::Config),
    ("Can't open user config file", Cause::Config),
    ("Bad owner or permissions on", Cause::Config),
    ("Could not resolve hostname", Cause::HostNotFound),
    ("Host key verification failed", Cause::HostKeyUnknown),
    ("host key is known for", Cause::HostKeyUnknown),
    ("Unable to negotiate", Cause::NothingInCommon),
    ("no matching host key type", Cause::NothingInCommon),
    ("Too many authentication failures", Cause::TooManyKeys),
    ("Connection timed out", Cause::TimedOut),
    ("Operation timed out", Cause::TimedOut),
    ("timed out", Cause::TimedOut),
    ("Connection refused", Cause::Refused),
    ("No route to host", Cause::Unreachable),
    ("Network is unreachable", Cause::Unreachable),
    ("Connection closed by", Cause::HungUp),
    ("Connection reset by", Cause::HungUp),
    ("kex_exchange_identification", Cause::HungUp),
];

impl Cause {
    /// Reads the cause from what `ssh` wrote.
    #[must_use]
    pub fn of(words: &str) -> Self {
        // Only the changed key, whose banner is long, and a broken config are said before the end. "Permission denied" with
        // methods is the last word on a login; "Permission denied, please try again" is not.
        let denied = words.lines().rev().find_map(|line| {
            let (_, methods) = line.split_once("Permission denied (")?;
            Some(methods.split(')').next()?.chars().filter(|c| !c.is_control()).take(100).collect())
        });
        let said = SAYINGS.iter().find(|(saying, _)| words.contains(saying)).map(|(_, cause)| cause.clone());
        match (said, denied) {
            (Some(cause @ (Self::HostKeyChanged | Self::TooManyKeys)), _) => cause,
            (_, Some(methods)) => Self::PermissionDenied { methods },
            (Some(cause), None) => cause,
            (None, None) => Self::Other,
        }
    }

    /// The part of what `ssh` wrote in which the cause is told best: all, so that the last line counts, except where each
    /// mistake in a config has a line and the last one only counts them.
    pub(super) fn telling<'w>(&self, words: &'w str) -> &'w str {
        match self {
            Self::Config => words.lines().next().unwrap_or_default(),
            _ => words,
        }
    }

    /// How to mend it, for the host `host`.
    #[must_use]
    pub fn advice(&self, host: &str) -> String {
        match self {
            Self::NoSsh => "install OpenSSH's client (Debian: apt install openssh-client)".to_owned(),
            Self::HostNotFound => {
                format!("check the name, add it to ~/.ssh/config (Host {host}, HostName …), or write an address")
            }
            Self::Refused => "start an SSH server there, or give its port: ssh:user@host:port".to_owned(),
            Self::TimedOut => {
                "is it switched on, awake, and on this network? a firewall may swallow the attempt".to_owned()
            }
            Self::Unreachable => "this machine has no way there: is it on the same network?".to_owned(),
            Self::HostKeyChanged => format!(
                "if the device was set up anew, forget its old key (ssh-keygen -R {host}) and log in once by hand to see \
                 the new one; if not, somebody may be in between"
            ),
            Self::HostKeyUnknown => format!("log in once by hand and compare its key: ssh {host}"),
            Self::PermissionDenied { .. } => {
                format!(
                    "is it the right user? give it your key (ssh-copy-id {host}), or run this where it can ask for a password"
                )
            }
            Self::TooManyKeys => {
                format!("name the one key in ~/.ssh/config (Host {host}: IdentityFile …, IdentitiesOnly yes)")
            }
            Self::HungUp => {
                "its log says why (journalctl -u ssh there): too many logins at once (MaxStartups), or a ban".to_owned()
            }
            Self::NothingInCommon => "one of the two SSH versions is very old; update it".to_owned(),
            Self::Config => "mend what is named, and try: ssh -G to see what your config gives".to_owned(),
            Self::Other => format!("try by hand: ssh -v {host}"),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSsh => "there is no ssh on this machine",
            Self::HostNotFound => "no such host",
            Self::Refused => "no SSH server answers at this port",
            Self::TimedOut => "it did not answer in time",
            Self::Unreachable => "there is no way to it",
            Self::HostKeyChanged => "its host key is not the one that was known, so nothing was run there",
            Self::HostKeyUnknown => "its host key is not known yet, and was not confirmed",
            Self::PermissionDenied { methods } => return write!(f, "it did not let us in (it takes {methods})"),
            Self::TooManyKeys => "it gave up before the right key was tried",
            Self::HungUp => "it hung up before the login",
            Self::NothingInCommon => "it speaks no cipher or key type that this ssh takes",
            Self::Config => "ssh does not understand its configuration",
            Self::Other => "ssh failed",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_ssh_name_the_cause() {
        // As OpenSSH 9.2 says it.
        for (words, cause) in [
            ("ssh: Could not resolve hostname tv: Name or service not known\r\n", Cause::HostNotFound),
            ("ssh: connect to host ::1 port 1: Connection refused\r\n", Cause::Refused),
            ("ssh: connect to host 10.0.0.9 port 22: Connection timed out\r\n", Cause::TimedOut),
            (
                "Connection timed out during banner exchange\r\nConnection to 10.0.0.9 port 22 timed out\r\n",
                Cause::TimedOut,
            ),
            ("ssh: connect to host 10.0.0.9 port 22: No route to host\r\n", Cause::Unreachable),
            (
                "No ED25519 host key is known for tv and you have requested strict checking.\r\nHost key verification failed.\r\n",
                Cause::HostKeyUnknown,
            ),
            (
                "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @\r\nIT IS POSSIBLE …\r\nHost key verification failed.\r\n",
                Cause::HostKeyChanged,
            ),
            (
                "me@tv: Permission denied (publickey,password).\r\n",
                Cause::PermissionDenied { methods: "publickey,password".into() },
            ),
            (
                "Permission denied, please try again.\r\nme@tv: Permission denied (password).\r\n",
                Cause::PermissionDenied { methods: "password".into() },
            ),
            (
                "Received disconnect from ::1 port 22:2: Too many authentication failures\r\nDisconnected from ::1 port 22\r\n",
                Cause::TooManyKeys,
            ),
            (
                "kex_exchange_identification: Connection closed by remote host\r\nConnection closed by ::1 port 22\r\n",
                Cause::HungUp,
            ),
            (
                "Unable to negotiate with ::1 port 22: no matching cipher found. Their offer: 3des-cbc\r\n",
                Cause::NothingInCommon,
            ),
            ("/home/me/.ssh/config: line 3: Bad configuration option: hots\r\n", Cause::Config),
            ("something new\r\n", Cause::Other),
            ("", Cause::Other),
        ] {
            assert_eq!(Cause::of(words), cause, "{words}");
        }
    }

    #[test]
    fn a_warning_on_the_way_is_not_taken_for_the_reason() {
        // Two addresses: the first refuses, the second lets us as far as the password.
        let words = "ssh: connect to host ::1 port 22: Connection refused\r\nme@tv: Permission denied (password).\r\n";
        assert_eq!(Cause::of(words), Cause::PermissionDenied { methods: "password".into() });
    }
}
