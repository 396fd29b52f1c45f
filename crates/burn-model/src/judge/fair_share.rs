//! Whether an application kept its fair share of what its client had alone: docs/METHOD.md, "Fair share".

use super::evidence::Evidence;
use super::judgement::{FairShare, GoalOutcome};
use crate::numbers::{float, percent};

/// A client is fairly served where it keeps this much of the N-th part of what it had alone (Broadband Forum TR-398,
/// airtime fairness).
const FAIR: f64 = 0.90;
/// Lengths of blocks, in seconds: those of the design effect elsewhere in this judgement.
const BLOCK_SECONDS: [usize; 4] = [1, 2, 4, 8];
/// With fewer blocks their variance says nothing, even with Student's allowance for that.
const LEAST_BLOCKS: usize = 5;
/// The standard normal's 95 % quantile: bounds are one-sided, as all bounds here.
const NORMAL_95: f64 = 1.644_853_627;

impl FairShare {
    /// Whether the ratio is known to be unfair, as a sentence without its end.
    pub(super) fn complaint(&self) -> Option<String> {
        let ratio = self.ratio.filter(|_| self.outcome == GoalOutcome::Missed)?;
        Some(format!(
            "it kept {} of what it had alone; at least {} (0.90/{}) is fair",
            percent(ratio),
            percent(self.bound),
            self.clients
        ))
    }
}

/// A rate with its uncertainty: the mean of seconds, and half the width of a 95 % interval, one-sided.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rate {
    mean: f64,
    half_width: f64,
}

/// Judges an application whose client was measured alone before; `None` where it was not.
pub(super) fn judge(
    evidence: &Evidence<'_>,
    number: (usize, usize),
    clients: u64,
    untrusted: &[String],
) -> Option<FairShare> {
    let solo = evidence.run.solo(number.0, number.1)?;
    let together = rate(&evidence.application.payload(evidence.window.seconds.clone()));
    // A file that tells no seconds tells no uncertainty either: the rate is then taken as it stands.
    let alone = if solo.bytes_by_second.is_empty() {
        Some(Rate { mean: float(solo.goodput_bps) / 8.0, half_width: 0.0 })
    } else {
        rate(&solo.bytes_by_second)
    };
    Some(compare(alone, together, clients, untrusted.first()))
}

fn compare(alone: Option<Rate>, together: Option<Rate>, clients: u64, doubt: Option<&String>) -> FairShare {
    let bound = FAIR / float(clients.max(1));
    let mean = |rate: Option<Rate>| rate.map_or(0.0, |rate| rate.mean);
    let mut fair_share = FairShare {
        solo_bps: mean(alone) * 8.0,
        together_bps: mean(together) * 8.0,
        ratio: (mean(alone) > 0.0).then(|| mean(together) / mean(alone)),
        bound,
        clients,
        interval: None,
        outcome: GoalOutcome::CannotTell,
        because: None,
    };
    let too_short = || format!("at least {LEAST_BLOCKS} s must be judged, alone and together");
    fair_share.because = match (doubt, alone, together) {
        (Some(doubt), ..) => Some(doubt.clone()),
        (None, Some(alone), _) if alone.mean <= 0.0 => Some("it received nothing while it was alone".to_owned()),
        (None, Some(alone), Some(together)) => {
            let (lower, upper) = ratio_bounds(together, alone);
            fair_share.interval = Some((lower, upper));
            fair_share.outcome = if lower >= bound {
                GoalOutcome::Met
            } else if upper < bound {
                GoalOutcome::Missed
            } else {
                GoalOutcome::CannotTell
            };
            let unsure = fair_share.outcome == GoalOutcome::CannotTell;
            unsure.then(|| "its rates vary too much to tell; a longer run would".to_owned())
        }
        (None, ..) => Some(too_short()),
    };
    fair_share
}

/// Batch means: seconds hang together, so that longer blocks show the variance of the mean better, and fewer of them know
/// it less well. Half a width is t(0.95, k − 1) · s / √k for k blocks whose means deviate by s; the greatest of
/// all lengths counts. `None` where there are too few seconds.
fn rate(bytes: &[u64]) -> Option<Rate> {
    let half_widths = BLOCK_SECONDS.iter().filter_map(|length| half_width(bytes, *length));
    let half_width = half_widths.reduce(f64::max)?;
    Some(Rate { mean: mean(bytes), half_width })
}

