//! Two small samples held against each other: the exact rank-sum test, and the shift between them.
//!
//! F. Wilcoxon, "Individual comparisons by ranking methods", Biometrics Bulletin 1 (1945) 80–83; H. B. Mann,
//! D. R. Whitney, Annals of Mathematical Statistics 18 (1947) 50–60. The p-value is exact, also with ties: it counts how
//! many ways of dealing the same values onto the two sides are at least as far from even. The shift is the median of
//! all pairwise differences, with the interval that belongs to it: J. L. Hodges, E. L. Lehmann, Annals of Mathematical
//! Statistics 34 (1963) 598–611. Nothing is assumed of how the values are distributed.

/// The most values on one side: the count of all deals stays a number, and quick to make.
pub const MOST: usize = 32;

/// How surely two samples differ: a share of equal pairs of at most this is called different.
pub const LEVEL: f64 = 0.05;

/// What a rank-sum test of two samples says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankTest {
    /// The share of all ways to deal these values onto the two sides that are at least as uneven, in (0, 1\].
    pub p: f64,
    /// Whether the second side's values rank higher, lower, or neither.
    pub second_is: std::cmp::Ordering,
    /// The second side's values less the first's: the median of all pairwise differences. `None` where a side holds a value
    /// without a difference (a quantile that fell on operations which never completed).
    pub shift: Option<Shift>,
}

/// How far apart two samples are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shift {
    /// The median of all pairwise differences.
    pub estimate: f64,
    /// An interval that holds the true shift in at least 95 % of all such comparisons; `None` where there are too few values
    /// to give one (three a side).
    pub interval: Option<(f64, f64)>,
}

/// Tests whether `first` and `second` come from one distribution. Infinite values rank past all others. `None` where a side
/// is empty or holds more than [`MOST`], and where a value is not a number.
#[must_use]
pub fn rank_test(first: &[f64], second: &[f64]) -> Option<RankTest> {
    let sides = [first, second];
    if sides.iter().any(|side| side.is_empty() || side.len() > MOST || side.iter().any(|value| value.is_nan())) {
        return None;
    }
    let ranks = doubled_midranks(first, second);
    let sum: usize = ranks.iter().take(first.len()).sum();
    let deals = deals(&ranks, first.len());
    // Twice the mean of the sum of doubled ranks: n (n + m + 1) ranks, doubled once for the midranks and once to stay whole.
    let twice_mean = 2 * first.len() * (ranks.len() + 1);
    let unevenness = |sum: usize| (2 * sum).abs_diff(twice_mean);
    let all: f64 = deals.iter().sum();
    let as_uneven: f64 =
        deals.iter().enumerate().filter(|(other, _)| unevenness(*other) >= unevenness(sum)).map(|(_, ways)| ways).sum();
    Some(RankTest { p: (as_uneven / all).min(1.0), second_is: twice_mean.cmp(&(2 * sum)), shift: shift(first, second) })
}

/// Twice the rank of each value of both samples, the first sample's first. Equal values share the mean of their ranks, which
/// is why they are doubled: a midrank may end in a half.
fn doubled_midranks(first: &[f64], second: &[f64]) -> Vec<usize> {
    let all: Vec<f64> = first.iter().chain(second).copied().collect();
    let doubled = |value: &f64| {
        let below = all.iter().filter(|other| *other < value).count();
        let above = all.iter().filter(|other| *other > value).count();
        // Neither below nor above is equal: zero has two signs, and they are one value.
        let equal = all.len() - below - above;
        2 * below + equal + 1
    };
    all.iter().map(doubled).collect()
}

/// In how many ways `chosen` of the values give each sum of doubled ranks. Floating point holds the counts: the largest
/// is below 10^19, and the ratio of two of them is all that is used.
fn deals(ranks: &[usize], chosen: usize) -> Vec<f64> {
    let most: usize = ranks.iter().sum();
    let mut ways = vec![vec![0.0; most + 1]; chosen + 1];
    ways[0][0] = 1.0;
    for rank in ranks {
        for taken in (1..=chosen).rev() {
            let (fewer, these) = ways.split_at_mut(taken);
            let (Some(fewer), Some(these)) = (fewer.last(), these.first_mut()) else { continue };
            for (sum, count) in fewer.iter().enumerate().filter(|(_, count)| **count > 0.0) {
                if let Some(slot) = these.get_mut(sum + rank) {
                    *slot += count;
                }
            }
        }
    }
    ways.pop().unwrap_or_default()
}

fn shift(first: &[f64], second: &[f64]) -> Option<Shift> {
    let mut differences: Vec<f64> =
        second.iter().flat_map(|second| first.iter().map(move |first| second - first)).collect();
    if differences.iter().any(|difference| !difference.is_finite()) {
        return None;
    }
    differences.sort_by(f64::total_cmp);
    let middle = differences.len() / 2;
    let estimate = if differences.len().is_multiple_of(2) {
        f64::midpoint(*differences.get(middle.checked_sub(1)?)?, *differences.get(middle)?)
    } else {
        *differences.get(middle)?
    };
    let outside = outside(first.len(), second.len());
    let interval = outside.and_then(|k| Some((*differences.get(k)?, *differences.get(differences.len() - 1 - k)?)));
    Some(Shift { estimate, interval })
}

