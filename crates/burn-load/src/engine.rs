//! The engine: one client's populations, from schedule to record.
//!
//! Every call that takes `now` first lets happen what was to happen before it: arrivals, deadlines, the end of
//! a second, each at its own exact moment. So an event at 3.2 s closes second 2 first, and a driver that
//! comes late changes no schedule and no count: its lateness shows as driver lateness. `now` may jump forward by
//! hours; a `now` before the last one is taken for the last one.
//!
//! An operation is *scheduled* when it is due, *ready* when it has a slot as well, *dispatched* when the driver takes
//! it, and then ends in exactly one way. The order for a driver at each wake-up: tell what has come in, call
//! [`handle_timeout`](Engine::handle_timeout), then take dispatches, abandons and events until there are none. A reply
//! that comes at the very moment of its deadline is in time, if it is told first.

use std::time::Duration;

use burn_model::plan::Plan;
use burn_model::record::{FailureCause, NotSentReason, Outcome, RunEvent};
use burn_model::time::Moment;

use crate::operation::{Completion, Dispatch, OperationId};
use crate::outbox::Outbox;
use crate::population::PopulationState;

/// Steps that one [`Engine::handle_timeout`] takes at most, so that a driver that slept for hours gets control back
/// within a fraction of a second. What is left is due at once.
const STEPS_PER_CALL: u64 = 1 << 19;
/// One instant.
const TICK: Duration = Duration::from_nanos(1);

/// One client's part of a run.
#[derive(Debug)]
pub struct Engine {
    populations: Vec<PopulationState>,
    outbox: Outbox,
    /// The latest moment heard of.
    now: Moment,
    /// The second that is being recorded.
    second: u64,
    /// When something happens of its own accord; before that, a call has nothing to catch up with.
    wake: Moment,
    over: bool,
}

/// Whether what reaches its deadline at `now` itself is timed out already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AtDeadline {
    Expire,
    Spare,
}

impl Engine {
    /// An engine for client number `client` of a plan that was [validated](Plan::validate); `None` where the
    /// plan has no such client.
    #[must_use]
    pub fn new(plan: &Plan, client: usize) -> Option<Self> {
        Self::numbered(plan, client, u32::try_from(client).ok()?)
    }

    /// The same for the client that stands at `place` in a plan that holds only a part of a run's clients, and whose
    /// number in the whole run is `client`: its events bear that number. What it does depends on its name alone, not on
    /// its place or number.
    #[must_use]
    pub fn numbered(plan: &Plan, place: usize, client: u32) -> Option<Self> {
        let client_plan = plan.clients.get(place)?;
        let populations = (0_u32..)
            .zip(&client_plan.populations)
            .map(|(number, population)| PopulationState::new(plan, client, &client_plan.name, number, population))
            .collect();
        let mut engine = Self {
            populations,
            outbox: Outbox::new(plan.keep_operations),
            now: Moment::START,
            second: 0,
            wake: Moment::START,
            over: false,
        };
        engine.set_wake();
        Some(engine)
    }

    /// Time has passed: takes every arrival that is due, times out what is past its deadline, closes seconds.
    ///
    /// After a very long pause it may take several calls to catch up; [`poll_timeout`](Self::poll_timeout) then names a
    /// moment that has passed.
    pub fn handle_timeout(&mut self, now: Moment) {
        self.advance(now, AtDeadline::Expire, STEPS_PER_CALL);
    }

    /// The next operation that should be sent now, if any: call until `None` after each call that takes `now`.
    ///
    /// Within a population they come in the order in which they were due, among populations in the order in which
    /// they became ready.
    pub fn poll_dispatch(&mut self, now: Moment) -> Option<Dispatch> {
        self.advance(now, AtDeadline::Spare, STEPS_PER_CALL);
        let ready = self.populations.iter().enumerate().filter_map(|(index, p)| p.ready_at().map(|at| (at, index)));
        let (_, index) = ready.min()?;
        self.populations.get_mut(index)?.take_ready()
    }

    /// The next operation that the driver must give up (past its deadline, or cut by the end), if any: call until
    /// `None` likewise. The engine has already counted it; nothing said of it later is heard.
    pub fn poll_abandon(&mut self) -> Option<OperationId> {
        self.outbox.take_abandoned()
    }

    /// The next event for the run file, if any: call until `None` likewise.
    ///
    /// There is an [`IntervalRecord`](burn_model::record::IntervalRecord) for each population and each second until
    /// the run is over, idle ones included: where there is none, nothing is known.
    pub fn poll_event(&mut self) -> Option<RunEvent> {
        self.outbox.take_event()
    }

    /// The driver has handed the (first part of the) request to the kernel. Of several calls the first one counts.
    pub fn handle_sent(&mut self, id: OperationId, now: Moment) {
        let now = self.catch_up(now);
        if let Some(population) = self.populations.get_mut(id.population()) {
            population.sent(id.number(), now);
        }
    }

