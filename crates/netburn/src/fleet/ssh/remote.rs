//! What may be run on a device: a closed set of fixed texts.
//!
//! `ssh` hands a remote command to the login shell there as one text, whatever shell that is. Each text here is therefore
//! one `exec sh -c '…'` without quotes, backslashes, exclamation marks or line ends inside, which sh, dash, ash, bash,
//! zsh, csh and fish read alike, and leaves no shell behind. Nothing from a scenario, a device or a person
//! becomes part of it: the one thing that varies is a [`Digest`], 64 hexadecimal digits that this program computed.
//!
//! Lines that are meant for us begin with [`MARK`], for a login shell's start files may print what they like before them.

use super::binary::Digest;

/// Begins each line of a reply that is meant for us.
pub(crate) const MARK: &str = "@netburn@";

/// Something that may be run on a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemoteCommand {
    /// Nothing at all: how long it takes to have something run there.
    Nothing,
    /// Says what kind of machine it is, from where we came, and which netburn is installed.
    Survey,
    /// Says what may slow logins down there, of files that everybody may read: name services, `sshd`'s config, PAM's.
    LoginSetUp,
    /// Says the digest of the netburn of this digest in the cache there.
    Verify(Digest),
    /// Takes a program of this digest from stdin, checks it, tries it, and puts it into the cache.
    Receive(Digest),
    /// Becomes the agent; stdin and stdout are its stream, after the noise of the shell's start files: see
    /// [`Login::link`](super::Login::link).
    Agent(Program),
}

/// Which netburn on a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Program {
    /// The one that the login shell finds.
    OnPath,
    /// The one of this digest in the cache.
    Cached(Digest),
}

