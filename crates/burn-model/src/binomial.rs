//! How sure a share is: Clopper–Pearson bounds.
//!
//! C. J. Clopper, E. S. Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial",
//! Biometrika 26 (1934) 404–413. The bounds are quantiles of beta distributions, so `k` and `n` need not be whole:
//! correlated samples are worth a fractional number of independent ones.

use statrs::function::gamma::ln_gamma;

/// How sure each bound is: a true share beyond it would give such a sample once in twenty times.
pub const CONFIDENCE: f64 = 0.95;

/// One-sided 95 % bounds, lower and upper, on the share that `k` of `n` are a sample of. `(0, 1)` where there is no
/// sample. `k` is taken as at most `n`.
#[must_use]
pub fn bounds(k: f64, n: f64) -> (f64, f64) {
    // Also where either is not a number.
    if !(n > 0.0 && n.is_finite() && k >= 0.0) {
        return (0.0, 1.0);
    }
    let k = k.min(n);
    let lower = if k > 0.0 { beta_quantile(k, n - k + 1.0, 1.0 - CONFIDENCE) } else { 0.0 };
    let upper = if k < n { beta_quantile(k + 1.0, n - k, CONFIDENCE) } else { 1.0 };
    (lower, upper)
}

/// The chance that at most `k` of `n` independent samples have what each has with the chance `share`. Neither need be whole.
#[must_use]
pub(crate) fn at_most(k: f64, n: f64, share: f64) -> f64 {
    if k < 0.0 {
        return 0.0;
    }
    // P(X ≤ k) = I(1 − p; n − k, k + 1): DLMF 8.17.5.
    if k < n { beta_regularised(n - k, k + 1.0, 1.0 - share) } else { 1.0 }
}

/// How many samples, none of them over, show that a share is at most `share`: the least `n` with
/// `(1 − share)^n ≤ 0.05`. 59 for 5 %, 299 for 1 %, 5 for 50 %. `None` where no number would.
#[must_use]
pub fn samples_needed(share: f64) -> Option<u64> {
    if !(share > 0.0 && share <= 1.0) {
        return None;
    }
    // Rounding must not ask for one more where the quotient is whole.
    let n = ((1.0 - CONFIDENCE).ln() / (1.0 - share).ln() - 1e-9).ceil().max(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least 1, and below 2^53")]
    (n < 9e15).then_some(n as u64)
}

/// The `x` at which the regularised incomplete beta function with `a` and `b` is `p`.
///
/// By bisection: slower than Newton's method, but it cannot run away, and 60 steps of it take microseconds.
fn beta_quantile(a: f64, b: f64, p: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if beta_regularised(a, b, middle) < p { low = middle } else { high = middle }
    }
    0.5 * (low + high)
}

/// The regularised incomplete beta function I_x(a, b), by its continued fraction (DLMF 8.17.22) in Lentz's form.
///
/// Not the one of `statrs`: that stops after 140 steps, and a run of a million operations needs on the order of
/// the square root of that many.
fn beta_regularised(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let ln_front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (-x).ln_1p();
    // The fraction converges fast below the mean; above it, the mirror image does.
    if x < (a + 1.0) / (a + b + 2.0) {
        (ln_front - a.ln()).exp() * beta_fraction(a, b, x)
    } else {
        1.0 - (ln_front - b.ln()).exp() * beta_fraction(b, a, 1.0 - x)
    }
}

