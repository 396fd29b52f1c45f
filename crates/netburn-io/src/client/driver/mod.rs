//! The one driver loop, whatever the workload.

mod connection;
mod flights;
mod receive;
mod send;
mod standing;

use std::io;
use std::time::Instant;

use burn_load::engine::Engine;
use burn_model::record::{ClientState, RunEvent};
use burn_model::time::Moment;

use super::clock::Clock;
use super::platform::{Poller, Receiver, StopHandle};
use super::target::{RequestKind, Target, TargetError};
use super::usage::UsageMeter;
pub use send::connections_needed;

use connection::{Connections, Key};
use flights::Flights;
use standing::Standing;

/// Dispatches acted on in a row at most, before sockets, the timer and the stop handle have their turn: a
/// population whose operations fail at once may ask for the next one without end.
const DISPATCH_BATCH: usize = 512;

/// How a client's part of a run is driven.
#[derive(Clone, Debug)]
pub struct DriveOptions {
    /// Whom to ask, and for what.
    pub target: Target,
    /// Index of the client in the plan.
    pub client: u32,
    /// The moment that the plan calls [`Moment::START`].
    pub start: Instant,
    /// Whether requests for small objects (64 KiB at most, one per operation) may go out on one kept connection before
    /// earlier replies are in. The server must bear it; a netburn server does.
    pub pipelining: bool,
}

/// The driver could not run at all. What the network or the server does wrong is in the events instead.
#[derive(Debug, thiserror::Error)]
pub enum DriveError {
    /// The target cannot be asked for.
    #[error("the target is unusable: {0}")]
    Target(#[from] TargetError),
    /// The system refused a timer or a way to wait.
    #[error("could not {doing}: {source} (is the limit of open files, `ulimit -n`, very low?)")]
    System {
        /// What was tried.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
}

/// Waits for the start, says how late it began, runs the engine until its run is over, and gives out its events and, once
/// a second, what the driving costs this host.
///
/// Runs on the calling thread, which should do nothing else. `emit` is called from the loop: it must not block.
/// When `stop` is raised, the load ends as if the plan had ended there.
///
/// # Errors
/// Where the target is unusable, or the system refuses what waiting needs.
pub fn drive(
    engine: Engine,
    options: &DriveOptions,
    stop: &StopHandle,
    emit: &mut dyn FnMut(RunEvent),
) -> Result<(), DriveError> {
    options.target.check()?;
    let poller = Poller::new(stop).map_err(|source| DriveError::System { doing: "set up a timer", source })?;
    Driver::new(engine, options, poller).run(stop, emit).map_err(|source| DriveError::System { doing: "wait", source })
}

/// The loop with all it holds.
struct Driver<'a> {
    engine: Engine,
    options: &'a DriveOptions,
    clock: Clock,
    poller: Poller,
    receiver: Receiver,
    connections: Connections,
    flights: Flights,
    populations: Vec<PopulationState>,
    /// The run's token as it must stand in replies.
    token: Option<String>,
    /// The pipelined connection whose requests wait to be written together.
    unflushed: Option<Key>,
    /// Number of the wake-up being worked on.
    wake: u64,
    /// When it happened.
    wake_at: Moment,
    /// When the one before it happened, as far as it told of every socket that was ready.
    previous_wake_at: Moment,
}

/// What the driver keeps for a population.
#[derive(Debug, Default)]
struct PopulationState {
    /// Connections without a request, the one used last on top. May name some that have gone.
    idle: Vec<Key>,
    /// The connection that takes pipelined requests.
    pipeline: Option<Key>,
    /// Operations under way.
    under_way: usize,
    /// Whether two operations were ever under way at once.
    overlapped: bool,
    /// The request, written out, and the size of piece that it is for.
    request: Vec<u8>,
    request_bytes: Option<u64>,
}

impl<'a> Driver<'a> {
    fn new(engine: Engine, options: &'a DriveOptions, poller: Poller) -> Self {
        let token = match &options.target.request {
            RequestKind::Generated { token } => Some(token.to_string()),
            RequestKind::Url { .. } => None,
        };
        Self {
            engine,
            options,
            clock: Clock::starting_at(options.start),
            poller,
            receiver: Receiver::new(),
            connections: Connections::default(),
            flights: Flights::default(),
            populations: Vec::new(),
            token,
            unflushed: None,
            wake: 0,
            wake_at: Moment::START,
            previous_wake_at: Moment::START,
        }
    }