fn half_width(bytes: &[u64], length: usize) -> Option<f64> {
    let means: Vec<f64> = bytes.chunks_exact(length).map(mean).collect();
    if means.len() < LEAST_BLOCKS {
        return None;
    }
    let k = float(means.len() as u64);
    let centre = means.iter().sum::<f64>() / k;
    let variance = means.iter().map(|mean| (mean - centre).powi(2)).sum::<f64>() / (k - 1.0);
    Some(student_95(k - 1.0) * (variance / k).sqrt())
}

fn mean(bytes: &[u64]) -> f64 {
    if bytes.is_empty() {
        0.0
    } else {
        bytes.iter().map(|bytes| float(*bytes)).sum::<f64>() / float(bytes.len() as u64)
    }
}

/// The bounds of together/alone from those of each: r where together − r·alone is off zero by √(h₁² + r²·h₂²)
/// (E. C. Fieller 1954; for intervals that are not the normal's: Zou and Donner 2008).
fn ratio_bounds(together: Rate, alone: Rate) -> (f64, f64) {
    let (t, s) = (together.mean, alone.mean);
    let (t_squares, s_squares) = (t.powi(2) - together.half_width.powi(2), s.powi(2) - alone.half_width.powi(2));
    if s_squares <= 0.0 {
        // What it had alone may have been next to nothing: the ratio has no upper bound.
        return (0.0, f64::INFINITY);
    }
    let root = ((t * s).powi(2) - t_squares * s_squares).max(0.0).sqrt();
    (((t * s - root) / s_squares).max(0.0), (t * s + root) / s_squares)
}