/// Where the program of a digest lies: `$d/netburn`. `set -f` keeps the shell from taking what programs say for patterns.
fn folder(digest: &Digest) -> String {
    format!(r#"set -f; d="${{XDG_CACHE_HOME:-$HOME/.cache}}/netburn/{digest}"; "#)
}

/// `say WORD…`, a marked line, and `sum FILE`, its SHA-256 by whatever is there: coreutils or busybox, Perl's, OpenSSL, or else
/// the program itself, which can tell a torn copy, if not a malicious one.
const SAY_AND_SUM: &str = concat!(
    r#"say() { echo "@netburn@ $*"; }; "#,
    "sum() { ",
    r#"if command -v sha256sum >/dev/null 2>&1; then sha256sum <"$1"; "#,
    r#"elif command -v shasum >/dev/null 2>&1; then shasum -a 256 <"$1"; "#,
    r#"elif command -v openssl >/dev/null 2>&1; then openssl dgst -sha256 -r <"$1"; "#,
    r#"else "$1" agent --digest </dev/null; fi 2>/dev/null | cut -c 1-64; }; "#,
    "echo; ",
);

/// What comes before the first byte of an agent, for [`super::agent`].
pub(super) const AGENT_FOLLOWS: &str = "\n@netburn@ agent\n";

/// Says so.
const AGENT: &str = "echo; echo @netburn@ agent; ";

const SURVEY: &str = concat!(
    r#"say system "$(uname -sm)"; "#,
    r#"say connection "$SSH_CONNECTION"; "#,
    r#"if command -v netburn >/dev/null 2>&1; then say version "$(netburn --version 2>/dev/null </dev/null | head -n 1)"; fi; "#,
    "say end",
);

/// No file is named by anybody else, and only lines with these words are told.
const LOGIN_SET_UP: &str = concat!(
    r#"say() { echo "@netburn@ $*"; }; tell() { while read -r l; do say $1 "$l"; done; }; echo; "#,
    r#"grep -E "^(hosts|passwd):" /etc/nsswitch.conf 2>/dev/null | tell nsswitch; "#,
    r#"cat /etc/ssh/sshd_config.d/*.conf /etc/ssh/sshd_config 2>/dev/null | "#,
    r#"grep -iE "^[[:space:]]*(UseDNS|UsePAM|GSSAPIAuthentication|HostbasedAuthentication|AuthorizedKeysCommand|ForceCommand|MaxStartups)" "#,
    "| head -n 40 | tell sshd; ",
    r#"cat /etc/pam.d/sshd /etc/pam.d/common-session /etc/pam.d/common-account /etc/pam.d/postlogin /etc/pam.d/password-auth "#,
    r#"2>/dev/null | grep -E "^-?(session|account)" | head -n 60 | tell pam; "#,
    "say end",
);

const VERIFY: &str = concat!(
    r#"if test -f "$d/netburn" && test -x "$d/netburn"; then "#,
    r#"say cached "$(sum "$d/netburn")"; say version "$("$d/netburn" --version 2>/dev/null </dev/null | head -n 1)"; fi; "#,
    "say end",
);

/// The copy gets its name only once it is whole and runs, so that nobody ever starts half a program.
const RECEIVE: &str = concat!(
    "umask 077; ",
    r#"t="$d/incoming.$$"; "#,
    r#"clean() { rm -f "$t"; }; trap clean EXIT; trap "exit 1" HUP INT TERM PIPE; "#,
    r#"fail() { say failed "$@"; say end; exit 0; }; "#,
    r#"m=$(mkdir -p "$d" 2>&1) || fail folder $m; "#,
    r#"m=$( (cat >"$t") 2>&1 ) || fail write $m; "#,
    r#"m=$(chmod 700 "$t" 2>&1) || fail write $m; "#,
    r#"h=$(sum "$t"); test "$h" = "$w" || fail digest $h; "#,
    r#"m=$("$t" --version 2>&1 </dev/null) || fail run $m; "#,
    r#"say version $m; "#,
    r#"m=$(mv -f "$t" "$d/netburn" 2>&1) || fail write $m; "#,
    "say end",
);

impl RemoteCommand {
    /// The text for the login shell.
    pub(super) fn text(&self) -> String {
        let script = match self {
            Self::Nothing => return "exec true".to_owned(),
            Self::Survey => format!("{SAY_AND_SUM}{SURVEY}"),
            Self::LoginSetUp => LOGIN_SET_UP.to_owned(),
            Self::Verify(digest) => format!("{}{SAY_AND_SUM}{VERIFY}", folder(digest)),
            Self::Receive(digest) => format!("{}w={digest}; {SAY_AND_SUM}{RECEIVE}", folder(digest)),
            Self::Agent(Program::OnPath) => format!("{AGENT}exec netburn agent --stdio"),
            Self::Agent(Program::Cached(digest)) => {
                format!(r#"{}{AGENT}exec "$d/netburn" agent --stdio"#, folder(digest))
            }
        };
        format!("exec sh -c '{script}'")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> Vec<RemoteCommand> {
        let digest = Digest::of(b"abc");
        vec![
            RemoteCommand::Nothing,
            RemoteCommand::Survey,
            RemoteCommand::LoginSetUp,
            RemoteCommand::Verify(digest),
            RemoteCommand::Receive(digest),
            RemoteCommand::Agent(Program::OnPath),
            RemoteCommand::Agent(Program::Cached(digest)),
        ]
    }

    #[test]
    fn no_text_holds_what_one_of_the_shells_reads_otherwise() {
        for command in all() {
            let text = command.text();
            let script = text.strip_prefix("exec sh -c '").and_then(|rest| rest.strip_suffix('\''));
            let inside = script.unwrap_or("");
            assert!(script.is_some() || text == "exec true", "{text}");
            assert!(!inside.contains(['\'', '\\', '!', '\n', '`']) && text.is_ascii(), "{text}");
        }
    }

    #[test]
    fn lines_for_us_begin_with_the_mark() {
        assert!(SAY_AND_SUM.contains(&format!("\"{MARK} $*\"")));
    }

    #[test]
    fn the_agent_replaces_the_shell() {
        assert_eq!(
            RemoteCommand::Agent(Program::OnPath).text(),
            "exec sh -c 'echo; echo @netburn@ agent; exec netburn agent --stdio'"
        );
        // SHA-256 of "abc": FIPS 180-4's own example.
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let text = RemoteCommand::Agent(Program::Cached(Digest::of(b"abc"))).text();
        let folder = format!("${{XDG_CACHE_HOME:-$HOME/.cache}}/netburn/{digest}");
        let after = r#"echo; echo @netburn@ agent; exec "$d/netburn" agent --stdio"#;
        assert_eq!(text, format!(r#"exec sh -c 'set -f; d="{folder}"; {after}'"#));
    }
}
