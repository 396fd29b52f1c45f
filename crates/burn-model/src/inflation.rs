//! How many independent samples correlated ones are worth.
//!
//! What a network does to one operation it does to the next one too: fifty late operations of one bad second say little
//! more than one. Blocks of time show by how much: the variance of a share between blocks over the one that
//! independent samples would have (the *design effect*: L. Kish, Survey Sampling, 1965, §8.2; here for blocks of
//! unequal size, as a ratio estimate: W. G. Cochran, Sampling Techniques, 3rd ed., §2.11).

use crate::numbers::float;

/// Lengths of blocks, in seconds. The greatest inflation seen counts: trouble that lasts longer than a block hides in
/// it.
const BLOCK_SECONDS: [usize; 4] = [1, 2, 4, 8];
/// With fewer blocks their variance is itself too uncertain to use.
const LEAST_BLOCKS: usize = 8;

/// The shortest time, in seconds, that shows how samples hang together.
pub const LEAST_SECONDS: usize = BLOCK_SECONDS[0] * LEAST_BLOCKS;

/// By how much the variance of a share is greater than that of independent samples, at least 1. `seconds` holds, for
/// each second, how many operations there were and how many of them were over.
#[must_use]
pub fn inflation(seconds: &[(u64, u64)]) -> f64 {
    known(seconds).unwrap_or(1.0)
}

/// The same, where anything is known of it: `None` where none or all operations were over, or there were too few blocks.
#[must_use]
pub fn known(seconds: &[(u64, u64)]) -> Option<f64> {
    let seen = BLOCK_SECONDS.iter().filter_map(|length| of_blocks(seconds, *length)).reduce(f64::max);
    seen.map(|seen| seen.max(1.0))
}

fn of_blocks(seconds: &[(u64, u64)], length: usize) -> Option<f64> {
    let blocks: Vec<(f64, f64)> = seconds
        .chunks_exact(length)
        .map(|block| block.iter().fold((0.0, 0.0), |(n, k), second| (n + float(second.0), k + float(second.1))))
        .collect();
    if blocks.len() < LEAST_BLOCKS {
        return None;
    }
    let (n, k) = blocks.iter().fold((0.0, 0.0), |sum, block| (sum.0 + block.0, sum.1 + block.1));
    let share = k / n;
    // Nothing varies where none or all are over, and nothing is known where there is none at all.
    if !(share > 0.0 && share < 1.0) {
        return None;
    }
    // Each block deviates from what its own size would lead to expect. With m blocks of equal size b this is the
    // variance between their shares over share · (1 − share) / b.
    let squares: f64 = blocks.iter().map(|(n, k)| (k - share * n).powi(2)).sum();
    let m = float(blocks.len() as u64);
    Some(m / (m - 1.0) * squares / (n * share * (1.0 - share)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bad_second_in_ten_makes_its_operations_count_as_one() {
        // Ten blocks of 10, one wholly over: share 0.1. Squares: (10 − 1)² + 9 · 1² = 90.
        // 10/9 · 90 / (100 · 0.1 · 0.9) = 11.11: a hundred samples are worth nine.
        let mut seconds = vec![(10, 0); 10];
        seconds[4] = (10, 10);
        assert!((inflation(&seconds) - 100.0 / 9.0).abs() < 1e-12);
    }

    #[test]
    fn trouble_that_outlasts_a_second_shows_in_longer_blocks() {
        // 32 seconds of 10, four in a row over: share 1/8. Blocks of 4 s: 8 of them, one wholly over:
        // squares (40 − 5)² + 7 · 5² = 1400; 8/7 · 1400 / (320 · 1/8 · 7/8) = 45.71.
        // Blocks of 1 s would say: (4 · 8.75² + 28 · 1.25²) · 32/31 / 35 = 10.3.
        let mut seconds = vec![(10, 0); 32];
        seconds[8..12].fill((10, 10));
        assert!((inflation(&seconds) - 8.0 / 7.0 * 1400.0 / 35.0).abs() < 1e-12);
    }

    #[test]
    fn evenly_spread_trouble_inflates_nothing() {
        assert!((inflation(&[(10, 1); 20]) - 1.0).abs() < 1e-12);
        assert!((inflation(&[(10, 0); 20]) - 1.0).abs() < 1e-12, "none over");
        assert!((inflation(&[(10, 10); 20]) - 1.0).abs() < 1e-12, "all over");
    }

    #[test]
    fn seconds_weigh_by_what_was_in_them() {
        // A closed population: eight seconds with 1 operation each, and one of 92, all with the same share over in
        // proportion (0 of 1 is as near to 1/10 as it can get). The great second deviates by 10 − 9.2 − …: by hand,
        // K = 10, N = 100, share 0.1: squares 8 · (0 − 0.1)² + (10 − 9.2)² = 0.72; 9/8 · 0.72 / 9 = 0.09, so 1.
        let mut seconds = vec![(1, 0); 8];
        seconds.push((92, 10));
        assert!((inflation(&seconds) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn fewer_than_eight_seconds_show_nothing() {
        assert!((inflation(&[(10, 0), (10, 10), (10, 0)]) - 1.0).abs() < 1e-12);
        assert!((inflation(&[]) - 1.0).abs() < 1e-12);
        assert!((inflation(&[(0, 0); 30]) - 1.0).abs() < 1e-12);
        assert_eq!((known(&[(10, 0); 30]), known(&[(10, 10); 30]), known(&[(10, 1); 7])), (None, None, None));
        assert!(known(&[(10, 1); 8]).is_some());
    }
}
