//! Whom to log in to: `[user@]host[:port]`, as a scenario writes it.
//!
//! What is accepted here becomes an argument of `ssh` and nothing else. The letters that are allowed mean nothing to a
//! shell, to `ssh`'s `%` tokens or to its options, so that a scenario from a stranger can name a host and do no more.

use std::fmt;
use std::net::Ipv6Addr;

use thiserror::Error;

/// A host name has at most this many letters (RFC 1035 §2.3.4); aliases in an ssh config are held to the same.
const LONGEST_HOST: usize = 253;
/// No system that we know of lets a login be longer.
const LONGEST_USER: usize = 128;

/// A host to log in to, with the user and port where they are given; else the user's own ssh config has the say.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Destination {
    user: Option<String>,
    host: Host,
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Host {
    /// A name, an alias of the user's ssh config, or an IPv4 address.
    Name(String),
    /// An IPv6 address, with its zone where one is given (`fe80::1%wlan0`).
    V6(String),
}

/// Why a text names no host to log in to.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DestinationError {
    /// There is nothing between `ssh:` and the end, or between `@` and `:`.
    #[error("no host is named; write [user@]host[:port], like me@tv-room")]
    NoHost,
    /// There is an `@`, but nothing before it.
    #[error("no user stands before the '@'; write user@host, or the host alone")]
    NoUser,
    /// It begins like an option of `ssh`.
    #[error("'{0}' begins with '-', which ssh would take for an option")]
    Option(String),
    /// A letter that no host name, alias or user name needs.
    #[error("{letter:?} cannot stand in {part}; letters, digits, '.', '_' and '-' can")]
    Letter {
        /// The letter, shown escaped.
        letter: char,
        /// `a host` or `a user's name`.
        part: &'static str,
    },
    /// More than a host or a user may have.
    #[error("{part} of {length} letters is too long; {most} is the most")]
    TooLong {
        /// `a host` or `a user's name`.
        part: &'static str,
        /// How many it has.
        length: usize,
        /// How many it may have.
        most: usize,
    },
    /// Colons outside brackets.
    #[error("an IPv6 address is written in brackets, like [fe80::1%wlan0] or [2001:db8::7]:2222")]
    Brackets,
    /// What is in the brackets is none.
    #[error("'{0}' is no IPv6 address")]
    NoV6(String),
    /// What follows the last colon is no port.
    #[error("'{0}' is no port; write a number from 1 to 65535")]
    Port(String),
}

impl Destination {
    /// Reads `[user@]host[:port]`.
    ///
    /// # Errors
    /// Where a part is missing, too long, or holds a letter that `ssh` or a shell could take for more than a name.
    pub fn parse(text: &str) -> Result<Self, DestinationError> {
        // The last '@' parts them, as ssh does it: users of a directory service may have one in their name.
        let (user, rest) = match text.rsplit_once('@') {
            Some((user, rest)) => (Some(checked_user(user)?), rest),
            None => (None, text),
        };
        let (host, port) = match rest.strip_prefix('[') {
            Some(rest) => {
                let (address, after) = rest.split_once(']').ok_or(DestinationError::Brackets)?;
                let port = match after {
                    "" => None,
                    after => Some(after.strip_prefix(':').ok_or(DestinationError::Brackets)?),
                };
                (Host::V6(checked_v6(address)?), port)
            }
            None => {
                let (host, port) = match rest.split_once(':') {
                    Some((_, port)) if port.contains(':') => return Err(DestinationError::Brackets),
                    Some((host, port)) => (host, Some(port)),
                    None => (rest, None),
                };
                (Host::Name(checked_host(host)?), port)
            }
        };
        Ok(Self { user, host, port: port.map(checked_port).transpose()? })
    }

    /// The host alone: a name, an alias of the user's ssh config, or an address without brackets.
    #[must_use]
    pub fn host(&self) -> &str {
        match &self.host {
            Host::Name(host) | Host::V6(host) => host,
        }
    }

    /// The arguments that name it to `ssh`, the last ones before a remote command: `["-p", "2222", "--", "me@tv-room"]`.
    #[must_use]
    pub fn arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        if let Some(port) = self.port {
            arguments.extend(["-p".to_owned(), port.to_string()]);
        }
        let login = match &self.user {
            Some(user) => format!("{user}@{}", self.host()),
            None => self.host().to_owned(),
        };
        arguments.extend(["--".to_owned(), login]);
        arguments
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(user) = &self.user {
            write!(f, "{user}@")?;
        }
        match &self.host {
            Host::Name(host) => f.write_str(host)?,
            Host::V6(address) => write!(f, "[{address}]")?,
        }
        match self.port {
            Some(port) => write!(f, ":{port}"),
            None => Ok(()),
        }
    }
}

fn checked_host(host: &str) -> Result<String, DestinationError> {
    if host.is_empty() {
        return Err(DestinationError::NoHost);
    }
    checked(host, "a host", LONGEST_HOST, |c| matches!(c, '.' | '_' | '-'))
}

fn checked_user(user: &str) -> Result<String, DestinationError> {
    if user.is_empty() {
        return Err(DestinationError::NoUser);
    }
    checked(user, "a user's name", LONGEST_USER, |c| matches!(c, '.' | '_' | '-' | '@' | '+'))
}

