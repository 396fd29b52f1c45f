//! Why a login is slow: the steps that took its time, what most likely made them slow, and the line to change.

use std::time::Duration;

use serde::Serialize;

use super::evidence::Evidence;
use super::trace::{Step, Timing, steps};

/// A step is named where it took at least this share of the whole.
const SHARE: u32 = 4;
/// Modules that have often been seen to hold a session up, the likeliest first.
const SLOW_MODULES: [&str; 8] =
    ["pam_exec", "pam_motd", "pam_sss", "pam_ldap", "pam_krb5", "pam_mkhomedir", "pam_systemd", "pam_lastlog"];
/// How long pam_systemd waits for a `systemd-logind` that does not answer: the default of D-Bus calls.
const DBUS_TIMEOUT: Duration = Duration::from_secs(25);

/// Why a login is slow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    /// How long the login took that was looked at, which is another than the first.
    pub took: Duration,
    /// The longest step first. Empty where no step stands out.
    pub causes: Vec<Cause>,
}

/// A step that took long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cause {
    /// How long.
    pub took: Duration,
    /// What it is, in a sentence; this is seen, not guessed.
    pub seen: String,
    /// What most likely makes it slow, in a sentence.
    pub because: String,
    /// Whether that is certain.
    pub certainty: Certainty,
    /// The lines of `ssh -vv` around its longest silence.
    pub between: (String, String),
    /// What of the set-up of the two machines speaks for it.
    pub evidence: Vec<String>,
    /// What to change.
    pub change: Change,
}

/// How sure a cause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// The evidence leaves no other.
    Certain,
    /// Others are possible.
    Likely,
}

/// What to change, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file, with the machine.
    pub place: &'static str,
    /// The line.
    pub line: String,
}

/// Looks at the lines of `ssh -vv`, each with the moment at which it came.
#[must_use]
pub fn diagnose(lines: &[(Duration, String)], evidence: &Evidence, host: &str) -> Diagnosis {
    let took = lines.last().map_or(Duration::ZERO, |(at, _)| *at);
    let mut slow: Vec<Timing> = steps(lines);
    slow.retain(|timing| timing.took >= took / SHARE && !timing.took.is_zero());
    slow.sort_by_key(|timing| std::cmp::Reverse(timing.took));
    let causes = slow.iter().filter_map(|timing| cause(timing, evidence, host)).collect();
    Diagnosis { took, causes }
}

const CLIENT: &str = "~/.ssh/config on this machine";
const SSHD: &str = "/etc/ssh/sshd_config on the device (then: systemctl restart ssh)";

struct Judged {
    seen: String,
    because: String,
    certainty: Certainty,
    evidence: Vec<String>,
    change: Change,
}

