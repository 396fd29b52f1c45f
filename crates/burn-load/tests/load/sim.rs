//! A simulated network and server in virtual time, and the loop that drives an engine through it.
//!
//! A request takes `delay` to the server, may have to wait out a stall and takes the server its service time; the
//! reply goes piece by piece through one first-come-first-served queue that drains at the link's rate, and
//! takes `delay` back. All arithmetic is in whole nanoseconds, computed from the start of a busy period, so that the
//! link itself rounds nothing up over time.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Duration;

use burn_load::engine::Engine;
use burn_load::operation::{Completion, Dispatch, OperationId};
use burn_model::plan::Plan;
use burn_model::record::FailureCause;
use burn_model::time::{Moment, nanos};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::Rng as _;

use crate::seen::Seen;

/// What the far end does with a request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    /// Sends what was asked for.
    Whole,
    /// Nobody listens.
    Refused,
    /// Every `n`-th reply is an error.
    ErrorEvery(u64),
    /// The reply breaks off after so many bytes.
    Truncated(u64),
    /// One byte a second.
    Trickle,
    /// Somebody else answers, at once and with the right size.
    WrongServer,
    /// Takes the request and says nothing.
    Silent,
}

/// How long the server works on a request.
#[derive(Debug)]
pub(crate) enum Service {
    Fixed(Duration),
    Exponential(Duration, Xoshiro256PlusPlus),
}

#[derive(Debug)]
pub(crate) struct SimLink {
    pub(crate) delay: Duration,
    pub(crate) wire: Wire,
    /// The server takes up nothing in this time.
    pub(crate) stall: Range<Moment>,
    pub(crate) service: Service,
    pub(crate) answer: Answer,
    /// How long the driver takes from a wake-up to a send.
    pub(crate) send_lateness: Duration,
    pub(crate) completion: Completion,
    pub(crate) piece_bytes: u64,
    /// What is on its way; starts empty.
    pub(crate) transit: Transit,
}

#[derive(Debug, Default)]
pub(crate) struct Transit {
    requests: u64,
    abandoned: BTreeSet<OperationId>,
    news: BTreeMap<(Moment, u64), News>,
    sequence: u64,
}

/// How fast pieces go out.
#[derive(Debug)]
pub(crate) enum Wire {
    /// At once.
    Infinite,
    /// At a constant rate in bits per second.
    Rate { bps: u64, busy_since: Moment, bits: u64 },
    /// Through a token bucket that holds `burst` bytes and fills at `bps` bits per second; it starts full.
    Bucket { bps: u64, burst: u64, spent: u128, at: Moment },
}

#[derive(Clone, Copy, Debug)]
enum News {
    Sent(OperationId),
    FirstByte(OperationId),
    Bytes(OperationId, usize, u64),
    Completed(OperationId),
    Failed(OperationId, FailureCause),
}

impl Default for SimLink {
    /// A perfect network: no delay, no limit, no fault.
    fn default() -> Self {
        Self {
            delay: Duration::ZERO,
            wire: Wire::Infinite,
            stall: Moment::NEVER..Moment::NEVER,
            service: Service::Fixed(Duration::ZERO),
            answer: Answer::Whole,
            send_lateness: Duration::ZERO,
            completion: Completion::default(),
            piece_bytes: 1500,
            transit: Transit::default(),
        }
    }
}

impl Wire {
    pub(crate) const fn rate(bps: u64) -> Self {
        Self::Rate { bps, busy_since: Moment::START, bits: 0 }
    }

    pub(crate) const fn bucket(bps: u64, burst: u64) -> Self {
        Self::Bucket { bps, burst, spent: 0, at: Moment::START }
    }

    /// When `bytes` that are there at `ready` have gone out.
    fn send(&mut self, ready: Moment, bytes: u64) -> Moment {
        match self {
            Self::Infinite => ready,
            Self::Rate { bps, busy_since, bits } => {
                if ready > *busy_since + transmission(*bits, *bps) {
                    (*busy_since, *bits) = (ready, 0);
                }
                *bits += bytes * 8;
                *busy_since + transmission(*bits, *bps)
            }
            Self::Bucket { bps, burst, spent, at } => {
                // Tokens are counted in billionths of a bit, of which `bps` come in each nanosecond.
                let rate = u128::from(*bps);
                let start = ready.max(*at);
                let refilled = rate * u128::from(nanos(start.since(*at)));
                *spent = spent.saturating_sub(refilled) + u128::from(bytes) * 8_000_000_000;
                let missing = spent.saturating_sub(u128::from(*burst) * 8_000_000_000);
                let wait = u64::try_from(missing.div_ceil(rate)).unwrap();
                *spent = spent.saturating_sub(rate * u128::from(wait));
                *at = start + Duration::from_nanos(wait);
                *at
            }
        }
    }
}

fn transmission(bits: u64, bps: u64) -> Duration {
    Duration::from_nanos(u64::try_from(u128::from(bits) * 1_000_000_000 / u128::from(bps)).unwrap())
}

