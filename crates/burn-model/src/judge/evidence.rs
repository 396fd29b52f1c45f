//! What a run holds about one application, over the judged time.

use std::collections::BTreeMap;
use std::time::Duration;

use super::judgement::{Reading, Summary};
use crate::binomial;
use crate::distribution::{Distribution, Ranked};
use crate::plan::{Plan, Population};
use crate::record::{Ending, FailureCause, NotSentReason, Tally};
use crate::run::{Application, Client, Figure, JudgedWindow, RunRecord, View};
use crate::time::Moment;

/// One application in the judged time.
pub(crate) struct Evidence<'a> {
    pub(crate) run: &'a RunRecord,
    pub(crate) plan: &'a Plan,
    pub(crate) window: &'a JudgedWindow,
    pub(crate) client: &'a Client,
    pub(crate) population: &'a Population,
    pub(crate) application: &'a Application,
    /// What the server saw of it.
    pub(crate) witness: &'a [crate::record::WitnessRecord],
    /// When its load ended, where the run came to an orderly end.
    load_end: Option<Moment>,
}

impl<'a> Evidence<'a> {
    /// `None` where the plan has no such application.
    pub(crate) fn of(
        run: &'a RunRecord,
        window: &'a JudgedWindow,
        client_number: usize,
        population_number: usize,
    ) -> Option<Self> {
        let plan = run.plan()?;
        let client = run.clients().get(client_number)?;
        let population = plan.clients.get(client_number)?.populations.get(population_number)?;
        let load_end = match run.ending() {
            _ if client.lost.is_some() => None,
            Some(Ending::Finished) => Some(plan.end()),
            Some(Ending::Interrupted { at, .. }) => Some(plan.end().min(*at)),
            Some(Ending::Failed { .. }) | None => None,
        };
        Some(Self {
            run,
            plan,
            window,
            client,
            population,
            application: client.applications.get(population_number)?,
            witness: client.witness.get(population_number)?,
            load_end,
        })
    }

    /// For each judged second, how many operations that were scheduled in it have a rank, and how many of them took
    /// longer than the bound or never completed.
    pub(crate) fn over(&self, bound: Duration, view: View) -> Vec<(u64, u64)> {
        let number = self.application.bounds().iter().position(|known| *known == bound);
        self.by_second(|counts| number.map_or(0, |number| counts.over(number, view)))
    }

    /// For each judged second, how many operations that were scheduled in it have a rank, and how many of them never
    /// completed.
    pub(crate) fn lost(&self) -> Vec<(u64, u64)> {
        self.by_second(|_| 0)
    }

    /// The same for what lies in this bucket of [`crate::run::coarse_bucket`] or above it.
    pub(crate) fn at_least(&self, bucket: u8) -> Vec<(u64, u64)> {
        self.by_second(|counts| counts.coarse.at_least(bucket))
    }

    fn by_second(&self, over: impl Fn(&crate::run::CohortCounts) -> u64) -> Vec<(u64, u64)> {
        let seconds = self.window.seconds.clone();
        let length = usize::try_from(seconds.end.saturating_sub(seconds.start)).unwrap_or(0);
        let mut found = vec![(0, 0); length];
        for (second, counts) in self.application.seconds(seconds.clone()) {
            let place = usize::try_from(second - seconds.start).ok().and_then(|place| found.get_mut(place));
            let Some(place) = place else { continue };
            let lost = counts.cohort.unsuccessful.saturating_add(self.hanging(second, counts));
            *place = (counts.cohort.completed.saturating_add(lost), over(&counts.cohort).saturating_add(lost));
        }
        found
    }

    /// How many operations scheduled in a second were still under way when they were cut off, and had by then taken
    /// longer than any bound. They rank as unsuccessful: whoever cuts them off must not improve a figure by it.
    /// Younger ones have no rank, because nobody can say what would have become of them.
    fn hanging(&self, second: u64, counts: &crate::run::Second) -> u64 {
        let (Some(load_end), Some(greatest)) = (self.load_end, self.application.bounds().last()) else { return 0 };
        let cut_off = load_end + self.population.drain;
        if cut_off.since(Moment::from_secs(second.saturating_add(1))) < *greatest {
            return 0;
        }
        counts.happened.scheduled.saturating_sub(counts.cohort.ended())
    }