fn cause(timing: &Timing, evidence: &Evidence, host: &str) -> Option<Cause> {
    use Certainty::{Certain, Likely};
    let judged = |seen: &str, because: &str, certainty, evidence: Vec<String>, place, line: String| Judged {
        seen: seen.to_owned(),
        because: because.to_owned(),
        certainty,
        evidence,
        change: Change { place, line },
    };
    let for_host = |line: &str| format!("Host {host}: {line}");
    let judged = match &timing.step {
        Step::Resolution => resolution(evidence, host),
        Step::DeadAddress(address) => {
            let (because, line) = if address.contains(':') {
                ("its name has an IPv6 address that leads nowhere from here", "AddressFamily inet")
            } else {
                ("its name has an address that leads nowhere from here", "HostName ADDRESS")
            };
            let seen = format!("connecting to {address} fails before another address is tried");
            judged(&seen, because, Certain, Vec::new(), CLIENT, for_host(line))
        }
        Step::Connection => judged(
            "the connection itself is slow to come about",
            "packets are lost or wait on the way: a radio that sleeps, or a bad link",
            Likely,
            Vec::new(),
            "the device's shell, for this session",
            "iw dev wlan0 set power_save off".to_owned(),
        ),
        Step::Proxy => judged(
            "the way through the jump host or proxy command is slow",
            "that login is slow itself; look at it first: ssh -vv to the jump host",
            Likely,
            Vec::new(),
            CLIENT,
            "Host JUMPHOST: ControlMaster auto, ControlPath ~/.ssh/%C, ControlPersist 10m".to_owned(),
        ),
        Step::Banner => banner(evidence),
        Step::KeyExchange => judged(
            "agreeing on keys takes long",
            "one of the two processors is slow or busy; a path that swallows large packets shows here too",
            Likely,
            Vec::new(),
            CLIENT,
            for_host("KexAlgorithms curve25519-sha256"),
        ),
        Step::KeyAgent => judged(
            "before the login begins, this machine is busy with its keys",
            "the key agent (or a key on a token) is slow to answer",
            Likely,
            Vec::new(),
            CLIENT,
            for_host("IdentityAgent none, IdentityFile ~/.ssh/KEY"),
        ),
        Step::Lookup => lookup(evidence),
        Step::Method(method) => method_in_vain(method, &for_host),
        Step::KeyOffers if timing.times > 2 => judged(
            &format!("{} keys are offered one after the other", timing.times - 1),
            "each costs a round trip and a look-up there, and only the last one is taken",
            Certain,
            Vec::new(),
            CLIENT,
            for_host("IdentitiesOnly yes, IdentityFile ~/.ssh/KEY"),
        ),
        Step::KeyOffers => {
            let found = evidence.sshd_value("AuthorizedKeysCommand");
            let line = found.as_ref().map(|value| format!("AuthorizedKeysCommand {value}"));
            judged(
                "the device is slow to find the key among those that it knows",
                "a home folder on the network, or a command that fetches keys",
                Likely,
                line.into_iter().collect(),
                SSHD,
                "AuthorizedKeysCommand none".to_owned(),
            )
        }
        Step::Proof => proof(evidence),
        Step::Session => session(timing.took, evidence),
        Step::Shell => shell(evidence),
        Step::Configuration => judged(
            "ssh on this machine is slow to begin",
            "its configuration runs something (Match exec), or looks names up (CanonicalizeHostname)",
            Likely,
            Vec::new(),
            CLIENT,
            "CanonicalizeHostname no".to_owned(),
        ),
        Step::End => return None,
    };
    let Judged { seen, because, certainty, evidence, change } = judged;
    Some(Cause { took: timing.took, seen, because, certainty, between: timing.between.clone(), evidence, change })
}

fn resolution(evidence: &Evidence, host: &str) -> Judged {
    let asks_everybody = evidence.hosts_here.as_deref().is_some_and(asks_by_multicast);
    let change = match asks_everybody {
        true => Change { place: "/etc/nsswitch.conf on this machine", line: "hosts: files dns".to_owned() },
        false => Change { place: CLIENT, line: format!("Host {host}: HostName ADDRESS") },
    };
    let because = match asks_everybody {
        true => "names are asked for by multicast (mdns) first, and nobody answers",
        false => "a name server does not answer, or the name is only found after others were asked",
    };
    Judged {
        seen: "this machine takes long to find the device's address".to_owned(),
        because: because.to_owned(),
        certainty: Certainty::Likely,
        evidence: evidence.hosts_here.iter().map(|line| format!("here: {line}")).collect(),
        change,
    }
}

/// `mdns4_minimal` answers for `.local` alone; the full ones ask for every name, and wait for nobody.
fn asks_by_multicast(hosts: &str) -> bool {
    hosts.split(' ').any(|source| matches!(source, "mdns" | "mdns4" | "mdns6" | "wins"))
}

fn banner(evidence: &Evidence) -> Judged {
    let mut found: Vec<String> =
        evidence.sshd_value("MaxStartups").map(|value| format!("MaxStartups {value}")).into_iter().collect();
    found.extend(evidence.hosts_there.iter().map(|line| format!("there: {line}")));
    Judged {
        seen: "the device takes the connection, and greets late".to_owned(),
        because: "it looks up who comes before it greets (tcp wrappers: names in /etc/hosts.allow and hosts.deny), it is starved \
                  of processor time, or something in between holds the connection"
            .to_owned(),
        certainty: Certainty::Likely,
        evidence: found,
        change: Change { place: "/etc/hosts.allow on the device, above lines with names", line: "sshd: 192.168.".to_owned() },
    }
}