fn beta_fraction(a: f64, b: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    // Steps grow with the root of the greater parameter; a bound all the same.
    for m in 1..100_000_u32 {
        let m = f64::from(m);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut step = 1.0;
        for term in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + term * d);
            c = away_from_zero(1.0 + term / c);
            step = c * d;
            fraction *= step;
        }
        if (step - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) -> bool {
        (a - b).abs() <= tolerance
    }

    #[test]
    fn with_none_over_the_upper_bound_is_the_root_of_a_twentieth() {
        // k = 0: (1 − p)^n = 0.05, so p = 1 − 0.05^(1/n). k = n: p^n = 0.05, so p = 0.05^(1/n).
        for n in [1.0_f64, 10.0, 58.0, 59.0, 299.0, 10_000.0] {
            let root = 0.05_f64.powf(1.0 / n);
            let ((none_low, none_high), (all_low, all_high)) = (bounds(0.0, n), bounds(n, n));
            assert!(close(none_high, 1.0 - root, 1e-12), "n = {n}: {none_high}");
            assert!(close(all_low, root, 1e-12), "n = {n}: {all_low}");
            assert!(close(none_low, 0.0, 0.0) && close(all_high, 1.0, 0.0));
        }
        assert!(bounds(0.0, 59.0).1 <= 0.05 && bounds(0.0, 58.0).1 > 0.05);
        assert!(bounds(0.0, 299.0).1 <= 0.01 && bounds(0.0, 298.0).1 > 0.01);
    }

    #[test]
    fn with_one_of_two_the_bounds_solve_a_quadratic() {
        // k = 1, n = 2: P(X ≥ 1) = 1 − (1 − p)² = 0.05 gives p = 1 − √0.95; P(X ≤ 1) = 1 − p² = 0.05 gives p = √0.95.
        let (low, high) = bounds(1.0, 2.0);
        assert!(close(low, 1.0 - 0.95_f64.sqrt(), 1e-12) && close(high, 0.95_f64.sqrt(), 1e-12));
    }

    #[test]
    fn the_bounds_have_the_tails_that_define_them() {
        // Straight from the definition, with the binomial sum instead of the beta function: at the lower bound
        // P(X ≥ k) is 5 %, at the upper one P(X ≤ k) is.
        let tail = |p: f64, n: u32, from: u32, to: u32| -> f64 {
            let mut sum = 0.0;
            for k in from..=to {
                let choose: f64 = (0..k).map(|i| f64::from(n - i) / f64::from(i + 1)).product();
                sum += choose * p.powi(i32::try_from(k).unwrap()) * (1.0 - p).powi(i32::try_from(n - k).unwrap());
            }
            sum
        };
        for (k, n) in [(1, 10), (2, 20), (5, 100), (50, 100), (99, 100)] {
            let (low, high) = bounds(f64::from(k), f64::from(n));
            assert!(close(tail(low, n, k, n), 0.05, 1e-9), "{k} of {n}: lower {low}");
            assert!(close(tail(high, n, 0, k), 0.05, 1e-9), "{k} of {n}: upper {high}");
        }
    }

    #[test]
    fn great_samples_agree_with_the_normal_approximation() {
        // Half the width is 1.6449 · √(p(1 − p)/n). What comes next in the Cornish–Fisher expansion, with half a count
        // for continuity, is below 2/n: (z² − 1)(1 − 2p)/6 + (z² + 2)(1 − 2p)/6 + 1/2 at most, over n.
        for n in [1e5_f64, 1e6, 1e7] {
            for p in [0.01, 0.05, 0.5] {
                let half = 1.644_853_627 * (p * (1.0 - p) / n).sqrt();
                let (low, high) = bounds(p * n, n);
                let tolerance = 2.0 / n + 1e-4 * half;
                assert!(close(low, p - half, tolerance) && close(high, p + half, tolerance), "{p} of {n}");
            }
        }
    }

    #[test]
    fn so_many_samples_without_one_over_tell() {
        let needed: Vec<_> = [0.05, 0.01, 0.5, 1.0 - 0.95, 1.0 - 0.99].map(samples_needed).into();
        assert_eq!(needed, [Some(59), Some(299), Some(5), Some(59), Some(299)]);
        assert_eq!((samples_needed(0.0), samples_needed(1.0), samples_needed(f64::NAN)), (None, Some(1), None));
    }

    #[test]
    fn no_sample_says_nothing() {
        for (k, n) in [(0.0, 0.0), (1.0, 0.0), (f64::NAN, 5.0), (1.0, f64::NAN), (-1.0, 5.0), (0.0, f64::INFINITY)] {
            assert_eq!(bounds(k, n), (0.0, 1.0), "{k} of {n}");
        }
    }

    proptest! {
        #[test]
        fn the_bounds_enclose_the_share_and_close_in_with_more_samples(n in 0.5..5000.0_f64, share in 0.0..=1.0_f64) {
            let (low, high) = bounds(share * n, n);
            prop_assert!((0.0..=share + 1e-9).contains(&low) && (share - 1e-9..=1.0).contains(&high));
            let (more_low, more_high) = bounds(share * n * 2.0, n * 2.0);
            prop_assert!(more_low >= low - 1e-9 && more_high <= high + 1e-9);
        }
    }
}
