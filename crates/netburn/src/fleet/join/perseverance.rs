//! When to try again after the connection was lost, and when to give up.
//!
//! A controller that is gone must leave no load behind within 2 s; a network that is gone for a moment must not end a run.
//! What tells them apart is who answers. Pure: time is an argument.

use std::time::Duration;

use burn_model::time::nanos;

use super::dial::Failed;

/// For how long nothing may answer: a laptop that roams, an access point that starts anew.
pub const GRACE: Duration = Duration::from_secs(15);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(500);
/// So many refusals in a row mean that the controller is gone, and not that something is just being set up.
const REFUSALS: u32 = 2;

/// Attempts after one loss.
#[derive(Debug)]
pub(super) struct Perseverance {
    until: u64,
    refusals: u32,
}

/// What to do after an attempt that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// Try again at this time.
    Again(u64),
    /// There is no hope.
    GiveUp,
}

impl Perseverance {
    /// The connection was lost at this time.
    pub(super) fn since(now: u64) -> Self {
        Self { until: now.saturating_add(nanos(GRACE)), refusals: 0 }
    }

    /// Until when attempts make sense.
    pub(super) const fn until(&self) -> u64 {
        self.until
    }

    /// An attempt has failed.
    pub(super) fn after(&mut self, failed: &Failed, now: u64) -> Then {
        match failed {
            // The controller itself has answered, or somebody who is not it.
            Failed::Refused(_) | Failed::UnknownCode | Failed::OtherCertificate { .. } => return Then::GiveUp,
            Failed::NobodyListens { .. } => self.refusals += 1,
            Failed::NoAnswer { .. } | Failed::Cut { .. } => self.refusals = 0,
        }
        let again = now.saturating_add(nanos(PAUSE));
        if self.refusals >= REFUSALS || again > self.until { Then::GiveUp } else { Then::Again(again) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fleet::greeting::Refusal;

    const MS: u64 = 1_000_000;

    fn nobody() -> Failed {
        Failed::NobodyListens { host: "tv:1".into() }
    }

    fn silence() -> Failed {
        Failed::NoAnswer { host: "tv:1".into(), why: "x".into() }
    }

    #[test]
    fn a_controller_that_is_gone_is_believed_at_the_second_refusal() {
        let mut perseverance = Perseverance::since(0);
        assert_eq!(perseverance.after(&nobody(), 3 * MS), Then::Again(503 * MS));
        assert_eq!(perseverance.after(&nobody(), 503 * MS), Then::GiveUp);
    }

    #[test]
    fn a_refusal_between_silences_is_none_in_a_row() {
        let mut perseverance = Perseverance::since(0);
        for (failed, at) in [(nobody(), 0), (silence(), 500), (nobody(), 1000)] {
            assert_eq!(perseverance.after(&failed, at * MS), Then::Again((at + 500) * MS));
        }
    }

    #[test]
    fn silence_is_borne_for_15_seconds() {
        let mut perseverance = Perseverance::since(0);
        assert_eq!(perseverance.after(&silence(), 14_500 * MS), Then::Again(15_000 * MS));
        assert_eq!(perseverance.after(&silence(), 14_501 * MS), Then::GiveUp);
    }

    #[test]
    fn a_controller_that_says_no_is_not_asked_again() {
        let others =
            [Failed::UnknownCode, Failed::OtherCertificate { host: "tv:1".into() }, Failed::Refused(Refusal::GivenUp)];
        for failed in others {
            assert_eq!(Perseverance::since(0).after(&failed, 0), Then::GiveUp, "{failed}");
        }
    }
}
