//! A share of operations, with how sure it is: the statistics behind every goal that allows a share.

use super::evidence::total;
use super::judgement::GoalOutcome;
use super::sentences::{independent, operations};
use crate::binomial;
use crate::inflation::inflation;
use crate::numbers::{float, percent};

/// A share, with how sure it is.
pub(super) struct Share {
    pub(super) n: u64,
    pub(super) k: u64,
    pub(super) effective_n: f64,
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl Share {
    /// Correlated samples are worth fewer independent ones, and their share is the same.
    pub(super) fn of(seconds: &[(u64, u64)]) -> Self {
        let (n, k) = total(seconds);
        let effective_n = float(n) / inflation(seconds);
        let (lower, upper) =
            if n > 0 { binomial::bounds(float(k) / float(n) * effective_n, effective_n) } else { (0.0, 1.0) };
        Self { n, k, effective_n, lower, upper }
    }

    pub(super) fn observed(&self) -> Option<f64> {
        (self.n > 0).then(|| float(self.k) / float(self.n))
    }

    /// Whether at most `allowed` was shown to be kept.
    pub(super) fn outcome(&self, allowed: f64) -> GoalOutcome {
        if self.n > 0 && self.upper <= allowed {
            GoalOutcome::Met
        } else if self.lower > allowed {
            GoalOutcome::Missed
        } else {
            GoalOutcome::CannotTell
        }
    }

    /// Why it cannot be told whether at most `allowed` is kept.
    pub(super) fn doubt(&self, allowed: f64, what: &str) -> String {
        let needed = binomial::samples_needed(allowed);
        match needed {
            _ if self.n == 0 => "no operation came to an end in the judged time".to_owned(),
            Some(needed) if self.n < needed => {
                format!("it saw {}; {needed} would tell, if none {what}", operations(self.n))
            }
            Some(needed) if self.effective_n < float(needed) => format!(
                "its {} depend on one another so much that they are worth only {}; {needed} would tell, if none {what}",
                operations(self.n),
                independent(self.effective_n)
            ),
            _ => format!(
                "between {} and {} of all operations {what}, and {} may: too close to call",
                percent(self.lower),
                percent(self.upper),
                percent(allowed)
            ),
        }
    }
}

#[cfg(test)]
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a simulation of minutes holds small numbers"
)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::*;

    const PER_SECOND: f64 = 50.0;
    const ALLOWED: f64 = 0.05;
    const RUNS: u32 = 200;

    /// Exponential with this mean.
    fn exponential(random: &mut Xoshiro256PlusPlus, mean: f64) -> f64 {
        let uniform = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        -mean * (-uniform).ln_1p()
    }

    /// A run in which good and bad periods alternate, bad ones with this mean length, and bad for exactly the allowed share
    /// of the time in the mean. Every operation in a bad period is over.
    fn run(random: &mut Xoshiro256PlusPlus, bad: f64, seconds: u32) -> Vec<(u64, u64)> {
        let mut over = vec![0_u64; seconds as usize];
        let good = bad * (1.0 - ALLOWED) / ALLOWED;
        // An exponential has no memory: to begin in a bad period with the chance of one is to begin anywhere.
        let begins_bad = exponential(random, 1.0) > -(ALLOWED.ln());
        let mut at = if begins_bad { 0.0 } else { exponential(random, good) };
        while at < f64::from(seconds) {
            let until = (at + exponential(random, bad)).min(f64::from(seconds));
            let (first, end) = ((at * PER_SECOND).ceil() as u64, (until * PER_SECOND).ceil() as u64);
            for operation in first..end {
                over[(operation / PER_SECOND as u64) as usize] += 1;
            }
            at = until + exponential(random, good);
        }
        over.into_iter().map(|over| (PER_SECOND as u64, over)).collect()
    }

    /// How often such runs are called met and missed.
    fn said(bad: f64, seconds: u32, judge: impl Fn(&[(u64, u64)]) -> GoalOutcome) -> (f64, f64) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        let (mut met, mut missed) = (0, 0);
        for _ in 0..RUNS {
            match judge(&run(&mut random, bad, seconds)) {
                GoalOutcome::Met => met += 1,
                GoalOutcome::Missed => missed += 1,
                GoalOutcome::CannotTell => {}
            }
        }
        (f64::from(met) / f64::from(RUNS), f64::from(missed) / f64::from(RUNS))
    }

    fn as_we_do(seconds: &[(u64, u64)]) -> GoalOutcome {
        Share::of(seconds).outcome(ALLOWED)
    }

    /// Three standard errors of a share of so many runs.
    fn error(share: f64) -> f64 {
        3.0 * (share * (1.0 - share) / f64::from(RUNS)).sqrt()
    }

    #[test]
    fn at_the_limit_missed_is_said_wrongly_in_at_most_a_tenth_of_runs() {
        for seconds in [60, 300] {
            for bad in [0.05, 0.5, 2.0, 5.0] {
                let (_, missed) = said(bad, seconds, as_we_do);
                assert!(missed <= 0.10 + error(0.10), "bad for {bad} s in {seconds} s: {missed}");
            }
        }
    }

    #[test]
    fn at_the_limit_met_is_said_wrongly_in_4_to_10_percent_of_runs_while_trouble_is_short() {
        for seconds in [60, 300] {
            for bad in [0.05, 0.2, 0.5] {
                let (met, _) = said(bad, seconds, as_we_do);
                let expected = 0.04 - error(0.04)..=0.10 + error(0.10);
                assert!(expected.contains(&met), "bad for {bad} s in {seconds} s: {met}");
            }
        }
    }

    #[test]
    fn a_run_cannot_speak_for_trouble_of_seconds_that_comes_once_a_minute() {
        // Bad for 5 s every 100 s in the mean: half of all runs of a minute see none. That is why the report says so.
        let (met, _) = said(5.0, 60, as_we_do);
        assert!(met > 0.10 + error(0.10), "{met}");
        let (longer, _) = said(5.0, 300, as_we_do);
        assert!(longer < met, "a longer run says more: {longer}");
    }

    #[test]
    fn judged_as_if_samples_were_independent_far_more_runs_are_called_wrongly() {
        let as_if_independent = |seconds: &[(u64, u64)]| {
            let (n, k) = total(seconds);
            let (lower, _) = binomial::bounds(float(k), float(n));
            if lower > ALLOWED { GoalOutcome::Missed } else { GoalOutcome::CannotTell }
        };
        let (_, missed) = said(0.5, 60, as_if_independent);
        assert!(missed > 0.25, "{missed}");
    }
}
