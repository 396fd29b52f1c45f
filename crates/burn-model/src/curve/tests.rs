use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::*;
use crate::samples::{Samples, bucket};

const fn micros(us: u64) -> Duration {
    Duration::from_micros(us)
}

/// As it is kept: the lower end of its bucket.
fn kept(value: Duration) -> Duration {
    Duration::from_nanos(bucket(crate::time::nanos(value)))
}

fn ms(ms: u64) -> Duration {
    kept(Duration::from_millis(ms))
}

fn distribution(values: impl IntoIterator<Item = Duration>) -> Distribution {
    let mut samples = Samples::default();
    values.into_iter().for_each(|value| samples.record(value));
    let mut distribution = Distribution::default();
    distribution.add(&samples);
    distribution
}

fn edge(millis: u64) -> Option<Reading> {
    Some(Reading::Value(ms(millis)))
}

/// Operations of 1, 2, 3 … ms, so that a value names its rank.
fn ranks(n: u64) -> Ranks {
    Ranks::of(&distribution((1..=n).map(Duration::from_millis)))
}

fn edges(n: u64, share: f64, inflation: f64) -> (Option<Reading>, Option<Reading>) {
    let band = band(&ranks(n), share, n, inflation);
    (band.lower, band.upper)
}

#[test]
fn the_median_of_20_lies_between_ranks_6_and_15() {
    // X ~ B(20, 1/2): P(X ≤ 5) = 21,700 / 2^20 = 2.07 %, P(X ≤ 6) = 60,460 / 2^20 = 5.77 %. So P(X < 6) ≤ 2.5 %, and by
    // symmetry P(X ≥ 15) ≤ 2.5 %.
    assert_eq!(edges(20, 0.5, 1.0), (edge(6), edge(15)));
}

#[test]
fn the_p95_of_100_lies_between_ranks_90_and_100() {
    // Y = 100 − X ~ B(100, 0.05): P(Y ≥ 11) = 1.15 %, P(Y ≥ 10) = 2.82 %, so P(X < 90) ≤ 2.5 % and no more;
    // P(Y = 0) = 0.95^100 = 0.59 %, P(Y ≤ 1) = 3.71 %, so P(X ≥ 100) ≤ 2.5 % and no less.
    assert_eq!(edges(100, 0.95, 1.0), (edge(90), edge(100)));
}

#[test]
fn a_p95_has_an_upper_edge_from_72_operations_on() {
    // P(X ≥ n) = 0.95^n ≤ 2.5 % from n = ln 0.025 / ln 0.95 = 71.9 on.
    assert_eq!(edges(71, 0.95, 1.0).1, None);
    assert_eq!(edges(72, 0.95, 1.0).1, edge(72));
}

#[test]
fn forty_operations_of_which_two_count_as_one_have_the_band_of_twenty_stretched() {
    // Of 20 the ranks are 6 and 15: five of 20 lie below the lower one, and five above the upper one. Ten of 40 do here.
    assert_eq!(edges(40, 0.5, 2.0), (edge(11), edge(30)));
}

#[test]
fn the_places_go_by_nines_and_end_with_the_longest_operation() {
    let places = shares(1000, [0.97]);
    // From 0 to 0.999 there are three nines of 20 steps, and the beginning: 61. 0.9, 0.99 and 0.999 are among them; 0.5, 0.95
    // and the goal's 0.97 are not; 0.9999 is not reached; and then there is the longest.
    assert_eq!(places.len(), 61 + 3 + 1);
    for share in [0.0, 0.5, 0.9, 0.95, 0.97, 0.99, 0.999] {
        assert!(places.iter().any(|place| (place - share).abs() < 1e-9), "{share}");
    }
    assert!((places[64] - 0.9995).abs() < 1e-12, "half of the thousandth that the longest stands for");
    assert!(places.windows(2).all(|pair| pair[0] < pair[1]));
    assert_eq!(shares(1, []), [0.0, 0.5]);
    assert!(shares(0, [0.95]).is_empty());
}

type BySecond<'a> = &'a dyn Fn(u8) -> Vec<(u64, u64)>;

/// The curve of operations that are given by second; `None` is one that did not complete.
fn curve(seconds: &[Vec<Option<Duration>>]) -> PercentileCurve {
    with(seconds, |operations| operations.curve([]))
}

