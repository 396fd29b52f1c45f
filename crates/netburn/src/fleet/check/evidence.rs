//! What a device and this machine say of how logins are set up, as far as everybody may read it.

use std::fs;

use crate::fleet::ssh::MARK;

/// What is known of how logins are set up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The `hosts:` line of this machine's `/etc/nsswitch.conf`.
    pub hosts_here: Option<String>,
    /// The device's.
    pub hosts_there: Option<String>,
    /// The `passwd:` line of the device's.
    pub passwd_there: Option<String>,
    /// Lines of the device's `/etc/ssh/sshd_config` and what it includes that may slow a login down.
    pub sshd: Vec<String>,
    /// Session and account lines of the device's PAM configuration for `sshd`.
    pub pam: Vec<String>,
}

/// The most lines and letters that are kept of what a device says.
const MOST_LINES: usize = 60;
const LONGEST_LINE: usize = 200;

impl Evidence {
    /// What this machine says, and what the device said to [`RemoteCommand::LoginSetUp`](crate::fleet::ssh::RemoteCommand::LoginSetUp).
    #[must_use]
    pub fn collect(output: &[u8]) -> Self {
        let nsswitch = fs::read_to_string("/etc/nsswitch.conf").unwrap_or_default();
        let hosts = nsswitch.lines().find(|line| line.starts_with("hosts:"));
        Self { hosts_here: hosts.map(in_one_space), ..Self::of_device(output) }
    }

    /// What the device said.
    #[must_use]
    pub fn of_device(output: &[u8]) -> Self {
        let mut evidence = Self::default();
        for line in String::from_utf8_lossy(output).lines() {
            let Some(line) = line.strip_prefix(MARK).and_then(|line| line.strip_prefix(' ')) else { continue };
            let Some((word, line)) = line.split_once(' ') else { continue };
            let line: String = in_one_space(line).chars().filter(|c| !c.is_control()).take(LONGEST_LINE).collect();
            match word {
                "nsswitch" if line.starts_with("hosts:") => evidence.hosts_there = Some(line),
                "nsswitch" if line.starts_with("passwd:") => evidence.passwd_there = Some(line),
                "sshd" if evidence.sshd.len() < MOST_LINES => evidence.sshd.push(line),
                "pam" if evidence.pam.len() < MOST_LINES => evidence.pam.push(line),
                _ => {}
            }
        }
        evidence
    }

    /// The value that the server's config gives to a keyword, in small letters: the first one counts (sshd_config(5)).
    #[must_use]
    pub fn sshd_value(&self, keyword: &str) -> Option<String> {
        let value = self.sshd.iter().find_map(|line| {
            let (word, value) = line.trim().split_once([' ', '='])?;
            word.eq_ignore_ascii_case(keyword).then(|| value.trim().trim_matches('"').to_lowercase())
        });
        value.filter(|value| !value.is_empty())
    }

    /// The PAM line of a kind (`session`, `account`) that names a module.
    #[must_use]
    pub fn pam_line(&self, kind: &str, module: &str) -> Option<&str> {
        let is = |line: &&String| line.trim_start_matches('-').starts_with(kind) && line.contains(module);
        self.pam.iter().find(is).map(String::as_str)
    }
}

fn in_one_space(line: &str) -> String {
    line.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_marked_lines_count_and_the_first_value_of_a_keyword_wins() {
        let output = b"Welcome!\n@netburn@ nsswitch hosts:   files mdns4 dns\n@netburn@ sshd UseDNS yes\n@netburn@ sshd usedns no\n\
            sshd UsePAM no\n@netburn@ pam session optional pam_systemd.so\n@netburn@ pam -session optional pam_ck.so\n@netburn@ end\n";
        let evidence = Evidence::of_device(output);
        assert_eq!(evidence.hosts_there.as_deref(), Some("hosts: files mdns4 dns"));
        assert_eq!(evidence.sshd_value("UseDNS").as_deref(), Some("yes"));
        assert_eq!(evidence.sshd_value("UsePAM"), None);
        assert_eq!(evidence.pam_line("session", "pam_systemd"), Some("session optional pam_systemd.so"));
        assert_eq!(evidence.pam_line("session", "pam_ck"), Some("-session optional pam_ck.so"));
        assert_eq!(evidence.pam_line("account", "pam_systemd"), None);
    }

    #[test]
    fn a_device_that_talks_without_end_is_kept_short() {
        let line = format!("@netburn@ pam session {}\n", "x".repeat(1000));
        let evidence = Evidence::of_device(line.repeat(500).as_bytes());
        assert_eq!(evidence.pam.len(), MOST_LINES);
        assert!(evidence.pam.iter().all(|line| line.len() <= LONGEST_LINE));
    }
}
