//! One population: what is due, what waits for a slot, what is under way, and how it all ends.
//!
//! A population is advanced from event to event, each at its own moment, so that it makes no difference to any
//! figure how late or how seldom it is asked.

use std::time::Duration;

use burn_model::plan::{Arrival, Operation, Plan, Population};
use burn_model::record::{IntervalRecord, NotSentReason, OperationRecord, Outcome};
use burn_model::time::Moment;

use crate::crowd::Crowd;
use crate::flights::{Flight, Flights};
use crate::operation::{Completion, Dispatch, OperationId};
use crate::outbox::Outbox;
use crate::playback::Player;
use crate::random::Generator;
use crate::recorder::Recorder;
use crate::schedule::Arrivals;

/// One instant before.
const TICK: Duration = Duration::from_nanos(1);
/// Arrivals that are counted in one step while no slot is free.
const ARRIVALS_PER_STEP: u64 = 65_536;

/// The state of one population.
#[derive(Debug)]
pub(crate) struct PopulationState {
    client: u32,
    number: u32,
    operation: Operation,
    drain: Duration,
    source: Source,
    flights: Flights,
    stage: Stage,
    /// When the load ends.
    end: Moment,
    /// What becomes of operations that wait for a slot at the end.
    end_reason: NotSentReason,
    first_scheduled_at: Option<Moment>,
    recorder: Recorder,
    player: Option<Player>,
}

/// Where operations come from.
#[derive(Debug)]
enum Source {
    /// Those numbered from `waiting.index()` up to `due.index()` wait for a slot.
    Open { due: Box<Arrivals>, waiting: Box<Arrivals> },
    /// Everybody who has an operation under way has a slot too: nobody waits.
    Closed { crowd: Crowd, scheduled: u64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// Operations are scheduled.
    Loading,
    /// Nothing is scheduled any more; what is under way may finish.
    Draining,
    /// Nothing will happen any more.
    Over(Moment),
}

/// What happens next of its own accord. Of events at the same moment the first here comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Next {
    Arrival,
    EndOfLoad,
    EndOfDrain,
    Deadline,
}

impl PopulationState {
    /// Population `number` of client `client`, both indexes into the plan.
    pub(crate) fn new(plan: &Plan, client: u32, client_name: &str, number: u32, population: &Population) -> Self {
        // Names hold no control characters, so no two purposes read the same.
        let seed = |purpose: &str| plan.seed_for(&format!("{purpose}\n{client_name}\n{}", population.name));
        let open = |arrivals: Arrivals| Source::Open { due: Box::new(arrivals.clone()), waiting: Box::new(arrivals) };
        let source = match population.arrival {
            Arrival::Constant { rate, phase } => open(Arrivals::constant(rate, phase)),
            Arrival::Poisson { rate } => open(Arrivals::poisson(rate, Generator::new(seed("poisson arrivals")))),
            Arrival::Closed { people, reading_time } => Source::Closed {
                crowd: Crowd::new(people, reading_time, |person| seed(&format!("reading times of {person}"))),
                scheduled: 0,
            },
        };
        Self {
            client,
            number,
            operation: population.operation,
            drain: population.drain,
            source,
            flights: Flights::new(usize::try_from(population.in_flight).unwrap_or(usize::MAX), population.deadline),
            stage: Stage::Loading,
            end: plan.end(),
            end_reason: NotSentReason::RunEnded,
            first_scheduled_at: None,
            recorder: Recorder::new(client, number, population),
            player: population.media.map(Player::new),
        }
    }

    /// Lets everything happen that happens of its own accord at `through` or before; but deadlines only as far as
    /// `deadlines_through`. False where the budget of steps ran out before.
    pub(crate) fn advance(
        &mut self,
        through: Moment,
        deadlines_through: Moment,
        steps: &mut u64,
        out: &mut Outbox,
    ) -> bool {
        while let Some((at, next)) = self.next() {
            if at > through || (next == Next::Deadline && at > deadlines_through) {
                break;
            }
            let Some(left) = steps.checked_sub(1) else { return false };
            *steps = left;
            match next {
                Next::Arrival => self.arrive(at, through),
                Next::EndOfLoad => self.end_load(at, out),
                Next::EndOfDrain => self.end_drain(at, out),
                Next::Deadline => {
                    if let Some((_, number)) = self.flights.first_deadline() {
                        self.time_out(number, at, out);
                    }
                }
            }
        }
        true
    }

    /// The load ends at `at`, unless it ended before.
    pub(crate) fn stop(&mut self, at: Moment) {
        if self.stage == Stage::Loading && at < self.end {
            self.end = at;
            self.end_reason = NotSentReason::Stopped;
        }
    }

