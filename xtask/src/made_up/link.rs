//! The model of one client's way to the server and back: a delay that wavers, a queue that drains at a rate that wavers, times
//! in which nothing gets through, and replies that fail now and then.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::time::Duration;

use burn_load::engine::Engine;
use burn_load::operation::{Completion, Dispatch, OperationId};
use burn_model::record::FailureCause;
use burn_model::time::Moment;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// Payload is told in pieces of so many bytes.
const PIECE: u64 = 64 << 10;
/// What the server takes for a reply.
const SERVER_TIME: Duration = Duration::from_micros(350);

/// What a link is like.
pub(super) struct Quality {
    /// Bits per second at best.
    pub(super) bps: f64,
    /// There and back, at best.
    pub(super) round_trip: Duration,
    /// One reply of so many fails.
    pub(super) fails_once_in: u64,
    /// Nothing gets through.
    pub(super) outages: Vec<Range<Moment>>,
    /// A small part of the rate is left.
    pub(super) interference: Option<Range<Moment>>,
}

/// One client's link, with what is on its way.
pub(super) struct Link {
    quality: Quality,
    random: Xoshiro256PlusPlus,
    /// When the queue is empty again.
    free_at: Moment,
    news: BTreeMap<(Moment, u64), News>,
    sequence: u64,
    abandoned: BTreeSet<OperationId>,
}

enum News {
    Sent(OperationId),
    FirstByte(OperationId),
    Bytes(OperationId, usize, u64),
    Completed(OperationId),
    Failed(OperationId, FailureCause),
}

impl Link {
    pub(super) fn new(quality: Quality, seed: u64) -> Self {
        Self {
            quality,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
            free_at: Moment::START,
            news: BTreeMap::new(),
            sequence: 0,
            abandoned: BTreeSet::new(),
        }
    }

    /// Drives an engine through the link up to a moment.
    pub(super) fn drive(&mut self, engine: &mut Engine, until: Moment) {
        while let Some(timeout) = engine.poll_timeout() {
            let now = self.news.first_key_value().map_or(timeout, |((at, _), _)| timeout.min(*at));
            if now > until {
                return;
            }
            self.deliver(engine, now);
            engine.handle_timeout(now);
            while let Some(dispatch) = engine.poll_dispatch(now) {
                self.send(dispatch, now);
                self.deliver(engine, now);
            }
            while let Some(id) = engine.poll_abandon() {
                self.abandoned.insert(id);
            }
        }
    }

    fn send(&mut self, dispatch: Dispatch, now: Moment) {
        let id = dispatch.id;
        // The driver's own lateness: some ten microseconds.
        let sent = now + Duration::from_micros(8 + self.random.next_u64() % 40);
        self.tell(sent, News::Sent(id));
        let half = self.quality.round_trip / 2 + self.wavering();
        let arrived = self.through(sent + half) + SERVER_TIME;
        if self.random.next_u64().is_multiple_of(self.quality.fails_once_in) {
            let cause = if id.number().is_multiple_of(2) { FailureCause::Disconnected } else { FailureCause::Status };
            self.tell(arrived + half, News::Failed(id, cause));
            return;
        }
        let mut at = arrived.max(self.free_at);
        let mut left = dispatch.operation.bytes();
        let mut first = true;
        while left > 0 {
            let piece = left.min(PIECE);
            let sent = at + self.transmission(piece, at);
            at = self.through(sent);
            if first {
                self.tell(at + half, News::FirstByte(id));
                first = false;
            }
            self.tell(at + half, News::Bytes(id, dispatch.population, piece));
            left -= piece;
        }
        self.free_at = at;
        self.tell(at + half, News::Completed(id));
    }

    /// How long so many bytes take on the wire.
    fn transmission(&mut self, bytes: u64, at: Moment) -> Duration {
        let hindered = self.quality.interference.as_ref().is_some_and(|time| time.contains(&at));
        let rate = self.quality.bps * if hindered { 0.3 } else { 0.75 + 0.25 * self.uniform() };
        #[expect(clippy::cast_precision_loss, reason = "a piece is small")]
        Duration::from_secs_f64(bytes as f64 * 8.0 / rate)
    }

    /// The moment itself, or the end of the outage in which it lies.
    fn through(&self, at: Moment) -> Moment {
        self.quality.outages.iter().find(|outage| outage.contains(&at)).map_or(at, |outage| outage.end)
    }

    /// What a busy air adds to a way: mostly little, exponential with a mean of 2 ms.
    fn wavering(&mut self) -> Duration {
        let uniform = self.uniform();
        Duration::from_secs_f64(-0.002 * (-uniform).ln_1p())
    }

    fn uniform(&mut self) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "53 bits, which is what a float holds")]
        let uniform = (self.random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        uniform
    }

    fn tell(&mut self, at: Moment, news: News) {
        self.sequence += 1;
        self.news.insert((at, self.sequence), news);
    }

    fn deliver(&mut self, engine: &mut Engine, now: Moment) {
        while let Some(entry) = self.news.first_entry().filter(|entry| entry.key().0 <= now) {
            let ((at, _), news) = entry.remove_entry();
            let completion =
                Completion { receive_lateness: Some(Duration::from_micros(20)), server_time: Some(SERVER_TIME) };
            match news {
                News::Sent(id) => engine.handle_sent(id, at),
                News::FirstByte(id) => engine.handle_first_byte(id, at),
                News::Bytes(id, population, bytes) if !self.abandoned.contains(&id) => {
                    engine.handle_bytes(population, at, bytes);
                }
                News::Bytes(..) => {}
                News::Completed(id) => engine.handle_completed(id, at, completion),
                News::Failed(id, cause) => engine.handle_failed(id, at, cause),
            }
        }
    }
}
