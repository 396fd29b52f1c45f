//! One device in a session: where it stands, and when it is given up.

use std::collections::BTreeSet;
use std::time::Duration;

use burn_model::plan::Plan;
use burn_model::record::Phase;
use burn_model::time::nanos;

use super::comparing::{Burst, Compared};
use super::{FAREWELL_DEADLINE, Part, Session};
use crate::control::testimony;

/// Where one device stands.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Stage {
    /// It has its task.
    Preparing { until: u64 },
    /// It reaches the server, and waits for the others.
    Ready,
    /// Its clock is to be compared, before or after the load.
    ToCompare { phase: Phase },
    /// Its clock is being compared.
    Probing(Burst),
    /// It only waits for the start.
    Compared,
    /// It has been told when to start.
    Loading { heard: u64 },
    /// All is known of it.
    Finished,
    /// It is gone.
    Lost,
}

/// Why a device is given up when its time is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overdue {
    Task,
    Probe,
    Silent,
    Farewell,
}

impl Overdue {
    pub(super) fn reason(self, part: &Part) -> String {
        match self {
            Self::Task => "it did not say in time whether it reaches the server".to_owned(),
            Self::Probe => "it stopped answering while its clock was compared".to_owned(),
            Self::Silent => format!("nothing was heard of it for {} s", part.patience.as_secs()),
            Self::Farewell => "it did not finish in time after the load".to_owned(),
        }
    }
}

#[derive(Debug)]
pub(super) struct Peer {
    pub(super) part: Part,
    pub(super) stage: Stage,
    pub(super) clock: Option<Compared>,
    /// The longest that any probe before the start took there and back.
    pub(super) longest_round_trip: Duration,
    /// How many events it may still report.
    pub(super) allowance: u64,
    /// Clients that it says it could not go on with.
    pub(super) given_up: BTreeSet<u32>,
}

impl Peer {
    pub(super) fn new(part: Part, plan: &Plan) -> Self {
        let allowance = testimony::allowance(plan, part.clients.clone());
        Self {
            part,
            stage: Stage::Lost,
            clock: None,
            longest_round_trip: Duration::ZERO,
            allowance,
            given_up: BTreeSet::new(),
        }
    }

    /// Who it was and why it is gone, where it is.
    pub(super) fn loss(&self) -> Option<String> {
        let reason = self.part.absent.as_deref().filter(|_| self.stage == Stage::Lost)?;
        Some(format!("client '{}': {reason}", self.part.name))
    }
}

impl Session {
    /// When a device is given up, and why.
    pub(super) fn deadline(&self, peer: &Peer) -> Option<(u64, Overdue)> {
        let after = |at: u64, time: Duration| at.saturating_add(nanos(time));
        match &peer.stage {
            Stage::Preparing { until } => Some((*until, Overdue::Task)),
            Stage::Probing(burst) => Some((burst.until, Overdue::Probe)),
            Stage::Loading { heard } => {
                // From its last second on it drains, fetches the server's account, and is silent meanwhile.
                let last = after(self.load_ends_at()?.max(self.started_at?), self.drain);
                let silent = after((*heard).max(self.started_at?), peer.part.patience);
                if silent < last {
                    Some((silent, Overdue::Silent))
                } else {
                    // However much it still says: otherwise one that never ends would never let the run end.
                    Some((after(last, FAREWELL_DEADLINE.max(peer.part.patience)), Overdue::Farewell))
                }
            }
            Stage::Ready | Stage::ToCompare { .. } | Stage::Compared | Stage::Finished | Stage::Lost => None,
        }
    }
}
