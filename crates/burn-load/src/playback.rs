//! A model of a player: media is played while its bytes arrive.
//!
//! Playback starts when enough is buffered, stands still when the buffer is empty, and resumes when enough is
//! buffered again; the buffer is capped. The arithmetic is exact: a level is kept in billionths of a bit, of which
//! playing eats as many in a nanosecond as the bit rate has bits in a second. Only what is reported is rounded
//! down to nanoseconds, from running totals, so that no rounding adds up.

use std::time::Duration;

use burn_model::plan::Media;
use burn_model::record::PlaybackRecord;
use burn_model::time::{Moment, nanos};

/// Levels per byte: 8 bits of 10^9 each.
const LEVEL_PER_BYTE: u128 = 8_000_000_000;

/// A player. Time runs through [`bytes`](Self::bytes) and [`take_record`](Self::take_record), never backward.
#[derive(Debug)]
pub(crate) struct Player {
    /// Level eaten per nanosecond: bits per second.
    rate: u128,
    start: u128,
    resume: u128,
    cap: u128,
    state: State,
    level: u128,
    /// Until when everything is accounted for.
    at: Moment,
    /// Level played in all.
    eaten: u128,
    /// Time since playback first started.
    elapsed: u128,
    /// What of those two was told in earlier records, in nanoseconds.
    told: Told,
    /// The record of the current second, as far as it is not computed from the totals.
    record: PlaybackRecord,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Playback has not started yet.
    Waiting,
    Playing,
    Stalled,
}

#[derive(Clone, Copy, Debug, Default)]
struct Told {
    played: u128,
    stalled: u128,
}

impl Player {
    pub(crate) fn new(media: Media) -> Self {
        let rate = u128::from(media.bit_rate.as_bps()).max(1);
        let level = |time: Duration| rate.saturating_mul(u128::from(nanos(time)));
        Self {
            rate,
            start: level(media.start),
            resume: level(media.resume),
            cap: level(media.cap),
            state: State::Waiting,
            level: 0,
            at: Moment::START,
            eaten: 0,
            elapsed: 0,
            told: Told::default(),
            record: PlaybackRecord::default(),
        }
    }

    /// Media has arrived. `first_scheduled_at` is when the first operation was due: start-up counts from there.
    pub(crate) fn bytes(&mut self, now: Moment, bytes: u64, first_scheduled_at: Moment) {
        self.play_until(now);
        if bytes == 0 {
            return;
        }
        self.level = self.level.saturating_add(u128::from(bytes) * LEVEL_PER_BYTE).min(self.cap);
        match self.state {
            State::Waiting if self.level >= self.start => {
                self.state = State::Playing;
                self.record.startup_ns = Some(nanos(now.since(first_scheduled_at)));
                self.record.lowest_buffer_ns = Some(self.buffered());
            }
            State::Stalled if self.level >= self.resume => self.state = State::Playing,
            _ => {}
        }
    }

    /// What happened since the last record, up to `now`.
    pub(crate) fn take_record(&mut self, now: Moment) -> PlaybackRecord {
        self.play_until(now);
        let played = self.eaten / self.rate;
        let stalled = self.elapsed.saturating_sub(played);
        self.record.played = duration(played.saturating_sub(self.told.played));
        self.record.stalled = duration(stalled.saturating_sub(self.told.stalled));
        self.told = Told { played, stalled };
        let lowest_buffer_ns = (self.state != State::Waiting).then(|| self.buffered());
        std::mem::replace(&mut self.record, PlaybackRecord { lowest_buffer_ns, ..PlaybackRecord::default() })
    }

    fn play_until(&mut self, now: Moment) {
        let passed = u128::from(nanos(now.since(self.at)));
        self.at = self.at.max(now);
        if self.state == State::Waiting {
            return;
        }
        self.elapsed = self.elapsed.saturating_add(passed);
        if self.state == State::Playing {
            let wanted = self.rate.saturating_mul(passed);
            // An empty buffer is a stall only once time passes over it.
            if wanted > self.level {
                self.state = State::Stalled;
                self.record.stalls += 1;
            }
            let eaten = wanted.min(self.level);
            self.level -= eaten;
            self.eaten = self.eaten.saturating_add(eaten);
        }
        let buffered = self.buffered();
        self.record.lowest_buffer_ns = Some(self.record.lowest_buffer_ns.map_or(buffered, |low| low.min(buffered)));
    }

    /// The buffer's level as media time, in nanoseconds, rounded down.
    fn buffered(&self) -> u64 {
        u64::try_from(self.level / self.rate).unwrap_or(u64::MAX)
    }
}

