//! The bytes that replies are made of: random, hence incompressible, and never the same twice.
//!
//! One pool of random bytes is made at the start. Each connection walks through it from its own random place, round and
//! round, and never starts again, so that nothing comes back on a connection before a whole pool has gone by: further
//! than the windows of the compressors met in tunnels reach (deflate 32 KiB, LZ4 64 KiB, zstd's default 2 MiB). Each
//! reply begins with 16 bytes of its own. Nothing is generated or copied per byte.
//!
//! A box that removes duplicates over longer distances than the pool would see through this.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A prime just over 4 MiB: replies of a round size begin at another place each time round.
const POOL_BYTES: usize = 4_194_319;
/// Bytes of its own that each reply begins with.
pub(super) const NONCE_BYTES: usize = 16;

/// What all connections draw from.
pub(super) struct Pool {
    bytes: Box<[u8]>,
    seed: u64,
    cursors: AtomicU64,
}

impl Pool {
    /// How many bytes there are.
    pub(super) const LEN: usize = POOL_BYTES;

    /// Fills a pool from the system's random source.
    pub(super) fn new() -> io::Result<Self> {
        let mut source = File::open("/dev/urandom")?;
        let mut bytes = vec![0; POOL_BYTES].into_boxed_slice();
        source.read_exact(&mut bytes)?;
        let mut seed = [0; 8];
        source.read_exact(&mut seed)?;
        Ok(Self { bytes, seed: u64::from_ne_bytes(seed), cursors: AtomicU64::new(0) })
    }

    /// A walk through the pool from a random place.
    pub(super) fn cursor(&self) -> Cursor {
        let nth = self.cursors.fetch_add(1, Ordering::Relaxed);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.seed.wrapping_add(nth));
        let place = random.next_u64() % POOL_BYTES as u64;
        Cursor { place: usize::try_from(place).unwrap_or(0), random }
    }

    /// What lies at `place`, up to `len` bytes: less where the pool ends.
    pub(super) fn slice(&self, place: usize, len: usize) -> &[u8] {
        let place = place % POOL_BYTES;
        let end = place.saturating_add(len).min(POOL_BYTES);
        self.bytes.get(place..end).unwrap_or_default()
    }
}

impl fmt::Debug for Pool {
    /// Without the bytes, which would say nothing at great length.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pool").field("cursors", &self.cursors).finish_non_exhaustive()
    }
}

/// One connection's walk.
#[derive(Debug)]
pub(super) struct Cursor {
    place: usize,
    random: Xoshiro256PlusPlus,
}

impl Cursor {
    /// Goes on by `len` bytes; returns where they begin.
    pub(super) fn take(&mut self, len: u64) -> usize {
        let place = self.place;
        let on = usize::try_from(len % POOL_BYTES as u64).unwrap_or(0);
        self.place = (self.place + on) % POOL_BYTES;
        place
    }

    /// Bytes that no other reply begins with.
    pub(super) fn nonce(&mut self) -> [u8; NONCE_BYTES] {
        let mut nonce = [0; NONCE_BYTES];
        self.random.fill_bytes(&mut nonce);
        nonce
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pool of n random bytes has each of the 256 values n/256 times, with a standard deviation of √(n/256): 128.0 at
    /// n = 4194319. Ten deviations are never reached by chance.
    #[test]
    fn all_byte_values_are_equally_frequent() {
        let pool = Pool::new().unwrap();
        let mut counts = [0_i64; 256];
        for &byte in &pool.bytes {
            counts[usize::from(byte)] += 1;
        }
        assert!(counts.iter().all(|count| (count - 16_384).abs() < 1280), "{counts:?}");
    }

    #[test]
    fn a_walk_visits_the_whole_pool_before_it_repeats() {
        let pool = Pool::new().unwrap();
        let mut cursor = pool.cursor();
        let first = cursor.take(POOL_BYTES as u64 - 1);
        assert_eq!(cursor.take(1), (first + POOL_BYTES - 1) % POOL_BYTES);
        assert_eq!(cursor.take(0), first);
    }

    #[test]
    fn slices_end_with_the_pool_and_are_never_empty() {
        let pool = Pool::new().unwrap();
        assert_eq!(pool.slice(POOL_BYTES - 3, 10).len(), 3);
        assert_eq!(pool.slice(POOL_BYTES, 10).len(), 10);
        assert_eq!(pool.slice(0, 10).len(), 10);
    }

    #[test]
    fn cursors_and_nonces_differ() {
        let pool = Pool::new().unwrap();
        let (mut one, mut two) = (pool.cursor(), pool.cursor());
        assert_ne!(one.place, two.place);
        assert_ne!(one.nonce(), two.nonce());
        assert_ne!(one.nonce(), one.nonce());
    }
}
