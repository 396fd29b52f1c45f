//! What several rounds say together: medians and ratios, and an order in which nobody always goes first.

/// The middle value; of an even number the mean of the two in the middle; of nothing, nothing.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let upper = *sorted.get(sorted.len() / 2)?;
    if sorted.len() % 2 == 1 {
        return Some(upper);
    }
    Some(f64::midpoint(*sorted.get(sorted.len() / 2 - 1)?, upper))
}

/// The least and the greatest value.
pub(crate) fn range(values: &[f64]) -> Option<(f64, f64)> {
    let least = values.iter().copied().min_by(f64::total_cmp)?;
    let greatest = values.iter().copied().max_by(f64::total_cmp)?;
    Some((least, greatest))
}

/// `a / b`, where that means something.
pub(crate) fn ratio(a: Option<f64>, b: Option<f64>) -> Option<f64> {
    let (a, b) = (a?, b?);
    (b > 0.0).then_some(a / b)
}

/// The order of `count` contestants in `round`: turned by one each round, so that a slow change of the machine (heat,
/// a neighbour) falls on all alike.
pub(crate) fn order(count: usize, round: usize) -> Vec<usize> {
    (0..count).map(|i| (i + round) % count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_is_the_middle_and_of_nothing_nothing() {
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[3.0]), Some(3.0));
        assert_eq!(median(&[9.0, 1.0, 5.0]), Some(5.0));
        // (2 + 4) / 2
        assert_eq!(median(&[100.0, 4.0, 2.0, 1.0]), Some(3.0));
    }

    #[test]
    fn ranges_and_ratios_of_nothing_are_nothing() {
        assert_eq!(range(&[]), None);
        assert_eq!(range(&[2.0, -1.0, 7.0]), Some((-1.0, 7.0)));
        assert_eq!(ratio(Some(1.0), Some(4.0)), Some(0.25));
        assert_eq!(ratio(Some(1.0), Some(0.0)), None);
        assert_eq!(ratio(None, Some(1.0)), None);
    }

    #[test]
    fn everybody_goes_first_once_in_as_many_rounds_as_there_are_contestants() {
        let orders: Vec<_> = (0..3).map(|round| order(3, round)).collect();
        assert_eq!(orders, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
    }
}
