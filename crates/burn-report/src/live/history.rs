//! The last seconds of an application, one character each.

use std::time::Duration;

use burn_model::goal::{Bound, Counts};
use burn_model::plan::Population;
use burn_model::run::SecondSummary;

/// Eight heights. The lower four are within the goal, the upper four beyond it.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Something failed in this second.
const FAILED: char = '×';
/// Nothing is known of this second, or nothing was asked in it.
const NOTHING: char = ' ';

/// What a second is held against.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Against {
    /// Response times: the good bound, of which the 95th percentile is shown.
    Longest(Duration),
    /// Goodput: the floor in bits per second. What is shown is how many times the goodput would have to be as much.
    Floor(f64),
    /// Goodput without a goal: the greatest of those shown, which stands no higher than what is within a goal.
    Itself,
}

impl Against {
    /// What an application's first goal of the verdict is about.
    pub(super) fn of(population: &Population) -> Self {
        let mut goals = population.goals.iter().filter(|goal| goal.counts == Counts::Verdict);
        let held = goals.find_map(|goal| match goal.bound {
            Bound::ResponseTime { good, .. } => Some(Self::Longest(good)),
            Bound::WindowGoodput { floor, .. } => Some(Self::Floor(floor.as_mbps() * 1e6)),
            _ => None,
        });
        held.unwrap_or(Self::Itself)
    }
}

/// The seconds before `until`, the last one last, in so many columns.
pub(super) fn history(seconds: &[SecondSummary], until: u64, against: Against, columns: usize) -> String {
    let columns = u64::try_from(columns).unwrap_or(u64::MAX);
    let from = until.saturating_sub(columns);
    let shown = |second: &&SecondSummary| (from..until).contains(&second.second);
    let greatest = seconds.iter().filter(shown).map(|second| second.bytes).max().unwrap_or(0);
    let mut text: String = (from..until)
        .map(|second| {
            let place = seconds.binary_search_by_key(&second, |one| one.second).ok();
            place.and_then(|place| seconds.get(place)).map_or(NOTHING, |one| block(one, against, greatest))
        })
        .collect();
    // The beginning of a run is short of seconds: the last one stands where it always does.
    let missing = usize::try_from(columns.saturating_sub(until - from)).unwrap_or(0);
    text.insert_str(0, &" ".repeat(missing));
    text
}

fn block(second: &SecondSummary, against: Against, greatest: u64) -> char {
    if second.failed + second.timed_out + second.not_sent > 0 {
        return FAILED;
    }
    let height = match against {
        Against::Longest(good) => {
            let Some(longest) = second.times.p95.or(second.times.max) else { return NOTHING };
            beyond(longest.as_secs_f64() / good.as_secs_f64())
        }
        Against::Floor(floor) => beyond(floor / bits(second.bytes)),
        Against::Itself if greatest == 0 => return NOTHING,
        Against::Itself => share(bits(second.bytes) / bits(greatest), 4),
    };
    BLOCKS.get(height).copied().unwrap_or('█')
}

/// The height of a value that is so many times its bound: up to the bound one of the lower four by equal steps, beyond it
/// one of the upper four by doublings.
fn beyond(times: f64) -> usize {
    match times {
        _ if times <= 1.0 => share(times, 4),
        _ if times <= 2.0 => 4,
        _ if times <= 4.0 => 5,
        _ if times <= 8.0 => 6,
        _ => 7,
    }
}

/// A share of one as one of so many heights.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a number of 0 to 7"
)]
fn share(share: f64, heights: usize) -> usize {
    ((share.clamp(0.0, 1.0) * heights as f64).ceil() as usize).saturating_sub(1)
}

#[expect(clippy::cast_precision_loss, reason = "one of eight heights is shown")]
fn bits(bytes: u64) -> f64 {
    bytes as f64 * 8.0
}

#[cfg(test)]
mod tests {
    use burn_model::run::SecondTimes;

    use super::*;

    fn second(second: u64, milliseconds: u64) -> SecondSummary {
        let p95 = Some(Duration::from_millis(milliseconds));
        SecondSummary {
            second,
            times: SecondTimes { p95, max: p95, ..SecondTimes::default() },
            ..SecondSummary::default()
        }
    }

    #[test]
    fn the_goal_is_halfway_up_and_each_doubling_beyond_it_is_a_step() {
        let goal = Against::Longest(Duration::from_millis(100));
        let times = [25, 50, 75, 100, 101, 200, 201, 400, 800, 801];
        let seconds: Vec<_> = (0..).zip(times).map(|(number, time)| second(number, time)).collect();
        assert_eq!(history(&seconds, 10, goal, 10), "▁▂▃▄▅▅▆▆▇█");
    }

    #[test]
    fn what_falls_below_a_floor_stands_as_high_as_what_is_late_and_what_has_no_goal_is_held_against_its_own_greatest() {
        // 1,000,000 bytes in a second are 8 Mbps.
        let of = |number: u64, bytes: u64| SecondSummary { second: number, bytes, ..SecondSummary::default() };
        let seconds = [of(0, 500_000), of(1, 1_000_000), of(2, 1_250_000), of(3, 2_000_000)];
        // A floor of 8 Mbps is 2, 1, 0.8 and 0.5 times what there was.
        assert_eq!(history(&seconds, 4, Against::Floor(8e6), 4), "▅▄▄▂");
        let nothing = [of(0, 0)];
        assert_eq!(history(&nothing, 1, Against::Floor(8e6), 1), "█");
        // Shares of the greatest: 1/4, 2/4, 5/8 (more than 2/4), 4/4. Nothing is beyond a goal that is not there.
        assert_eq!(history(&seconds, 4, Against::Itself, 4), "▁▂▃▄");
    }

    #[test]
    fn seconds_stand_where_they_belong_and_failures_show() {
        let goal = Against::Longest(Duration::from_millis(100));
        let failed = SecondSummary { timed_out: 1, ..second(3, 10) };
        let seconds = [second(1, 10), failed];
        // Seconds 0 to 4 of a run, in eight columns: nothing before the start, nothing known of 0, 2 and 4.
        assert_eq!(history(&seconds, 5, goal, 8), "    ▁ × ");
        assert_eq!(history(&seconds, 5, goal, 2), "× ");
        assert_eq!(history(&[], 3, Against::Itself, 2), "  ");
    }
}
