//! What stands in a frame.

use std::collections::BTreeMap;

use burn_model::plan::Plan;
use burn_model::record::RunEvent;
use netburn_io::protocol::RunToken;
use serde::{Deserialize, Serialize};

/// The version of the messages here. Both ends must speak the same one.
pub const VERSION: u32 = 2;

/// What a controller says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "message", rename_all = "snake_case")]
pub enum ToAgent {
    /// What does your clock read?
    Probe {
        /// Comes back in the answer.
        id: u64,
    },
    /// This is what is asked of you: reach the server, then say that you are ready.
    Prepare(Box<Assignment>),
    /// Start the load when your clock reads this.
    Start {
        /// The agent's own monotonic clock, in nanoseconds.
        at_ns: u64,
    },
    /// End the load now.
    Stop,
    /// This run is over for you: wait for another task, or for the end of the stream.
    Release,
}

/// One agent's task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Assignment {
    /// The run's plan, with only those of its clients that the agent plays: nobody is told more than his own part.
    pub plan: Plan,
    /// The number in the whole run of each client of `plan`, in the same order.
    pub clients: Vec<u32>,
    /// Connections that all clients of the run together may hold against the server.
    pub connections: u64,
    /// Whether this agent asks the server for its account of itself, besides that of the agent's own clients.
    pub asks_server: bool,
    /// Where the bytes come from.
    pub source: Source,
}

/// Where the bytes come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Source {
    /// A netburn server, which proves itself with the run's token.
    Server {
        /// `http://HOST:PORT`.
        url: String,
        /// Proves the server.
        token: RunToken,
    },
    /// Any web server: this one URL for every object, as a first fetch showed it.
    Url {
        /// `http://HOST:PORT/PATH`.
        url: String,
        /// The HTTP status that every reply must have.
        status: u16,
        /// The size that every reply must have, in bytes.
        bytes: u64,
    },
}

/// What an agent says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "message", rename_all = "snake_case")]
pub enum FromAgent {
    /// The first thing that is said.
    Hello {
        /// [`VERSION`] of the agent.
        version: u32,
        /// Program and version, for people.
        program: String,
        /// What is known of the agent's own host before it has a task.
        #[serde(default)]
        facts: BTreeMap<String, String>,
    },
    /// The answer to a probe.
    Reading {
        /// The probe's.
        id: u64,
        /// The agent's monotonic clock, in nanoseconds.
        now_ns: u64,
    },
    /// The server answers; the agent waits for the start.
    Ready {
        /// What is known of the agent's own host.
        facts: BTreeMap<String, String>,
        /// What the server says of its own host; empty where it is not ours.
        server_facts: BTreeMap<String, String>,
    },
    /// The task cannot be done.
    Refused {
        /// Why, in words for the person who started the run.
        reason: String,
    },
    /// What happened.
    Events {
        /// In order.
        events: Vec<RunEvent>,
    },
    /// All has been told.
    Done,
}