fn with<T>(seconds: &[Vec<Option<Duration>>], ask: impl FnOnce(&Operations<BySecond<'_>>) -> T) -> T {
    let at_least = |from: u8| -> Vec<(u64, u64)> {
        let is_over = |value: &&Option<Duration>| value.is_none_or(|value| coarse_bucket(kept(value)) >= from);
        seconds.iter().map(|second| (second.len() as u64, second.iter().filter(is_over).count() as u64)).collect()
    };
    let all = || seconds.iter().flatten();
    let unsuccessful = all().filter(|value| value.is_none()).count() as u64;
    let distribution = distribution(all().flatten().copied());
    ask(&Operations { distribution, unsuccessful, at_least: &at_least })
}

fn at(curve: &PercentileCurve, share: f64) -> CurvePoint {
    *curve.points.iter().find(|point| (point.share - share).abs() < 1e-9).unwrap()
}

#[test]
fn what_did_not_complete_ends_the_curve() {
    // Ten seconds of nine operations of 10 ms and one that failed: up to 90 % there is a value.
    let mut second = vec![Some(Duration::from_millis(10)); 9];
    second.push(None);
    let curve = curve(&vec![second; 10]);
    assert_eq!((curve.n, curve.unsuccessful), (100, 10));
    assert_eq!(at(&curve, 0.9).reading, Reading::Value(ms(10)));
    assert_eq!(at(&curve, 0.95).reading, Reading::Unsuccessful);
    // Failures are evenly spread, so 100 operations are worth 100. The median's band ends below the failures. Of the 90 % quantile the
    // upper edge lies among them; of the 99 % quantile the lower one too, for it is rank 97: with X ~ B(100, 0.99),
    // P(X < 97) = P(Y ≥ 4) = 1.8 % and P(X < 98) = P(Y ≥ 3) = 7.9 %. There is no rank u with P(X ≥ u) ≤ 2.5 %.
    assert_eq!(at(&curve, 0.5).band, Some(Band { lower: edge(10), upper: edge(10), effective_n: 100.0 }));
    assert_eq!(at(&curve, 0.9).band.unwrap().upper, Some(Reading::Unsuccessful));
    let band = at(&curve, 0.99).band.unwrap();
    assert_eq!((band.lower, band.upper), (Some(Reading::Unsuccessful), None));
}

#[test]
fn where_nothing_is_known_of_dependence_there_is_no_band() {
    // All alike: nothing varies between blocks. And seven seconds are no eight blocks.
    let alike = curve(&vec![vec![Some(Duration::from_millis(10)); 10]; 60]);
    assert!(alike.points.iter().all(|point| point.band.is_none()));
    let short = vec![vec![Some(Duration::from_millis(10)), Some(Duration::from_millis(100))]; 7];
    assert!(curve(&short).points.iter().all(|point| point.band.is_none()));
}

#[test]
fn trouble_that_comes_in_seconds_widens_the_band_near_it() {
    // As in `inflation`: 32 seconds of 10 operations, four in a row slow. Whether an operation takes over 50 ms is inflated
    // 45.71-fold (8/7 · 1400 / 35), so that 320 operations are worth 7.
    let fast: Vec<_> = (0..10).map(|i| Some(micros(10_000 + 1000 * i))).collect();
    let mut seconds = vec![fast; 32];
    seconds[8..12].fill(vec![Some(Duration::from_millis(100)); 10]);
    let curve = curve(&seconds);
    let effective_n = |share| at(&curve, share).band.unwrap().effective_n;
    assert!((effective_n(0.95) - 7.0).abs() < 1e-9, "{}", effective_n(0.95));
    // The median of seven: P(X ≥ 7) = 2^−7 = 0.8 %, so the band reaches from the shortest to the longest.
    assert_eq!(at(&curve, 0.95).band.unwrap().upper, None);
    // Every second has operations that are not of the shortest.
    assert!(effective_n(0.0) > 7.0, "{}", effective_n(0.0));
}

#[test]
fn the_band_holds_the_true_quantile_of_trouble_that_lasts_up_to_half_a_second() {
    // 50 operations/s for two minutes, bad for a fifth of the time: then 100 to 200 ms, else 10 to 20 ms, evenly. The median
    // is 10 + 10 · 0.5/0.8 = 16.25 ms; the 90 % quantile is 100 + 100 · 0.1/0.2 = 150 ms.
    let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
    let mut uniform = move || f64::from(u32::try_from(random.next_u64() >> 32).unwrap()) / f64::from(u32::MAX);
    for bad in [0.02, 0.1, 0.5] {
        let (runs, mut held) = (100, [0, 0]);
        for _ in 0..runs {
            let mut exponential = |mean: f64| -mean * (-uniform() * 0.999_999_999).ln_1p();
            let mut is_bad = exponential(1.0) > -(0.2_f64.ln());
            let mut until = exponential(if is_bad { bad } else { 4.0 * bad });
            let mut seconds = vec![Vec::new(); 120];
            for i in 0..6000_u32 {
                let now = f64::from(i) / 50.0;
                while now >= until {
                    is_bad = !is_bad;
                    until += exponential(if is_bad { bad } else { 4.0 * bad });
                }
                // Evenly spread over (0, 1) from an exponential: 1 − e^−x.
                let place = 1.0 - (-exponential(1.0)).exp();
                let millis = if is_bad { 100.0 + 100.0 * place } else { 10.0 + 10.0 * place };
                seconds[(i / 50) as usize].push(Some(Duration::from_secs_f64(millis / 1000.0)));
            }
            let curve = with(&seconds, |operations| operations.at(vec![0.5, 0.9]));
            for (held, (share, truth)) in held.iter_mut().zip([(0.5, micros(16_250)), (0.9, micros(150_000))]) {
                let band = at(&curve, share).band.unwrap();
                // A kept value is up to 0.1 % below the true one.
                let (Some(Reading::Value(lower)), Some(Reading::Value(upper))) = (band.lower, band.upper) else {
                    continue;
                };
                let upper = upper.mul_f64(1.001);
                *held += i32::from(lower <= truth && truth <= upper);
            }
        }
        // 95 of 100, less three standard errors of √(0.95 · 0.05 · 100) = 2.2.
        assert!(held.iter().all(|held| *held >= 88), "bad for {bad} s: {held:?}");
    }
}
