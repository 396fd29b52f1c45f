//! An application's response time by percentile, with how sure each place of the curve is.
//!
//! The band is pointwise and free of any distribution: a quantile lies between two order statistics, whose ranks come from the
//! binomial distribution alone (H. A. David, H. N. Nagaraja, Order Statistics, 3rd ed., 2003, §7.1). Operations of a network
//! depend on one another, so their number is divided by the variance inflation ([`crate::inflation`]) that was seen of
//! lengths of time near the quantile; ranks are scaled back.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::binomial;
use crate::distribution::Distribution;
use crate::goal::Bound;
use crate::inflation;
use crate::judge::Reading;
use crate::judge::evidence::{Evidence, at_rank, rank_of, total};
use crate::numbers::float;
use crate::run::{Figure, RunRecord, coarse_bucket};

/// The chance that the true quantile lies above the band's upper edge, and likewise below its lower one.
const BEYOND: f64 = 0.025;
/// Places on the curve for each nine.
const PLACES_PER_NINE: u32 = 20;
/// Shares that everybody asks for, whatever the grid is.
const USUAL: [f64; 6] = [0.5, 0.9, 0.95, 0.99, 0.999, 0.9999];

/// Response time by percentile, of one application in the judged time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PercentileCurve {
    /// By rising share.
    pub points: Vec<CurvePoint>,
    /// How many operations it is of, those that did not complete included.
    pub n: u64,
    /// Of these, how many did not complete. They rank last.
    pub unsuccessful: u64,
}

/// A place on the curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// The share of operations that took no longer, in \[0, 1).
    pub share: f64,
    /// The quantile.
    pub reading: Reading,
    /// Where the true quantile lies; `None` where nothing is known of how operations depend on one another.
    pub band: Option<Band>,
}

/// A pointwise 95 % confidence interval of a quantile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Band {
    /// `None`: the samples set no lower edge. An edge may lie among operations that never completed.
    pub lower: Option<Reading>,
    /// `None`: the samples set no upper edge; likewise.
    pub upper: Option<Reading>,
    /// How many independent operations the edges were worked out with.
    pub effective_n: f64,
}

/// The curve of an application; `None` where the plan has no such one. Without a single operation in the judged time it has
/// no points.
#[must_use]
pub fn percentile_curve(run: &RunRecord, client: usize, population: usize) -> Option<PercentileCurve> {
    let window = run.judged_window();
    let evidence = Evidence::of(run, &window, client, population)?;
    let asked = evidence.population.goals.iter().filter_map(|goal| match goal.bound {
        Bound::ResponseTime { quantile, .. } => Some(quantile),
        _ => None,
    });
    let operations = Operations {
        distribution: evidence.distribution(Figure::ResponseTime),
        unsuccessful: total(&evidence.lost()).1,
        at_least: |bucket| evidence.at_least(bucket),
    };
    Some(operations.curve(asked))
}

/// Operations to draw the curve of.
struct Operations<F> {
    distribution: Distribution,
    unsuccessful: u64,
    /// For each second, how many operations there were, and how many lie in a coarse bucket or above it.
    at_least: F,
}

impl<F: Fn(u8) -> Vec<(u64, u64)>> Operations<F> {
    fn curve(&self, asked: impl IntoIterator<Item = f64>) -> PercentileCurve {
        self.at(shares(self.n(), asked))
    }

    fn n(&self) -> u64 {
        self.distribution.len().saturating_add(self.unsuccessful)
    }

    fn at(&self, shares: Vec<f64>) -> PercentileCurve {
        let n = self.n();
        let ranks = Ranks::of(&self.distribution);
        let mut inflations = Inflations { at_least: &self.at_least, known: BTreeMap::new(), span: ranks.buckets() };
        let point = |share| {
            let reading = at_rank(&self.distribution, self.unsuccessful, rank_of(share, n));
            let band = inflations.near(reading).map(|inflation| band(&ranks, share, n, inflation));
            CurvePoint { share, reading, band }
        };
        PercentileCurve { points: shares.into_iter().map(point).collect(), n, unsuccessful: self.unsuccessful }
    }
}