impl SimLink {
    fn tell(&mut self, at: Moment, news: News) {
        self.transit.sequence += 1;
        self.transit.news.insert((at, self.transit.sequence), news);
    }

    fn send(&mut self, dispatch: Dispatch, now: Moment) {
        let Dispatch { id, population, operation, .. } = dispatch;
        let sent_at = now + self.send_lateness;
        self.tell(sent_at, News::Sent(id));
        self.transit.requests += 1;
        let arrived = sent_at + self.delay;
        let taken_up = if self.stall.contains(&arrived) { self.stall.end } else { arrived };
        let replied = taken_up
            + match &mut self.service {
                Service::Fixed(time) => *time,
                Service::Exponential(mean, generator) => exponential(*mean, generator),
            };
        let back = replied + self.delay;
        match self.answer {
            Answer::Refused => self.tell(back, News::Failed(id, FailureCause::Connect)),
            Answer::WrongServer => self.tell(back, News::Failed(id, FailureCause::WrongServer)),
            Answer::Silent => {}
            Answer::ErrorEvery(n) if self.transit.requests.is_multiple_of(n) => {
                self.tell(back, News::Failed(id, FailureCause::Status));
            }
            Answer::Whole | Answer::ErrorEvery(_) => {
                let end = self.stream(id, population, replied, operation.bytes());
                self.tell(end, News::Completed(id));
            }
            Answer::Truncated(bytes) => {
                let end = self.stream(id, population, replied, bytes);
                self.tell(end, News::Failed(id, FailureCause::Truncated));
            }
            Answer::Trickle => {
                self.tell(back, News::FirstByte(id));
                for second in 0..operation.bytes() {
                    self.tell(back + Duration::from_secs(second), News::Bytes(id, population, 1));
                }
            }
        }
    }

    /// Sends payload from `ready` on; says when the last of it arrives.
    fn stream(&mut self, id: OperationId, population: usize, ready: Moment, bytes: u64) -> Moment {
        let mut left = bytes;
        let mut last = ready + self.delay;
        self.tell(last, News::FirstByte(id));
        while left > 0 {
            let piece = left.min(self.piece_bytes);
            left -= piece;
            last = self.wire.send(ready, piece) + self.delay;
            self.tell(last, News::Bytes(id, population, piece));
        }
        last
    }

    /// Tells the engine what arrives at `now` or before.
    fn deliver(&mut self, engine: &mut Engine, now: Moment) {
        while let Some(entry) = self.transit.news.first_entry() {
            let at = entry.key().0;
            if at > now {
                break;
            }
            match entry.remove() {
                News::Sent(id) => engine.handle_sent(id, at),
                News::FirstByte(id) => engine.handle_first_byte(id, at),
                News::Bytes(id, population, bytes) if !self.transit.abandoned.contains(&id) => {
                    engine.handle_bytes(population, at, bytes);
                }
                News::Bytes(..) => {}
                News::Completed(id) => engine.handle_completed(id, at, self.completion),
                News::Failed(id, cause) => engine.handle_failed(id, at, cause),
            }
        }
    }

    /// How many operations the driver was told to give up.
    pub(crate) fn abandoned(&self) -> usize {
        self.transit.abandoned.len()
    }

    fn next(&self) -> Option<Moment> {
        self.transit.news.first_key_value().map(|((at, _), _)| *at)
    }
}

fn exponential(mean: Duration, generator: &mut Xoshiro256PlusPlus) -> Duration {
    let uniform = f64::from(u32::try_from(generator.next_u64() >> 32).unwrap());
    mean.mul_f64(-((uniform + 1.0) / 4_294_967_296.0).ln())
}

/// Runs client 0 of a plan through a link to the end.
pub(crate) fn drive(plan: &Plan, link: &mut SimLink) -> Seen {
    let mut engine = Engine::new(plan, 0).unwrap();
    drive_engine(&mut engine, link, Moment::NEVER)
}

/// Runs an engine through a link, and stops it at `stop_at`.
pub(crate) fn drive_engine(engine: &mut Engine, link: &mut SimLink, stop_at: Moment) -> Seen {
    let mut events = Vec::new();
    let mut stopped = false;
    while let Some(timeout) = engine.poll_timeout() {
        let mut now = link.next().map_or(timeout, |news| timeout.min(news));
        if now >= stop_at && !stopped {
            now = stop_at;
            stopped = true;
            engine.stop(now);
        }
        link.deliver(engine, now);
        engine.handle_timeout(now);
        // What is sent and answered at the same moment is told at the same moment, and may free a slot.
        while let Some(dispatch) = engine.poll_dispatch(now) {
            link.send(dispatch, now);
            link.deliver(engine, now);
        }
        while let Some(id) = engine.poll_abandon() {
            link.transit.abandoned.insert(id);
        }
        events.extend(std::iter::from_fn(|| engine.poll_event()));
    }
    assert!(engine.is_finished());
    Seen::of(events)
}