    /// Hands out the operation that has been ready for longest, if any is.
    pub(crate) fn take_ready(&mut self) -> Option<Dispatch> {
        let (number, scheduled_at) = self.flights.take_ready()?;
        Some(Dispatch {
            id: OperationId::new(self.number, number),
            population: usize::try_from(self.number).unwrap_or(usize::MAX),
            operation: self.operation,
            scheduled_at,
        })
    }

    pub(crate) fn sent(&mut self, number: u64, now: Moment) {
        if let Some(stamps) = self.flights.dispatched(number) {
            stamps.sent_at.get_or_insert(now);
        }
    }

    pub(crate) fn first_byte(&mut self, number: u64, now: Moment) {
        if let Some(stamps) = self.flights.dispatched(number) {
            stamps.first_byte_at.get_or_insert(now);
        }
    }

    pub(crate) fn bytes(&mut self, now: Moment, bytes: u64) {
        if bytes == 0 {
            return;
        }
        self.recorder.bytes(now, bytes);
        if let Some(player) = &mut self.player
            && self.stage == Stage::Loading
        {
            player.bytes(now, bytes, self.first_scheduled_at.unwrap_or(now));
        }
    }

    /// The driver says how an operation ended. What it was not given, or was told to give up, is not heard.
    pub(crate) fn ended(
        &mut self,
        number: u64,
        now: Moment,
        outcome: Outcome,
        completion: Completion,
        out: &mut Outbox,
    ) {
        if self.flights.dispatched(number).is_some() {
            // The slot is for the operation that has been due for longest: all that are due by now must be known.
            let mut steps = u64::MAX;
            self.advance(now, now - TICK, &mut steps, out);
            self.finish(number, now, outcome, completion, out);
        }
    }

    /// Closes the second that ends at `at`.
    pub(crate) fn close_second(&mut self, at: Moment) -> IntervalRecord {
        // Nothing is played beyond the end of the load: a player without a supply stalls for no fault of anybody's.
        let playing = Moment::from_secs(self.recorder.second()) < self.end;
        let player = self.player.as_mut().filter(|_| playing);
        let playback = player.map(|player| player.take_record(at.min(self.end)));
        self.recorder.close(playback)
    }

    /// When an operation became ready that was not handed out yet, the earliest if there are several.
    pub(crate) fn ready_at(&self) -> Option<Moment> {
        self.flights.next_ready_at()
    }

    /// When something happens of its own accord that anybody must be awake for; `None` where nothing will. Arrivals
    /// that find no slot are none of it: they are counted later, with their own moments.
    pub(crate) fn next_at(&self) -> Option<Moment> {
        match self.next() {
            Some((_, Next::Arrival)) if !self.has_free_slot() => {
                Some(self.flights.first_deadline().map_or(self.end, |(deadline, _)| deadline.min(self.end)))
            }
            next => next.map(|(at, _)| at),
        }
    }

    /// Since when nothing will happen any more, where that is so.
    pub(crate) const fn over_at(&self) -> Option<Moment> {
        match self.stage {
            Stage::Over(at) => Some(at),
            _ => None,
        }
    }

    /// Whether nothing has happened in the current second yet.
    pub(crate) fn is_idle(&self) -> bool {
        self.recorder.is_idle()
    }

    fn next(&self) -> Option<(Moment, Next)> {
        let deadline = self.flights.first_deadline().map(|(at, _)| (at, Next::Deadline));
        match self.stage {
            Stage::Loading => {
                let due = match &self.source {
                    Source::Open { due, .. } => Some(due.at()),
                    Source::Closed { crowd, .. } => crowd.next_due(),
                };
                let arrival = due.filter(|at| *at < self.end).map(|at| (at, Next::Arrival));
                [arrival, Some((self.end, Next::EndOfLoad)), deadline].into_iter().flatten().min()
            }
            Stage::Draining => [Some((self.end + self.drain, Next::EndOfDrain)), deadline].into_iter().flatten().min(),
            Stage::Over(_) => None,
        }
    }

    /// Whether the next arrival gets a slot at once.
    fn has_free_slot(&self) -> bool {
        matches!(self.source, Source::Closed { .. }) || self.flights.has_free_slot()
    }