    /// The first byte of the first reply has come. Of several calls the first one counts.
    pub fn handle_first_byte(&mut self, id: OperationId, now: Moment) {
        let now = self.catch_up(now);
        if let Some(population) = self.populations.get_mut(id.population()) {
            population.first_byte(id.number(), now);
        }
    }

    /// Payload has come, complete or not; of an operation that was given up it still counts as bytes of the
    /// population. Only payload of a reply that is known to be the one asked for (from the right server, with the
    /// right status): an error page must not look like throughput.
    pub fn handle_bytes(&mut self, population: usize, now: Moment, bytes: u64) {
        let now = self.catch_up(now);
        if self.over {
            return;
        }
        if let Some(population) = self.populations.get_mut(population) {
            population.bytes(now, bytes);
        }
    }

    /// Every byte has come.
    pub fn handle_completed(&mut self, id: OperationId, now: Moment, completion: Completion) {
        self.handle_ended(id, now, Outcome::Completed, completion);
    }

    /// The operation failed.
    pub fn handle_failed(&mut self, id: OperationId, now: Moment, cause: FailureCause) {
        self.handle_ended(id, now, Outcome::Failed(cause), Completion::default());
    }

    /// The driver could not send it.
    pub fn handle_not_sent(&mut self, id: OperationId, now: Moment, reason: NotSentReason) {
        self.handle_ended(id, now, Outcome::NotSent(reason), Completion::default());
    }

    /// Ends the load now, as if the plan had ended here; what is under way may finish within its drain.
    pub fn stop(&mut self, now: Moment) {
        let now = now.max(self.now);
        for population in &mut self.populations {
            population.stop(now);
        }
        self.wake = Moment::START;
        self.catch_up(now);
    }

    /// When [`handle_timeout`](Self::handle_timeout) must be called next; `None` once the run is over. Ask again
    /// after every other call.
    #[must_use]
    pub const fn poll_timeout(&self) -> Option<Moment> {
        if self.over { None } else { Some(self.wake) }
    }

    /// Whether the run is over and every event has been given out.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.over && self.outbox.is_empty()
    }

    fn handle_ended(&mut self, id: OperationId, now: Moment, outcome: Outcome, completion: Completion) {
        let now = self.catch_up(now);
        let Some(population) = self.populations.get_mut(id.population()) else { return };
        population.ended(id.number(), now, outcome, completion, &mut self.outbox);
        self.finish_if_over();
        self.set_wake();
    }

    /// Lets everything happen that was to happen before news of `now`; says what `now` is taken for.
    fn catch_up(&mut self, now: Moment) -> Moment {
        self.advance(now, AtDeadline::Spare, u64::MAX);
        self.now
    }

    fn advance(&mut self, now: Moment, at_deadline: AtDeadline, mut steps: u64) {
        self.now = self.now.max(now);
        if self.over || self.now < self.wake {
            return;
        }
        loop {
            let boundary = self.end_of_second();
            let (through, deadlines_through) = if self.now >= boundary {
                (boundary - TICK, boundary - TICK)
            } else if at_deadline == AtDeadline::Expire {
                (self.now, self.now)
            } else {
                (self.now, self.now - TICK)
            };
            let mut caught_up = true;
            for population in &mut self.populations {
                caught_up &= population.advance(through, deadlines_through, &mut steps, &mut self.outbox);
            }
            if !caught_up || self.finish_if_over() || self.now < boundary {
                break;
            }
            self.close_second(boundary);
        }
        self.set_wake();
    }

    /// Ends the run where nothing will happen any more; says whether it is over.
    fn finish_if_over(&mut self) -> bool {
        let over_at = self.populations.iter().try_fold(Moment::START, |latest, p| p.over_at().map(|at| latest.max(at)));
        if let Some(over_at) = over_at
            && !self.over
        {
            self.over = true;
            // The last record is of a part of a second. It is left out where that part has no length and holds nothing.
            if over_at > Moment::from_secs(self.second) || self.populations.iter().any(|p| !p.is_idle()) {
                self.close_second(over_at);
            }
        }
        self.over
    }

    /// Closes the current second, which ends at `at`.
    fn close_second(&mut self, at: Moment) {
        for population in &mut self.populations {
            self.outbox.interval(population.close_second(at));
        }
        self.outbox.say_left_out();
        self.second += 1;
    }

    fn set_wake(&mut self) {
        let events = self.populations.iter().filter_map(PopulationState::next_at);
        self.wake = events.fold(self.end_of_second(), Moment::min);
    }

    const fn end_of_second(&self) -> Moment {
        Moment::from_secs(self.second.saturating_add(1))
    }
}