/// The places of a curve of `n` operations: at equal steps of nines while at least one operation lies beyond, the usual ones
/// and those asked for among them; and a last one for the longest operation, in the middle of the share that it stands for.
fn shares(n: u64, asked: impl IntoIterator<Item = f64>) -> Vec<f64> {
    if n == 0 {
        return Vec::new();
    }
    let beyond = 1.0 / float(n);
    let steps = (0..).map(|step| 1.0 - 10_f64.powf(-f64::from(step) / f64::from(PLACES_PER_NINE)));
    // A rounding must not take the last place away.
    let reached = |share: &f64| 1.0 - share >= beyond * (1.0 - 1e-9);
    let mut shares: Vec<f64> = steps.take_while(reached).collect();
    shares.extend(USUAL.into_iter().chain(asked).filter(|share| *share > 0.0 && reached(share)));
    shares.push(1.0 - beyond / 2.0);
    shares.sort_by(f64::total_cmp);
    shares.dedup_by(|one, other| (*one - *other).abs() < 1e-12);
    shares
}

/// The band of the quantile `share` of `n` operations whose variance is so much inflated.
///
/// The lower edge is the highest order statistic of rank l with P(X < l) ≤ 2.5 % and the upper one the lowest of rank u with
/// P(X ≥ u) ≤ 2.5 %, where X counts which of the operations take no longer than the true quantile: binomial with the
/// chance `share`.
fn band(ranks: &Ranks, share: f64, n: u64, inflation: f64) -> Band {
    let effective_n = float(n) / inflation;
    let at_most = |k: f64| binomial::at_most(k, effective_n, share);
    // P(X < l) rises with l, and P(X ≥ u) falls with u. Scaled so, either edge is as far out as the other.
    let lower = last_that(n, |rank| at_most(float(rank - 1) / inflation) <= BEYOND);
    let upper = last_that(n, |rank| 1.0 - at_most(float(rank) / inflation - 1.0) > BEYOND).map_or(1, |rank| rank + 1);
    Band { lower: lower.map(|rank| ranks.at(rank)), upper: (upper <= n).then(|| ranks.at(upper)), effective_n }
}

/// The last rank of 1 to `n` for which something holds that holds for all before it too; `None` where it holds for none.
fn last_that(n: u64, holds: impl Fn(u64) -> bool) -> Option<u64> {
    let (mut below, mut beyond) = (0, n.saturating_add(1));
    while beyond - below > 1 {
        let middle = below + (beyond - below) / 2;
        if holds(middle) { below = middle } else { beyond = middle }
    }
    (below > 0).then_some(below)
}

/// The values of a distribution with the rank of the last of each: many ranks are asked for.
struct Ranks {
    values: Vec<(u64, Duration)>,
    /// How many operations completed, however late.
    completed: u64,
}

impl Ranks {
    fn of(distribution: &Distribution) -> Self {
        let mut passed = 0_u64;
        let ranked = distribution.values().map(|(value, n)| {
            passed = passed.saturating_add(n);
            (passed, value)
        });
        Self { values: ranked.collect(), completed: distribution.len() }
    }

    /// What stands at a rank; past the last that completed there are those that did not.
    fn at(&self, rank: u64) -> Reading {
        match self.values.get(self.values.partition_point(|(last, _)| *last < rank)) {
            Some((_, value)) => Reading::Value(*value),
            None if rank <= self.completed => Reading::Overflow,
            None => Reading::Unsuccessful,
        }
    }

    /// The coarse buckets of the least and the greatest value.
    fn buckets(&self) -> Option<(u8, u8)> {
        let ((_, least), (_, greatest)) = (self.values.first()?, self.values.last()?);
        Some((coarse_bucket(*least), coarse_bucket(*greatest)))
    }
}

/// How much the variance of the share over each length of time is inflated.
struct Inflations<F> {
    at_least: F,
    /// By coarse bucket, as far as it was asked for.
    known: BTreeMap<u8, Option<f64>>,
    /// The buckets in which there is something.
    span: Option<(u8, u8)>,
}

impl<F: Fn(u8) -> Vec<(u64, u64)>> Inflations<F> {
    /// The greater one of the nearest lengths of time below a quantile and above it of which anything is known.
    fn near(&mut self, reading: Reading) -> Option<f64> {
        let (least, greatest) = self.span.unwrap_or((0, 0));
        // Above the greatest value there are still those that never completed.
        let top = greatest.saturating_add(1);
        let place = match reading {
            Reading::Value(value) => coarse_bucket(value),
            Reading::Unsuccessful | Reading::Overflow => top,
            Reading::TooFew => return None,
        };
        let below = (least..=place).rev().find_map(|bucket| self.at(bucket));
        let above = (place.saturating_add(1)..=top).find_map(|bucket| self.at(bucket));
        below.into_iter().chain(above).reduce(f64::max)
    }

    fn at(&mut self, bucket: u8) -> Option<f64> {
        *self.known.entry(bucket).or_insert_with(|| inflation::known(&(self.at_least)(bucket)))
    }
}

#[cfg(test)]
mod tests;
