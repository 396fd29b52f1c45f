//! What an alarm is about, and the two states that it knows of it.

use serde::{Deserialize, Serialize};

/// How something is, in the two states that an alarm knows. Marginal is good, unless the user is strict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Condition {
    /// As it should be.
    Good,
    /// Somebody should look.
    Bad,
}

impl Condition {
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Bad => "bad",
        }
    }
}

/// What a condition is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "subject", rename_all = "lowercase")]
pub(crate) enum Subject {
    /// Whether the scenario can be run at all.
    Watch,
    /// The verdict of the whole run.
    Run,
    /// The verdict of one application of one client.
    Application {
        /// Whose.
        client: String,
        /// Which.
        application: String,
    },
}