/// How many of the ordered pairwise differences lie outside the interval at each end: the largest `k` for which the
/// Mann–Whitney statistic is at most `k` with a probability of at most half of [`LEVEL`].
fn outside(first: usize, second: usize) -> Option<usize> {
    let ranks: Vec<usize> = (1..=first + second).map(|rank| 2 * rank).collect();
    let deals = deals(&ranks, first);
    let all: f64 = deals.iter().sum();
    // The sum of the ranks less the least that it can be is the statistic; the ranks are doubled here.
    let least = first * (first + 1);
    let mut at_most = 0.0;
    let mut found = None;
    for (statistic, ways) in deals.iter().skip(least).step_by(2).enumerate() {
        at_most += ways / all;
        if at_most > LEVEL / 2.0 {
            break;
        }
        found = Some(statistic);
    }
    found
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::*;

    #[test]
    fn four_against_four_wholly_apart_is_two_of_seventy_deals() {
        // 8 choose 4 = 70 deals; only this one and its mirror are so uneven: 2/70.
        let test = rank_test(&[1.0, 2.0, 3.0, 4.0], &[15.0, 16.0, 17.0, 18.0]).unwrap();
        assert!((test.p - 2.0 / 70.0).abs() < 1e-12, "{test:?}");
        assert_eq!(test.second_is, Ordering::Greater);
        // Differences: 14 ± 0..3, symmetric about 14; with 16 of them, at most 0 outside at each end (1/70 ≤ 0.025 < 2/70).
        assert_eq!(test.shift, Some(Shift { estimate: 14.0, interval: Some((11.0, 17.0)) }));
    }

    #[test]
    fn the_next_deal_after_the_most_uneven_one_does_not_show_a_difference() {
        // Ranks of the first: 1, 2, 3, 5: sum 11. As uneven or more: sums 10, 11 and their mirrors 26, 25, one deal each: 4/70.
        let test = rank_test(&[1.0, 2.0, 3.0, 5.0], &[4.0, 6.0, 7.0, 8.0]).unwrap();
        assert!((test.p - 4.0 / 70.0).abs() < 1e-12, "{test:?}");
        assert!(test.p > LEVEL);
    }

    #[test]
    fn equal_values_share_their_ranks_and_all_equal_say_nothing() {
        let test = rank_test(&[5.0, 5.0, 5.0, 5.0], &[5.0, 5.0, 5.0, 5.0]).unwrap();
        assert!(test.p >= 1.0 && test.second_is == Ordering::Equal, "{test:?}");
        // 1 | 1, 2: midranks 1.5, 1.5, 3. The first's rank is 1.5 in two of three deals and 3 in one; the mean is 2, so 1.5 is
        // 0.5 away and 3 is 1 away: all three deals are at least as uneven.
        assert!(rank_test(&[1.0], &[1.0, 2.0]).unwrap().p >= 1.0);
        let zeros = rank_test(&[0.0, 0.0], &[-0.0, -0.0]).unwrap();
        assert_eq!(zeros.second_is, Ordering::Equal, "zero has two signs, and is one value");
    }

    #[test]
    fn a_value_worse_than_any_number_ranks_last_and_has_no_difference() {
        let infinite = f64::INFINITY;
        let test = rank_test(&[1.0, 2.0, 3.0, 4.0], &[infinite, infinite, infinite, infinite]).unwrap();
        assert!((test.p - 2.0 / 70.0).abs() < 1e-12);
        assert_eq!(test.shift, None);
    }

    #[test]
    fn the_interval_leaves_out_as_many_differences_as_the_table_of_the_test_allows() {
        // Critical values of U, two-sided 5 %, from the usual tables: 4/4: 0, 5/5: 2, 6/6: 5, 8/8: 13, 10/10: 23. Three a side
        // have none.
        for (n, critical) in [(3, None), (4, Some(0)), (5, Some(2)), (6, Some(5)), (8, Some(13)), (10, Some(23))] {
            assert_eq!(outside(n, n), critical, "{n} a side");
        }
    }

    #[test]
    fn nonsense_is_not_tested() {
        assert_eq!(rank_test(&[], &[1.0]), None);
        assert_eq!(rank_test(&[f64::NAN], &[1.0]), None);
        assert_eq!(rank_test(&[1.0; MOST + 1], &[1.0]), None);
        // 64 choose 32 is 1.83 · 10^18; two deals of it are 1.09 · 10^-18.
        let p = rank_test(&[1.0; MOST], &[2.0; MOST]).unwrap().p;
        assert!((p / 1.0913e-18 - 1.0).abs() < 1e-3, "{p}");
    }
}
