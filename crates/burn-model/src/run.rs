//! The fold of a run's events: the one way from what happened to anything that is shown of it.

use crate::record::RunEvent;

/// A run, as far as it is known. Bounded memory: per client, application and second a few counters, and one
/// distribution of each figure per application.
#[derive(Clone, Debug)]
pub struct RunRecord {}

impl RunRecord {
    /// Takes the next event. Events of a broken or hostile file are taken as far as they make sense; what does not
    /// (an index out of the plan, a tally that does not add up) is counted as a doubt, never a panic.
    pub fn apply(&mut self, _event: &RunEvent) {
        todo!()
    }
}
