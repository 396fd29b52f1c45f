//! Fewer points for drawing, with every extreme kept.
//!
//! Points are cut into stretches of equal count; of each the least and the greatest are kept where they were, and a gap where
//! there was one. A drawing that is as wide as there are stretches looks the same as one of all points (so-called min–max
//! aggregation: U. Jugel et al., "M4: a visualization-oriented time series data aggregation", VLDB 2014; we leave out the
//! first and the last point of a stretch, and keep gaps). Figures and tables are never taken from a thinned curve.

/// A curve's places and values.
pub(super) type Points = Vec<(f64, Option<f64>)>;

/// What a stretch leaves at most: least, greatest, gap.
const OF_EACH: usize = 3;

/// At most `most` of the points (of so few stretches at least one), and how many points stand for one stretch where some were
/// left out.
pub(super) fn thin(points: Points, most: usize) -> (Points, Option<usize>) {
    if points.len() <= most.max(OF_EACH) {
        return (points, None);
    }
    let length = points.len().div_ceil((most / OF_EACH).max(1));
    (points.chunks(length).flat_map(kept).collect(), Some(length))
}

/// The points of a stretch that are kept, in order.
fn kept(stretch: &[(f64, Option<f64>)]) -> Vec<(f64, Option<f64>)> {
    let known = || stretch.iter().enumerate().filter_map(|(place, (_, y))| Some((place, (*y)?)));
    let least = known().min_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(place, _)| place);
    let greatest = known().max_by(|(_, a), (_, b)| a.total_cmp(b)).map(|(place, _)| place);
    let gap = stretch.iter().position(|(_, y)| y.is_none());
    let mut places: Vec<usize> = [least, greatest, gap].into_iter().flatten().collect();
    places.sort_unstable();
    places.dedup();
    places.into_iter().filter_map(|place| stretch.get(place).copied()).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn few_points_stay_as_they_are() {
        let points = vec![(0.0, Some(1.0)), (1.0, None)];
        assert_eq!(thin(points.clone(), 2), (points, None));
    }

    #[test]
    fn each_stretch_keeps_its_least_its_greatest_and_a_gap_in_order() {
        // Twelve points to at most six: two stretches of six.
        let values = [5, 1, 9, 4, 4, 4].map(|y| Some(f64::from(y)));
        let second = [Some(2.0), Some(8.0), None, None, Some(3.0), Some(3.0)];
        let points: Points = (0..12_u32).map(f64::from).zip(values.into_iter().chain(second)).collect();
        let (thinned, length) = thin(points, 6);
        assert_eq!(length, Some(6));
        assert_eq!(thinned, [(1.0, Some(1.0)), (2.0, Some(9.0)), (6.0, Some(2.0)), (7.0, Some(8.0)), (8.0, None)]);
    }

    proptest! {
        #[test]
        fn extremes_survive_and_the_bound_is_kept(values in prop::collection::vec(prop::option::of(-1e6..1e6_f64), 0..2000), most in 3_usize..500) {
            let points: Points = (0..2000_u32).map(f64::from).zip(values).collect();
            let (thinned, _) = thin(points.clone(), most);
            prop_assert!(thinned.len() <= most);
            let extremes = |points: &Points| {
                let known = || points.iter().filter_map(|(_, y)| *y);
                (known().reduce(f64::min), known().reduce(f64::max))
            };
            prop_assert_eq!(extremes(&thinned), extremes(&points));
            prop_assert!(thinned.is_sorted_by(|one, other| one.0 < other.0));
            prop_assert_eq!(thinned.iter().any(|(_, y)| y.is_none()), points.iter().any(|(_, y)| y.is_none()));
        }
    }
}
