//! Reads the marked lines of a device's reply. Everything between them is noise of its start files.

use std::net::IpAddr;

use super::remote::MARK;

/// What a device said in its marked lines. Only printable letters, each line at most [`LONGEST`] of them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Reply {
    /// `uname -sm`.
    pub(super) system: Option<String>,
    /// Where we come from, as the device sees it.
    pub(super) seen_from: Option<IpAddr>,
    /// What a program there says of its version.
    pub(super) version: Option<String>,
    /// The digest of the program in the cache.
    pub(super) cached: Option<String>,
    /// The step that failed, and the words of the tool that failed.
    pub(super) failed: Option<(String, String)>,
    /// Whether it came to its end.
    pub(super) ended: bool,
}

/// The longest line that is read.
const LONGEST: usize = 400;

impl Reply {
    pub(super) fn parse(output: &[u8]) -> Self {
        let mut reply = Self::default();
        for line in String::from_utf8_lossy(output).lines() {
            let Some(line) = line.strip_prefix(MARK).and_then(|line| line.strip_prefix(' ')) else { continue };
            let line: String = line.chars().filter(|c| !c.is_control()).take(LONGEST).collect();
            let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
            let rest = rest.trim();
            match word {
                "system" => reply.system = Some(rest.to_owned()),
                // SSH_CONNECTION: our address and port, the device's address and port. A zone is the device's own name for a link.
                "connection" => {
                    let address = rest.split(' ').next().unwrap_or_default();
                    reply.seen_from = address.split('%').next().and_then(|address| address.parse().ok());
                }
                "version" => reply.version = Some(rest.to_owned()),
                "cached" => reply.cached = Some(rest.to_owned()),
                "failed" => {
                    let (step, words) = rest.split_once(' ').unwrap_or((rest, ""));
                    reply.failed = Some((step.to_owned(), words.to_owned()));
                }
                "end" => reply.ended = true,
                _ => {}
            }
        }
        reply
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_around_the_marked_lines_is_not_read() {
        let output = b"Welcome!\nsystem Foo bar\n\xff\x00unfinished\n@netburn@ system Linux aarch64\n@netburn@\n\
            @netburn@ connection fe80::7%wlan0 50000 fe80::1%wlan0 22\nnoise @netburn@ version 9\n@netburn@ end\n";
        let reply = Reply::parse(output);
        assert_eq!(reply.system.as_deref(), Some("Linux aarch64"));
        assert_eq!(reply.seen_from, Some("fe80::7".parse().unwrap()));
        assert_eq!((reply.version, reply.ended), (None, true));
    }

    #[test]
    fn a_failed_step_comes_with_the_words_of_the_tool_and_nothing_that_a_terminal_would_obey() {
        let reply = Reply::parse(b"@netburn@ failed write sh: \x1b[31mNo space left on device\n");
        assert_eq!(reply.failed, Some(("write".into(), "sh: [31mNo space left on device".into())));
        assert!(!reply.ended);
    }

    #[test]
    fn a_device_that_does_not_say_where_we_come_from_is_not_believed_to_know() {
        assert_eq!(Reply::parse(b"@netburn@ connection \n@netburn@ end\n").seen_from, None);
    }
}