/// Student's t at 0.95, by the expansion of Abramowitz and Stegun 26.7.5: within 0.1 % from 4 degrees of freedom on.
fn student_95(freedom: f64) -> f64 {
    let z = NORMAL_95;
    z + (z.powi(3) + z) / (4.0 * freedom)
        + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * freedom.powi(2))
        + (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / (384.0 * freedom.powi(3))
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

    #[test]
    fn students_t_is_that_of_the_tables() {
        // Abramowitz and Stegun, table 26.10: 2.132, 1.833, 1.699.
        for (freedom, expected) in [(4.0, 2.132), (9.0, 1.833), (29.0, 1.699)] {
            let found = student_95(freedom);
            assert!((found / expected - 1.0).abs() < 0.001, "{freedom}: {found}");
        }
    }

    #[test]
    fn the_greatest_width_of_all_block_lengths_counts() {
        // Ten seconds, 80 and 120 in turn. Blocks of 1 s: variance 10 · 20²/9 = 444.4, s/√k = √44.44 = 6.667,
        // t(9) = 1.833: 12.22. Blocks of 2 s are all 100: width 0. Blocks of 4 s: only two.
        let found = rate(&[80, 120, 80, 120, 80, 120, 80, 120, 80, 120]).unwrap();
        assert!((found.mean - 100.0).abs() < 1e-9);
        assert!((found.half_width - 12.22).abs() < 0.01, "{found:?}");
        // In pairs, blocks of 2 s show more: 80, 120, 80, 120, 80 deviate by s² = (3 · 16² + 2 · 24²)/4 = 480, √(480/5) = 9.80, t(4) =
        // 2.132: 20.9. Blocks of 1 s: (6 · 16² + 4 · 24²)/9 = 426.7, √42.67 = 6.53, 11.97.
        let found = rate(&[80, 80, 120, 120, 80, 80, 120, 120, 80, 80]).unwrap();
        assert!((found.half_width - 20.89).abs() < 0.03, "{found:?}");
        assert_eq!(rate(&[1, 2, 3, 4]), None, "too few");
    }

    #[test]
    fn the_bounds_of_a_ratio_are_fiellers() {
        // 50 ± 0 over 100 ± 20: 50/120 and 50/80.
        let (lower, upper) = ratio_bounds(Rate { mean: 50.0, half_width: 0.0 }, Rate { mean: 100.0, half_width: 20.0 });
        assert!((lower - 50.0 / 120.0).abs() < 1e-9 && (upper - 50.0 / 80.0).abs() < 1e-9, "{lower} {upper}");
        // 50 ± 10 over exactly 100: 0.4 and 0.6.
        let (lower, upper) = ratio_bounds(Rate { mean: 50.0, half_width: 10.0 }, Rate { mean: 100.0, half_width: 0.0 });
        assert!((lower - 0.4).abs() < 1e-9 && (upper - 0.6).abs() < 1e-9, "{lower} {upper}");
        // Alone it may have had nothing: nothing is known.
        let unsure = Rate { mean: 100.0, half_width: 100.0 };
        assert_eq!(ratio_bounds(Rate { mean: 50.0, half_width: 1.0 }, unsure), (0.0, f64::INFINITY));
    }

    #[test]
    fn what_is_fair_follows_from_how_many_there_are() {
        let exact = |mean| Some(Rate { mean, half_width: 0.0 });
        // Of four, 0.90/4 = 0.225 is fair.
        let four = |kept: f64| compare(exact(1000.0), exact(kept), 4, None).outcome;
        assert_eq!(four(226.0), GoalOutcome::Met);
        assert_eq!(four(224.0), GoalOutcome::Missed);
        let unsure = Some(Rate { mean: 230.0, half_width: 10.0 });
        let told = compare(exact(1000.0), unsure, 4, None);
        assert_eq!(told.outcome, GoalOutcome::CannotTell, "0.22 to 0.24");
        assert!(told.because.is_some());
        // A stream that keeps its whole rate keeps all.
        assert_eq!(compare(exact(1000.0), exact(1000.0), 20, None).outcome, GoalOutcome::Met);
    }

    #[test]
    fn without_a_rate_or_with_a_doubt_it_cannot_be_told() {
        let exact = |mean| Some(Rate { mean, half_width: 0.0 });
        let doubt = "the run could not go on".to_owned();
        let cases = [
            (compare(exact(10.0), exact(1.0), 2, Some(&doubt)), "the run could not go on"),
            (compare(exact(0.0), exact(1.0), 2, None), "it received nothing while it was alone"),
            (compare(exact(1.0), None, 2, None), "at least 5 s must be judged, alone and together"),
            (compare(None, exact(1.0), 2, None), "at least 5 s must be judged, alone and together"),
        ];
        for (told, because) in cases {
            assert_eq!((told.outcome, told.because.as_deref()), (GoalOutcome::CannotTell, Some(because)));
            assert_eq!(told.interval, None);
        }
    }

    /// Bytes of each second: a rate that wanders about its mean by 20 %, each second keeping `memory` of the last deviation
    /// (a first-order autoregression, begun in its stationary state).
    fn wandering(random: &mut Xoshiro256PlusPlus, mean: f64, memory: f64, seconds: usize) -> Vec<u64> {
        // Twelve uniform draws less six are normal, near enough.
        let mut normal = || (0..12).map(|_| (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64).sum::<f64>() - 6.0;
        let mut deviation = normal();
        let mut bytes = Vec::new();
        for _ in 0..seconds {
            bytes.push((mean * (1.0 + 0.2 * deviation)).max(0.0) as u64);
            deviation = memory * deviation + (1.0 - memory * memory).sqrt() * normal();
        }
        bytes
    }

    /// How often a share of exactly the bound is called met and missed, of 1000 pairs of runs.
    fn said_at_the_bound(memory: f64, alone: usize, together: usize) -> (f64, f64) {
        const RUNS: u32 = 1000;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        let (mut met, mut missed) = (0, 0);
        for _ in 0..RUNS {
            let solo = wandering(&mut random, 1e7, memory, alone);
            let joint = wandering(&mut random, 0.45e7, memory, together);
            match compare(rate(&solo), rate(&joint), 2, None).outcome {
                GoalOutcome::Met => met += 1,
                GoalOutcome::Missed => missed += 1,
                GoalOutcome::CannotTell => {}
            }
        }
        (f64::from(met) / f64::from(RUNS), f64::from(missed) / f64::from(RUNS))
    }

    #[test]
    fn at_the_bound_a_wrong_word_is_said_in_at_most_a_tenth_of_runs() {
        // Three standard errors of a tenth of 1000 runs: 0.028.
        for (memory, alone, together) in
            [(0.0, 10, 60), (0.3, 10, 60), (0.5, 10, 60), (0.0, 60, 60), (0.5, 60, 60), (0.8, 60, 60), (0.8, 60, 300)]
        {
            let (met, missed) = said_at_the_bound(memory, alone, together);
            println!("{memory} {alone} {together}: met {met} missed {missed}");
            assert!(missed <= 0.128 && met <= 0.128, "memory {memory}, {alone} s, {together} s: {met} {missed}");
        }
    }
}