fn lookup(evidence: &Evidence) -> Judged {
    let seen = "the device takes long to look up who comes".to_owned();
    let there = evidence.hosts_there.iter().map(|line| format!("there: {line}"));
    if evidence.sshd_value("UseDNS").as_deref() == Some("yes") {
        return Judged {
            seen,
            because: "it asks its name server for the name of this machine's address, and the answer does not come"
                .to_owned(),
            certainty: Certainty::Certain,
            evidence: std::iter::once("UseDNS yes".to_owned()).chain(there).collect(),
            change: Change { place: SSHD, line: "UseDNS no".to_owned() },
        };
    }
    let directory = evidence
        .passwd_there
        .as_deref()
        .filter(|line| line.split(' ').any(|source| matches!(source, "ldap" | "sss" | "winbind" | "nis")));
    if let Some(line) = directory {
        return Judged {
            seen,
            because: "it looks the user up in a directory on the network".to_owned(),
            certainty: Certainty::Likely,
            evidence: vec![format!("there: {line}")],
            change: Change { place: "/etc/nsswitch.conf on the device", line: "passwd: files".to_owned() },
        };
    }
    Judged {
        seen,
        because: "it asks its name server for the name of this machine's address, and the answer does not come"
            .to_owned(),
        certainty: Certainty::Likely,
        evidence: there.collect(),
        change: Change { place: SSHD, line: "UseDNS no".to_owned() },
    }
}

fn method_in_vain(method: &str, for_host: &dyn Fn(&str) -> String) -> Judged {
    let (because, line) = match method {
        "gssapi-with-mic" | "gssapi-keyex" => (
            "Kerberos is tried first: it looks names up and asks for a ticket that nobody gives",
            "GSSAPIAuthentication no",
        ),
        "hostbased" => ("this machine's own keys are tried first", "HostbasedAuthentication no"),
        _ => ("another way to log in is tried first", "PreferredAuthentications publickey"),
    };
    Judged {
        seen: format!("a login by {method} is tried, and comes to nothing"),
        because: because.to_owned(),
        certainty: Certainty::Certain,
        evidence: Vec::new(),
        change: Change { place: CLIENT, line: for_host(line) },
    }
}

fn proof(evidence: &Evidence) -> Judged {
    let module = SLOW_MODULES.iter().find_map(|module| evidence.pam_line("account", module));
    Judged {
        seen: "the key is right, and the device takes long to let it in".to_owned(),
        because: "a PAM module looks at the account (or a key on a token here waits for a touch)".to_owned(),
        certainty: Certainty::Likely,
        evidence: module.iter().map(|line| (*line).to_owned()).collect(),
        change: Change {
            place: "/etc/pam.d/sshd on the device, and what it includes",
            line: format!("# {}", module.unwrap_or("account … (the module that waits)")),
        },
    }
}

fn session(took: Duration, evidence: &Evidence) -> Judged {
    let waits_for_logind = took >= DBUS_TIMEOUT && took < DBUS_TIMEOUT * 2;
    let likeliest = if waits_for_logind { &["pam_systemd"][..] } else { &SLOW_MODULES[..] };
    let modules: Vec<&str> = likeliest.iter().filter_map(|module| evidence.pam_line("session", module)).collect();
    let because = match modules.first() {
        _ if waits_for_logind => "pam_systemd waits 25 s for a systemd-logind that does not answer".to_owned(),
        Some(_) => "a PAM module is slow to open the session; the first of these is the likeliest".to_owned(),
        None => "a PAM module is slow to open the session".to_owned(),
    };
    Judged {
        seen: "we are let in, and the session is slow to open".to_owned(),
        because,
        certainty: Certainty::Likely,
        evidence: modules.iter().map(|line| (*line).to_owned()).collect(),
        change: Change {
            place: "/etc/pam.d/sshd on the device, and what it includes (common-session)",
            line: format!("# {}", modules.first().unwrap_or(&"session optional pam_systemd.so")),
        },
    }
}

fn shell(evidence: &Evidence) -> Judged {
    if let Some(forced) = evidence.sshd_value("ForceCommand") {
        return Judged {
            seen: "a command that does nothing takes long".to_owned(),
            because: "the server runs another command in its place".to_owned(),
            certainty: Certainty::Certain,
            evidence: vec![format!("ForceCommand {forced}")],
            change: Change { place: SSHD, line: "ForceCommand none".to_owned() },
        };
    }
    Judged {
        seen: "a command that does nothing takes long".to_owned(),
        because: "the login shell's start files do much before it (~/.bashrc, ~/.zshenv, config.fish, ~/.ssh/rc)"
            .to_owned(),
        certainty: Certainty::Certain,
        evidence: Vec::new(),
        change: Change {
            place: "the first line of ~/.bashrc on the device (or of your shell's file)",
            line: "case $- in *i*) ;; *) return ;; esac".to_owned(),
        },
    }
}