    fn run(mut self, stop: &StopHandle, emit: &mut dyn FnMut(RunEvent)) -> io::Result<()> {
        while !self.clock.has_started() && !stop.is_stopped() {
            self.poller.wait(self.clock.reading_at(Moment::START))?;
        }
        let mut stopping = false;
        let started_at = self.clock.now();
        emit(RunEvent::Client {
            client: self.options.client,
            state: ClientState::Running { start_lateness: started_at.since_start() },
            at: Some(started_at),
        });
        let mut usage = UsageMeter::new(self.options.client, started_at);
        let mut standing = Standing::new(self.options.client, started_at);
        loop {
            if stop.is_stopped() && !stopping {
                stopping = true;
                self.poller.forget(stop)?;
                self.engine.stop(self.clock.now());
            }
            let more = self.turn(emit);
            if self.engine.is_finished() {
                break;
            }
            let now = self.clock.now();
            if usage.due() <= now {
                emit(RunEvent::Usage(usage.take(now)));
            }
            if let Some(record) = standing.advance(&mut self.connections, now) {
                emit(record);
            }
            let Some(due) = self.engine.poll_timeout() else { break };
            let until = if more { now } else { due.min(usage.due()).min(standing.due()) };
            self.wait(until, emit)?;
        }
        if let Some(last) = usage.finish(self.clock.now()) {
            emit(RunEvent::Usage(last));
        }
        Ok(())
    }

    /// Waits, and serves every socket that is ready. Between sockets the engine has its turn, so that no send waits
    /// for a fast download to be read.
    fn wait(&mut self, until: Moment, emit: &mut dyn FnMut(RunEvent)) -> io::Result<()> {
        let was_full = self.poller.was_full();
        let previous = self.wake_at;
        self.poller.wait(self.clock.reading_at(until))?;
        if !was_full {
            self.previous_wake_at = previous;
        }
        self.wake += 1;
        self.wake_at = self.clock.now();
        for index in 0..self.poller.count() {
            if let Some(ready) = self.poller.ready(index) {
                self.serve(ready);
                self.turn(emit);
            }
        }
        Ok(())
    }

    /// Gives the engine its time, and does what it asks for. Whether it may be asking for more.
    fn turn(&mut self, emit: &mut dyn FnMut(RunEvent)) -> bool {
        let now = self.clock.now();
        if self.engine.poll_timeout().is_some_and(|due| due <= now) {
            self.engine.handle_timeout(now);
        }
        let mut dispatched = 0;
        loop {
            while let Some(id) = self.engine.poll_abandon() {
                self.abandon(id);
            }
            if dispatched == DISPATCH_BATCH {
                break;
            }
            if let Some(dispatch) = self.engine.poll_dispatch(self.clock.now()) {
                self.dispatch(dispatch);
                dispatched += 1;
            } else if let Some(key) = self.unflushed.take() {
                self.flush(key);
            } else {
                break;
            }
        }
        if let Some(key) = self.unflushed.take() {
            self.flush(key);
        }
        while let Some(event) = self.engine.poll_event() {
            emit(event);
        }
        dispatched == DISPATCH_BATCH
    }

    /// The state of a population, made when it is first heard of.
    fn population(&mut self, index: usize) -> &mut PopulationState {
        if self.populations.len() <= index {
            self.populations.resize_with(index + 1, PopulationState::default);
        }
        &mut self.populations[index]
    }
}