    /// What became of the operations that were scheduled in the judged time.
    ///
    /// Which operations did not complete is known by the second they were scheduled in, but why only by the second in
    /// which they ended. Where operations of the warm-up ended in the judged time, the causes are shared out in
    /// proportion.
    pub(crate) fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        let mut unsuccessful = 0_u64;
        for (_, second) in self.application.seconds(self.window.seconds.clone()) {
            tally.scheduled = tally.scheduled.saturating_add(second.happened.scheduled);
            tally.completed = tally.completed.saturating_add(second.cohort.completed);
            unsuccessful = unsuccessful.saturating_add(second.cohort.unsuccessful);
        }
        let causes = self.causes();
        let counts: Vec<u64> = causes.iter().map(|(_, n)| *n).collect();
        for ((cause, _), n) in causes.iter().zip(shared_out(unsuccessful, &counts)).filter(|(_, n)| *n > 0) {
            match cause {
                Cause::Failed(cause) => drop(tally.failed.insert(*cause, n)),
                Cause::TimedOut => tally.timed_out = n,
                Cause::NotSent(reason) => drop(tally.not_sent.insert(*reason, n)),
            }
        }
        tally.in_flight_after = tally.scheduled.saturating_sub(tally.completed.saturating_add(unsuccessful));
        tally
    }

    /// Why operations did not complete, from the beginning of the judged time on.
    fn causes(&self) -> Vec<(Cause, u64)> {
        let mut causes: BTreeMap<Cause, u64> = BTreeMap::new();
        let mut add = |cause, n: u64| {
            let count = causes.entry(cause).or_default();
            *count = count.saturating_add(n);
        };
        for (_, second) in self.application.seconds(self.window.seconds.start..u64::MAX) {
            second.happened.failed.iter().for_each(|(cause, n)| add(Cause::Failed(*cause), *n));
            add(Cause::TimedOut, second.happened.timed_out);
            second.happened.not_sent.iter().for_each(|(reason, n)| add(Cause::NotSent(*reason), *n));
        }
        causes.into_iter().collect()
    }

    /// When the load ended, as far as is known.
    pub(crate) fn load_end(&self) -> Moment {
        self.load_end.unwrap_or_else(|| Moment::from_secs(self.application.known_until()).min(self.plan.end()))
    }

    /// Payload that arrived in the judged time.
    pub(crate) fn bytes(&self) -> u64 {
        let seconds = self.application.seconds(self.window.seconds.clone());
        seconds.fold(0, |sum, (_, second)| sum.saturating_add(second.happened.bytes))
    }

    /// A figure over the operations that were scheduled in the judged time.
    pub(crate) fn distribution(&self, figure: Figure) -> Distribution {
        self.application.distribution(figure, &self.window.seconds)
    }

    /// A figure in short. What never completed ranks last in response time, and has no other time.
    pub(crate) fn summary(&self, figure: Figure) -> Summary {
        let distribution = self.distribution(figure);
        let lost = if figure == Figure::ResponseTime { total(&self.lost()).1 } else { 0 };
        let n = distribution.len().saturating_add(lost);
        Summary {
            n,
            p50: quantile(&distribution, lost, 0.5),
            p95: quantile(&distribution, lost, 0.95),
            p99: quantile(&distribution, lost, 0.99),
            max: at_rank(&distribution, lost, n),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cause {
    Failed(FailureCause),
    TimedOut,
    NotSent(NotSentReason),
}

/// Adds up counts by second.
pub(crate) fn total(seconds: &[(u64, u64)]) -> (u64, u64) {
    seconds
        .iter()
        .fold((0, 0), |sum: (u64, u64), second| (sum.0.saturating_add(second.0), sum.1.saturating_add(second.1)))
}

/// A quantile of a distribution with `lost` more operations that rank above all of it: the value at rank
/// ⌈quantile · n⌉ (the nearest-rank definition). There is none where so many samples, none of them over a bound,
/// could not tell a goal on it.
pub(crate) fn quantile(distribution: &Distribution, lost: u64, quantile: f64) -> Reading {
    let n = distribution.len().saturating_add(lost);
    if binomial::samples_needed(1.0 - quantile).is_none_or(|needed| n < needed) {
        return Reading::TooFew;
    }
    at_rank(distribution, lost, rank_of(quantile, n))
}

/// The rank of a quantile of so many: ⌈quantile · n⌉, at least 1.
pub(crate) fn rank_of(quantile: f64, n: u64) -> u64 {
    #[expect(clippy::cast_precision_loss, reason = "a rank past 2^53 does not come up")]
    let rank = quantile * n as f64;
    // 0.07 · 100 is a little more than 7 in binary, and its rank is 7 all the same.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and n")]
    let rank = (rank * (1.0 - 1e-12)).ceil() as u64;
    rank.clamp(1, n.max(1))
}

pub(crate) fn at_rank(distribution: &Distribution, lost: u64, rank: u64) -> Reading {
    match distribution.at_rank(rank) {
        Some(Ranked::Value(value)) => Reading::Value(value),
        Some(Ranked::Overflow) => Reading::Overflow,
        None if rank > 0 && lost > 0 => Reading::Unsuccessful,
        None => Reading::TooFew,
    }
}

/// `total` shared out in proportion to `weights`, whole, by the greatest remainders.
fn shared_out(total: u64, weights: &[u64]) -> Vec<u64> {
    let sum = weights.iter().fold(0_u128, |sum, weight| sum + u128::from(*weight));
    if sum == 0 {
        return vec![0; weights.len()];
    }
    let exact = |weight: u64| u128::from(total) * u128::from(weight);
    // A share of `total` is at most `total`.
    let mut shares: Vec<u64> = weights.iter().map(|w| u64::try_from(exact(*w) / sum).unwrap_or(total)).collect();
    let mut by_remainder: Vec<usize> = (0..weights.len()).collect();
    by_remainder.sort_by_key(|i| std::cmp::Reverse(exact(weights[*i]) % sum));
    let given = shares.iter().fold(0_u64, |sum, share| sum.saturating_add(*share));
    let left = usize::try_from(total.saturating_sub(given)).unwrap_or(usize::MAX);
    for i in by_remainder.into_iter().take(left) {
        shares[i] = shares[i].saturating_add(1);
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::Samples;

    fn distribution(millis: impl IntoIterator<Item = u64>) -> Distribution {
        let mut samples = Samples::default();
        millis.into_iter().for_each(|ms| samples.record(Duration::from_millis(ms)));
        let mut distribution = Distribution::default();
        distribution.add(&samples);
        distribution
    }

    fn value(ms: u64) -> Reading {
        Reading::Value(Duration::from_nanos(crate::samples::bucket(ms * 1_000_000)))
    }

    #[test]
    fn a_quantile_is_the_value_at_its_rank() {
        // ⌈0.95 · 100⌉ = 95, ⌈0.5 · 100⌉ = 50, ⌈0.5 · 101⌉ = 51, ⌈0.07 · 100⌉ = 7 although 0.07 · 100 > 7 in binary.
        let hundred = distribution(1..=100);
        assert_eq!(quantile(&hundred, 0, 0.95), value(95));
        assert_eq!(quantile(&hundred, 0, 0.5), value(50));
        assert_eq!(quantile(&distribution(1..=101), 0, 0.5), value(51));
        assert_eq!(quantile(&hundred, 0, 0.07), value(7));
    }

    #[test]
    fn what_never_completed_ranks_last() {
        // 95 completed and 5 did not: rank 95 is the last that did. With 6 of 101: ⌈95.95⌉ = 96 is one that did not.
        assert_eq!(quantile(&distribution(1..=95), 5, 0.95), value(95));
        assert_eq!(quantile(&distribution(1..=95), 6, 0.95), Reading::Unsuccessful);
        assert_eq!(quantile(&Distribution::default(), 59, 0.95), Reading::Unsuccessful);
    }

    #[test]
    fn quantiles_without_enough_samples_are_not_printed() {
        assert_eq!(quantile(&distribution(1..=58), 0, 0.95), Reading::TooFew);
        assert_ne!(quantile(&distribution(1..=59), 0, 0.95), Reading::TooFew);
        assert_eq!(quantile(&distribution(1..=4), 0, 0.5), Reading::TooFew);
        assert_eq!(at_rank(&Distribution::default(), 0, 0), Reading::TooFew, "an empty distribution has no greatest");
    }

    #[test]
    fn sharing_out_keeps_the_sum() {
        assert_eq!(shared_out(10, &[5, 5]), [5, 5]);
        // 10 · 2/3 = 6.67 and 10 · 1/3 = 3.33: the greater remainder gets the odd one.
        assert_eq!(shared_out(10, &[2, 1]), [7, 3]);
        assert_eq!(shared_out(3, &[0, 0]), [0, 0]);
        assert_eq!(shared_out(u64::MAX, &[u64::MAX, u64::MAX]).iter().sum::<u64>(), u64::MAX);
    }
}