    /// The next operation becomes due at `at`; while no slot is free, all those too that become due before one may be,
    /// until `through` at most.
    fn arrive(&mut self, at: Moment, through: Moment) {
        self.first_scheduled_at.get_or_insert(at);
        let free = self.has_free_slot();
        let deadline = self.flights.first_deadline().map_or(Moment::NEVER, |(at, _)| at);
        let until = through.min(self.end - TICK).min(deadline);
        match &mut self.source {
            Source::Open { due, .. } if free => {
                due.advance();
                self.recorder.scheduled(1);
                self.give_slots(at);
            }
            Source::Open { due, .. } => self.recorder.scheduled(due.pass_through(until.max(at), ARRIVALS_PER_STEP)),
            Source::Closed { crowd, scheduled } => {
                if let Some((at, person)) = crowd.take_due() {
                    let number = *scheduled;
                    *scheduled += 1;
                    self.recorder.scheduled(1);
                    self.flights.insert(number, at, at, Some(person));
                }
            }
        }
    }

    /// Gives the slots that are free at `now` to those that wait, in the order in which they were due.
    fn give_slots(&mut self, now: Moment) {
        let Source::Open { due, waiting } = &mut self.source else { return };
        while self.flights.has_free_slot() && waiting.index() < due.index() {
            let scheduled_at = waiting.at();
            self.flights.insert(waiting.index(), scheduled_at, scheduled_at.max(now), None);
            waiting.advance();
        }
    }

    fn end_load(&mut self, at: Moment, out: &mut Outbox) {
        self.refuse_waiting(at, out);
        self.stage = Stage::Draining;
        if self.drain.is_zero() {
            // What is cut here ended in no way at all: it stays in flight in the record.
            for number in self.flights.remove_all() {
                self.abandon(number, out);
            }
        }
        if self.flights.is_empty() {
            self.stage = Stage::Over(at);
        }
    }

    fn end_drain(&mut self, at: Moment, out: &mut Outbox) {
        while let Some((_, number)) = self.flights.first_deadline() {
            self.time_out(number, at, out);
        }
    }

    fn time_out(&mut self, number: u64, at: Moment, out: &mut Outbox) {
        self.abandon(number, out);
        self.finish(number, at, Outcome::TimedOut, Completion::default(), out);
    }

    /// Counts those that still wait for a slot at the end of the load.
    fn refuse_waiting(&mut self, at: Moment, out: &mut Outbox) {
        let outcome = Outcome::NotSent(self.end_reason);
        let Source::Open { due, waiting } = &mut self.source else { return };
        while waiting.index() < due.index() {
            let (index, scheduled_at) = (waiting.index(), waiting.at());
            if out.has_room() {
                waiting.advance();
                self.recorder.unsuccessful(scheduled_at, outcome, 1);
                out.operation(OperationRecord {
                    client: self.client,
                    population: self.number,
                    index,
                    scheduled_at,
                    ready_at: None,
                    sent_at: None,
                    first_byte_at: None,
                    ended_at: at,
                    receive_lateness_ns: None,
                    server_time_ns: None,
                    outcome,
                });
            } else {
                let end_of_second = Moment::from_secs(scheduled_at.second().saturating_add(1)) - TICK;
                let count = waiting.pass_through(end_of_second, due.index() - index);
                self.recorder.unsuccessful(scheduled_at, outcome, count);
                out.leave_out(count);
            }
        }
    }

    /// An operation that has a slot ended: counts it, and lets the next one have the slot.
    fn finish(&mut self, number: u64, at: Moment, outcome: Outcome, completion: Completion, out: &mut Outbox) {
        let Some(Flight { stamps, person }) = self.flights.remove(number) else { return };
        if outcome == Outcome::Completed {
            self.recorder.completed(stamps, at, completion);
        } else {
            self.recorder.unsuccessful(stamps.scheduled_at, outcome, 1);
        }
        if out.has_room() {
            let nanos = |duration: Option<Duration>| duration.map(burn_model::time::nanos);
            out.operation(OperationRecord {
                client: self.client,
                population: self.number,
                index: number,
                scheduled_at: stamps.scheduled_at,
                ready_at: Some(stamps.ready_at),
                sent_at: stamps.sent_at,
                first_byte_at: stamps.first_byte_at,
                ended_at: at,
                receive_lateness_ns: nanos(completion.receive_lateness),
                server_time_ns: nanos(completion.server_time),
                outcome,
            });
        } else {
            out.leave_out(1);
        }
        if let (Source::Closed { crowd, .. }, Some(person)) = (&mut self.source, person) {
            crowd.operation_ended(person, at, outcome == Outcome::Completed);
        }
        match self.stage {
            Stage::Loading => self.give_slots(at),
            Stage::Draining if self.flights.is_empty() => self.stage = Stage::Over(at),
            Stage::Draining | Stage::Over(_) => {}
        }
    }

    /// Tells the driver to give up an operation, where it was handed to it.
    fn abandon(&self, number: u64, out: &mut Outbox) {
        if self.flights.was_dispatched(number) {
            out.abandon(OperationId::new(self.number, number));
        }
    }
}
