//! Whom a client asks, and for what.

use std::net::SocketAddr;

use crate::protocol::RunToken;

/// Whom a client asks, and for what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    /// Where to connect to.
    pub address: SocketAddr,
    /// What stands in the `Host` field: name or address, and the port where it is not 80.
    pub host: String,
    /// What is asked for.
    pub request: RequestKind,
}

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RequestKind {
    /// Payload of any size from a netburn server, which proves itself by giving the token back.
    Generated {
        /// The run's token.
        token: RunToken,
    },
    /// One path of any web server, for every object. Nothing proves who answers.
    Url {
        /// Path and query, from the `/` on.
        path: String,
        /// The status that a reply must have.
        status: u16,
        /// The size in bytes that a reply's body must have.
        bytes: u64,
    },
}

impl Target {
    /// Bytes that the reply for a piece of `part_bytes` must have.
    pub(crate) const fn expected_bytes(&self, part_bytes: u64) -> u64 {
        match self.request {
            RequestKind::Generated { .. } => part_bytes,
            RequestKind::Url { bytes, .. } => bytes,
        }
    }

    /// Checks what goes into a request head: a target may come from another host, and must not smuggle lines into it.
    pub(crate) fn check(&self) -> Result<(), TargetError> {
        let plain = |text: &str| !text.is_empty() && text.len() <= 4096 && text.bytes().all(|b| b.is_ascii_graphic());
        if !plain(&self.host) {
            return Err(TargetError::Host);
        }
        match &self.request {
            RequestKind::Url { path, .. } if !(path.starts_with('/') && plain(path)) => Err(TargetError::Path),
            _ => Ok(()),
        }
    }
}

/// A target cannot be written into a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The host is unfit for a `Host` field.
    #[error(
        "the server's name must be visible ASCII characters, 4096 at most (write an international name in its xn-- form)"
    )]
    Host,
    /// The path is unfit for a request line.
    #[error("the path must begin with '/' and be visible ASCII characters, 4096 at most (write others as %XX)")]
    Path,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_target_can_add_a_line_to_a_request() {
        let target = |host: &str, path: &str| Target {
            address: SocketAddr::from(([127, 0, 0, 1], 80)),
            host: host.to_owned(),
            request: RequestKind::Url { path: path.to_owned(), status: 200, bytes: 1 },
        };
        assert_eq!(target("h:8080", "/a?b=%20").check(), Ok(()));
        for host in ["", "a b", "a\r\nX: y", "\u{e4}"] {
            assert_eq!(target(host, "/").check(), Err(TargetError::Host), "{host:?}");
        }
        for path in ["", "a", "/ HTTP/1.1", "/\r\nX: y", "/\u{e4}"] {
            assert_eq!(target("h", path).check(), Err(TargetError::Path), "{path:?}");
        }
    }
}