fn duration(nanos: u128) -> Duration {
    Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use burn_model::units::BitRate;

    use super::*;

    /// The shipped player: 25 Mbps, starts and resumes at 2 s, holds 30 s.
    fn player() -> Player {
        let (start, cap) = (Duration::from_secs(2), Duration::from_secs(30));
        Player::new(Media { bit_rate: BitRate::from_mbps(25), start, resume: start, cap })
    }

    /// One second of media: 25,000,000 / 8 bytes.
    const SECOND: u64 = 3_125_000;

    fn at(millis: u64) -> Moment {
        Moment::from_millis(millis)
    }

    #[test]
    fn playback_starts_at_two_seconds_and_stalls_and_resumes_as_computed_by_hand() {
        let mut player = player();
        // The first operation was due at 0.5 s; 1 s of media is not enough, 1 s more is: starts at 3.0 s.
        player.bytes(at(1_000), SECOND, at(500));
        player.bytes(at(3_000), SECOND, at(500));
        let record = player.take_record(at(4_000));
        assert_eq!(record.startup_ns, Some(2_500_000_000));
        assert_eq!((record.played, record.stalled, record.stalls), (Duration::from_secs(1), Duration::ZERO, 0));
        assert_eq!(record.lowest_buffer_ns, Some(1_000_000_000));
        // 2 s of media from 3.0 s on last until 5.0 s; 1 s of media at 6.0 s does not resume it, 1 s more at 7.5 s does.
        player.bytes(at(6_000), SECOND, at(500));
        player.bytes(at(7_500), SECOND, at(500));
        let record = player.take_record(at(8_000));
        assert_eq!(record.startup_ns, None);
        assert_eq!(
            (record.played, record.stalled, record.stalls),
            (Duration::from_millis(1_500), Duration::from_millis(2_500), 1)
        );
        assert_eq!(record.lowest_buffer_ns, Some(0));
        // 1.5 s are left at 8 s: none of it is gone when the next second begins.
        let record = player.take_record(at(9_000));
        assert_eq!((record.played, record.lowest_buffer_ns), (Duration::from_secs(1), Some(500_000_000)));
    }

    #[test]
    fn bytes_that_come_at_the_very_moment_the_buffer_runs_dry_prevent_the_stall() {
        let mut player = player();
        player.bytes(at(0), 2 * SECOND, at(0));
        player.bytes(at(2_000), SECOND, at(0));
        let record = player.take_record(at(3_000));
        assert_eq!((record.stalls, record.stalled, record.lowest_buffer_ns), (0, Duration::ZERO, Some(0)));
    }

    #[test]
    fn the_buffer_holds_no_more_than_its_cap() {
        let mut player = player();
        player.bytes(at(0), 100 * SECOND, at(0));
        let record = player.take_record(at(40_000));
        assert_eq!((record.played, record.stalled), (Duration::from_secs(30), Duration::from_secs(10)));
    }

    #[test]
    fn thirty_seconds_buffered_last_75_seconds_at_15_mbps() {
        // B / (1 − r/25) = 30 s / (1 − 15/25) = 75 s. Here 15 Mbps come as 1875 bytes each millisecond, from 1 ms on.
        // In bits: after the arrival at k ms the level is 750e6 − 10e3·k, which at 74,998 ms is 20e3, or 0.8 ms of media:
        // less than the millisecond to the next arrival. So it stands still from 74.9988 s on.
        let mut player = player();
        player.bytes(at(0), 30 * SECOND, at(0));
        for ms in 1..=76_000 {
            player.bytes(at(ms), 1875, at(0));
        }
        let record = player.take_record(at(76_000));
        assert_eq!(record.played, Duration::from_micros(74_998_800));
        assert_eq!((record.stalls, record.stalled), (1, Duration::from_micros(1_001_200)));
    }

    #[test]
    fn no_rounding_adds_up() {
        // At 3 bit/s a byte lasts 2.666… s, never a whole number of nanoseconds. With a byte every 3 s, 3000 bytes
        // play for 8000 s and stand still for 1000 s, exactly.
        let media = Media {
            bit_rate: BitRate::from_bps(3),
            start: Duration::ZERO,
            resume: Duration::ZERO,
            cap: Duration::from_secs(30),
        };
        let mut player = Player::new(media);
        let (mut played, mut stalled, mut stalls) = (Duration::ZERO, Duration::ZERO, 0);
        for second in 0..9000 {
            if second % 3 == 0 {
                player.bytes(Moment::from_secs(second), 1, at(0));
            }
            let record = player.take_record(Moment::from_secs(second + 1));
            played += record.played;
            stalled += record.stalled;
            stalls += record.stalls;
        }
        assert_eq!((played, stalled, stalls), (Duration::from_secs(8000), Duration::from_secs(1000), 3000));
    }
}
