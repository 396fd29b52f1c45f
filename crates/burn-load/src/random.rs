//! Seeded randomness that is the same on every machine.
//!
//! Draws are computed in integers: the logarithm of the standard library may differ in its last digit between
//! platforms, and then the same seed would give two schedules.

use std::time::Duration;

use burn_model::time::nanos;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng as _};

/// Fraction bits of a [unit draw](Generator::exponential): a mean of one hour is drawn to the microsecond, one of
/// a second to less than a nanosecond.
pub(crate) const UNIT_BITS: u32 = 32;

/// Bits of a uniform draw. The longest exponential draw is 53 · ln 2 = 36.7 means, seen once in 10^16 draws.
const UNIFORM_BITS: u32 = 53;
/// Fraction bits of the binary logarithm.
const LOG_BITS: u32 = 40;
/// ln 2 with 48 fraction bits.
const LN_2: u128 = 195_103_586_505_167;
const LN_2_BITS: u32 = 48;

/// A stream of draws.
#[derive(Clone, Debug)]
pub(crate) struct Generator(Xoshiro256PlusPlus);

impl Generator {
    pub(crate) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A draw of the exponential distribution with mean one, with [`UNIT_BITS`] fraction bits: the inverse of
    /// its distribution function, −ln U with U uniform on (0, 1] (Devroye 1986, §II.2).
    pub(crate) fn exponential(&mut self) -> u64 {
        let uniform = (self.0.next_u64() >> (64 - UNIFORM_BITS)) + 1;
        let minus_log2 = (u128::from(UNIFORM_BITS) << LOG_BITS) - u128::from(log2(uniform));
        let unit = (minus_log2 * LN_2) >> (LOG_BITS + LN_2_BITS - UNIT_BITS);
        u64::try_from(unit).unwrap_or(u64::MAX)
    }

    /// A draw of the exponential distribution with the given mean, rounded down to whole nanoseconds.
    pub(crate) fn exponential_with_mean(&mut self, mean: Duration) -> Duration {
        let nanos = (u128::from(self.exponential()) * u128::from(nanos(mean))) >> UNIT_BITS;
        Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX))
    }
}

/// The binary logarithm of `value` (at least 1) with [`LOG_BITS`] fraction bits, rounded down.
///
/// One bit per squaring of the mantissa (Knuth, The Art of Computer Programming 1, §1.2.2, exercise 25). Each
/// squaring doubles the error of the last, and each bit weighs half of the last: the whole error stays under
/// 2^-56.
fn log2(value: u64) -> u64 {
    let value = value.max(1);
    let whole = u64::from(63 - value.leading_zeros());
    // The mantissa, in [1, 2), with 62 fraction bits.
    let mut mantissa = u128::from(value) << 62 >> whole;
    let mut log = whole;
    for _ in 0..LOG_BITS {
        mantissa = (mantissa * mantissa) >> 62;
        let bit = mantissa >> 63;
        mantissa >>= bit;
        log = log << 1 | u64::from(bit != 0);
    }
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_integer_logarithm_agrees_with_the_one_of_the_library() {
        for value in [1, 2, 3, 7, 10, 1 << 20, (1 << 20) + 1, 987_654_321, (1 << 53) - 1, 1 << 53_u64] {
            #[expect(clippy::cast_precision_loss, reason = "at most 2^53")]
            let (ours, theirs) = (log2(value) as f64 / (1_u64 << LOG_BITS) as f64, (value as f64).log2());
            assert!((ours - theirs).abs() < 1e-11, "{value}: {ours} against {theirs}");
        }
    }

    #[test]
    fn exponential_draws_have_the_mean_and_the_tail_of_the_distribution() {
        // n = 200,000 draws: the mean's standard error is 1/√n = 0.0022; five of them are 0.011. The share beyond
        // three means is e^-3 = 0.0498 with a standard error of √(0.0498 · 0.9502 / n) = 0.00049; five are 0.0025.
        let mut generator = Generator::new(1);
        let draws: Vec<u64> = (0..200_000).map(|_| generator.exponential()).collect();
        #[expect(clippy::cast_precision_loss, reason = "a statistic")]
        let mean = draws.iter().map(|draw| *draw as f64).sum::<f64>() / 200_000.0 / f64::from(1 << 30) / 4.0;
        assert!((mean - 1.0).abs() < 0.011, "{mean}");
        let beyond = draws.iter().filter(|draw| **draw > 3 << UNIT_BITS).count();
        assert!((9_460..=10_460).contains(&beyond), "{beyond}");
    }

    #[test]
    fn a_draw_scales_with_its_mean() {
        let (mut one, mut other) = (Generator::new(7), Generator::new(7));
        let second = one.exponential_with_mean(Duration::from_secs(1));
        let minute = other.exponential_with_mean(Duration::from_secs(60));
        let rounding = nanos(minute).abs_diff(nanos(second) * 60);
        assert!(rounding <= 60, "{second:?} against {minute:?}");
        assert_eq!(one.exponential_with_mean(Duration::ZERO), Duration::ZERO);
    }
}
