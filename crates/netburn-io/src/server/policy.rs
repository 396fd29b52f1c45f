//! What the server allows its peers: every number that a peer can choose has a bound here.

use std::time::Duration;

/// Bounds on what peers may ask for, hold open and leave undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The most bytes of one reply's body. A reply takes no memory however long it is, so that this bounds only for how
    /// long one request keeps the server sending.
    pub max_reply_bytes: u64,
    /// The most connections at once; one more is told 503 and closed.
    pub max_connections: u32,
    /// The most bytes of one request's head.
    pub max_header_bytes: usize,
    /// From the first byte of a request to the end of its head.
    pub header_timeout: Duration,
    /// How long a connection may wait between a reply and the next request.
    pub idle_timeout: Duration,
    /// The bytes that a peer must take in each [`Policy::drain_window`] while a reply waits for it.
    pub min_drain_bytes: u64,
    /// See [`Policy::min_drain_bytes`].
    pub drain_window: Duration,
    /// How long a shutdown waits for replies under way.
    pub shutdown_grace: Duration,
    /// The most runs that the witness remembers.
    pub max_runs: usize,
    /// The most applications that the witness tells apart in one run.
    pub max_labels: usize,
    /// The most application seconds that the witness remembers of one run (four applications: nine hours).
    pub max_seconds_per_run: usize,
    /// The most application seconds that the witness remembers of all runs (some 220 bytes each).
    pub max_seconds: usize,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            max_reply_bytes: 1 << 30,
            max_connections: 1024,
            max_header_bytes: 8 << 10,
            header_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(60),
            min_drain_bytes: 64 << 10,
            drain_window: Duration::from_secs(30),
            shutdown_grace: Duration::from_secs(5),
            max_runs: 64,
            max_labels: 1024,
            max_seconds_per_run: 1 << 17,
            max_seconds: 1 << 19,
        }
    }
}
