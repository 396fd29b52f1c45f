//! The score of an application, 0 to 100, after IETF Quality of Outcome.
//!
//! draft-ietf-ippm-qoo-11 §3.3: between the *requirement for optimal performance* (our `good`) and the *critical point
//! of unacceptable performance* (our `bad`) a figure's score falls in a straight line; an application's score is
//! the least of its figures'. The draft speaks of latency percentiles, loss and throughput, and sets no thresholds:
//! thresholds are ours, and so is scoring a player's stalls and start-up by the same line.

/// The score of a figure that should be small.
#[must_use]
pub fn linear(measured: f64, good: f64, bad: f64) -> f64 {
    if measured <= good {
        return 100.0;
    }
    // Nothing is below `bad` where there is nothing between the two bounds, or where the figure is not a number.
    if measured < bad { 100.0 * (1.0 - (measured - good) / (bad - good)).clamp(0.0, 1.0) } else { 0.0 }
}

/// The score of a figure that is either held or not: the draft's throughput.
#[must_use]
pub const fn held(held: bool) -> f64 {
    if held { 100.0 } else { 0.0 }
}

/// The score of an application, of the scores of its goals and whether each decides its verdict. Where one that decides has none, the
/// others give only what it is at most: `None`, unless one of them is 0 already.
#[must_use]
pub fn of_application(goals: impl IntoIterator<Item = (Option<f64>, bool)>) -> Option<f64> {
    let goals: Vec<_> = goals.into_iter().collect();
    let is_missing = goals.iter().any(|(score, decides)| *decides && score.is_none());
    least(goals.into_iter().filter_map(|(score, _)| score)).filter(|score| !is_missing || *score <= 0.0)
}

/// The least of some scores; `None` where there is none.
#[must_use]
pub fn least(scores: impl IntoIterator<Item = f64>) -> Option<f64> {
    scores.into_iter().reduce(f64::min)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "0, 50 and 100 are exact")]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_draft_gives_50_75_and_so_50() {
        // draft-ietf-ippm-qoo-11: p99 200 → 500 ms, p99.9 300 → 600 ms, loss 1 → 5 %; measured 350, 375, 2 %.
        // 1 − 150/300 = 0.5; 1 − 75/300 = 0.75; loss 1 − 1/4 = 0.75.
        let latency = least([linear(350.0, 200.0, 500.0), linear(375.0, 300.0, 600.0)]);
        let loss = linear(0.02, 0.01, 0.05);
        assert!((linear(375.0, 300.0, 600.0) - 75.0).abs() < 1e-9);
        assert!((loss - 75.0).abs() < 1e-9);
        assert_eq!(least([latency.unwrap(), loss, held(true)]), Some(50.0));
        assert_eq!(least([latency.unwrap(), loss, held(false)]), Some(0.0));
    }

    #[test]
    fn a_goal_of_the_verdict_without_a_figure_leaves_no_score_but_nought() {
        let (decides, score_alone) = (true, false);
        assert_eq!(
            of_application([(None, decides), (Some(100.0), decides)]),
            None,
            "nobody knows how bad the other was"
        );
        assert_eq!(of_application([(None, decides), (Some(0.0), decides)]), Some(0.0), "it cannot be worse");
        assert_eq!(of_application([(None, score_alone), (Some(80.0), decides)]), Some(80.0));
        assert_eq!(of_application([(Some(40.0), score_alone), (Some(80.0), decides)]), Some(40.0));
        assert_eq!(of_application([]), None);
    }

    #[test]
    fn at_good_it_is_all_and_at_bad_nothing() {
        assert_eq!([1.0, 2.0, 6.0, 10.0, 11.0].map(|m| linear(m, 2.0, 10.0)), [100.0, 100.0, 50.0, 0.0, 0.0]);
        assert_eq!([0.0, 0.001].map(|m| linear(m, 0.0, 0.0)), [100.0, 0.0], "where the bounds are one");
        assert_eq!(linear(f64::NAN, 1.0, 2.0), 0.0);
        assert_eq!(least([]), None);
    }
}