fn checked(
    text: &str,
    part: &'static str,
    most: usize,
    also: impl Fn(char) -> bool,
) -> Result<String, DestinationError> {
    if let Some(letter) = text.chars().find(|&c| !c.is_ascii_alphanumeric() && !also(c)) {
        return Err(DestinationError::Letter { letter, part });
    }
    if text.starts_with('-') {
        return Err(DestinationError::Option(text.to_owned()));
    }
    if text.len() > most {
        return Err(DestinationError::TooLong { part, length: text.len(), most });
    }
    Ok(text.to_owned())
}

/// An address, with the zone of a link-local one: the name of an interface, which the kernel keeps under 16 letters.
fn checked_v6(text: &str) -> Result<String, DestinationError> {
    let wrong = || DestinationError::NoV6(text.chars().take(LONGEST_HOST).collect());
    let (address, zone) = text.split_once('%').map_or((text, None), |(address, zone)| (address, Some(zone)));
    address.parse::<Ipv6Addr>().map_err(|_| wrong())?;
    if let Some(zone) = zone {
        let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        if zone.is_empty() || zone.len() > 15 || !zone.chars().all(allowed) {
            return Err(wrong());
        }
    }
    Ok(text.to_owned())
}

fn checked_port(text: &str) -> Result<u16, DestinationError> {
    let wrong = || DestinationError::Port(text.chars().take(16).collect());
    if !text.bytes().all(|b| b.is_ascii_digit()) {
        return Err(wrong());
    }
    text.parse().ok().filter(|&port| port != 0).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn arguments(text: &str) -> Vec<String> {
        Destination::parse(text).unwrap().arguments()
    }

    #[test]
    fn user_and_port_are_given_to_ssh_apart_from_its_options() {
        assert_eq!(arguments("tv-room"), ["--", "tv-room"]);
        assert_eq!(arguments("me@tv-room"), ["--", "me@tv-room"]);
        assert_eq!(arguments("me@tv-room:2222"), ["-p", "2222", "--", "me@tv-room"]);
        assert_eq!(arguments("192.168.1.7:22"), ["-p", "22", "--", "192.168.1.7"]);
        assert_eq!(arguments("me@[fe80::1%wlan0]:2222"), ["-p", "2222", "--", "me@fe80::1%wlan0"]);
        assert_eq!(arguments("[2001:db8::7]"), ["--", "2001:db8::7"]);
        assert_eq!(arguments("ann@example.org@tv"), ["--", "ann@example.org@tv"]);
    }

    #[test]
    fn the_host_stands_alone_and_the_whole_is_shown_as_it_is_written() {
        for (text, host) in
            [("me@tv:2222", "tv"), ("tv", "tv"), ("[::1]:22", "::1"), ("a@[fe80::1%eth0]", "fe80::1%eth0")]
        {
            let destination = Destination::parse(text).unwrap();
            assert_eq!(destination.host(), host);
            assert_eq!(destination.to_string(), text);
        }
    }

    #[test]
    fn what_ssh_or_a_shell_could_take_for_more_than_a_name_is_refused() {
        use DestinationError::{Brackets, Letter, NoHost, NoUser, NoV6, Option as Opt, Port};
        let refused = |text: &str| Destination::parse(text).unwrap_err();
        for text in ["", "me@", ":22", "me@:22"] {
            assert_eq!(refused(text), NoHost, "{text}");
        }
        assert_eq!(refused("@tv"), NoUser);
        assert_eq!(refused("-oProxyCommand"), Opt("-oProxyCommand".into()));
        assert_eq!(refused("me@-tv"), Opt("-tv".into()));
        assert_eq!(refused("-me@tv"), Opt("-me".into()));
        for (text, letter) in [
            ("tv room", ' '),
            ("tv;reboot", ';'),
            ("$(reboot)", '$'),
            ("tv\nroom", '\n'),
            ("tv\0", '\0'),
            ("-oProxyCommand=x", '='),
            ("%h", '%'),
            ("a/b", '/'),
            ("zürich", 'ü'),
        ] {
            assert_eq!(refused(text), Letter { letter, part: "a host" }, "{text}");
        }
        assert_eq!(refused("a b@tv"), Letter { letter: ' ', part: "a user's name" });
        for text in ["fe80::1", "me@::1", "[::1", "[::1]22", "a:b:c"] {
            assert_eq!(refused(text), Brackets, "{text}");
        }
        for text in ["[tv]", "[]", "[::1%]", "[::1%a b]", "[::1%sixteenlettersxx]"] {
            assert!(matches!(refused(text), NoV6(_)), "{text}");
        }
        for text in ["tv:", "tv:0", "tv:65536", "tv:+22", "tv:ssh", "[::1]:"] {
            assert!(matches!(refused(text), Port(_)), "{text}");
        }
        assert!(matches!(refused(&"a".repeat(254)), DestinationError::TooLong { length: 254, most: 253, .. }));
    }

    proptest! {
        #[test]
        fn no_accepted_text_gives_an_argument_that_is_more_than_a_name_or_a_port(text in "\\PC{0,40}|[a@:\\[\\]0-9.%-]{0,20}") {
            if let Ok(destination) = Destination::parse(&text) {
                let arguments = destination.arguments();
                let (login, options) = arguments.split_last().unwrap();
                prop_assert!(!login.starts_with('-'));
                prop_assert!(login.chars().all(|c| c.is_ascii_alphanumeric() || "@.:%_+-".contains(c)), "{login}");
                prop_assert_eq!(options.last().unwrap(), "--");
                prop_assert_eq!(Destination::parse(&destination.to_string()), Ok(destination));
            }
        }
    }
}
