//! What a joining device and the lobby say to each other before the control messages, and beside them.
//!
//! The device proves in the path of its request that it has a code. Then it greets, and the lobby answers; both are one
//! text message of JSON. After a welcome the binary messages are those of [`super::resume`], and the lobby says in further
//! texts where the run stands, for the person at the device.

use serde::{Deserialize, Serialize};

/// The version of what is said here and of [`super::resume`]. Both ends must speak the same one.
pub const VERSION: u32 = 1;

/// The first thing that a device says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Greeting {
    /// [`VERSION`] of the device.
    pub version: u32,
    /// [`crate::control::message::VERSION`] of the device.
    pub control: u32,
    /// Program and version, for people.
    pub program: String,
    /// As whom it wants to take part, where the person said so.
    pub name: Option<String>,
    /// The session's own secret, chosen by the device at random: 32 hexadecimal digits. Who comes again with it goes on
    /// where the connection was lost.
    pub session: String,
    /// How far the device has heard, where it comes again.
    pub resumes_at: Option<u64>,
}

/// The first thing that the lobby says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply {
    /// The device takes part.
    Welcome {
        /// As whom.
        name: String,
        /// How far the lobby has heard.
        heard: u64,
    },
    /// It does not.
    Refused {
        /// Why.
        refusal: Refusal,
    },
}

/// Why a device with a right code does not take part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "why", rename_all = "snake_case")]
pub enum Refusal {
    /// Another device has joined with the code.
    #[error(
        "this code has been used already: each is good for one device; the person at the controller sees which one has it"
    )]
    Used,
    /// The run has begun without it.
    #[error("the run has started already, so nobody can join it any more")]
    Started,
    /// The code is too old.
    #[error("this code is no longer good: it was made more than an hour ago; start the run anew for a fresh one")]
    Expired,
    /// The session that the device wants to go on with is over.
    #[error("the controller has given this device up")]
    GivenUp,
    /// The code is for somebody else.
    #[error("this code is for '{name}': say --as {name}, or leave --as away")]
    OtherName {
        /// For whom.
        name: String,
    },
    /// The two do not speak the same version.
    #[error("the controller runs {program}, which speaks another version: take the same netburn on both")]
    Version {
        /// Program and version of the controller.
        program: String,
    },
    /// It said something else than a greeting.
    #[error("the lobby did not understand the greeting: take the same netburn on both")]
    NotUnderstood,
}

/// Where the run stands, for the person at the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "snake_case")]
pub enum Note {
    /// The run starts when others are there too.
    Waiting {
        /// How many are missing.
        missing: usize,
    },
    /// The run has begun.
    Running,
}
