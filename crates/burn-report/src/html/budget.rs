//! How much of a run a page holds, so that it opens at once whatever the run's size.
//!
//! A page of a household has everything. Of more applications than [`SHOWN`] those get a card, a section and figures that a reader
//! looks for first: the worst. The others are rows of one table.

use std::cmp::Reverse;

use burn_model::judge::{ApplicationJudgement, Judgement};

/// Applications with a section of their own, at most.
const SHOWN: usize = 24;
/// Applications in the table of the others, at most.
const ROWS: usize = 1000;
/// Points of all curves of a page's figures, about: some 25 bytes each in the drawing and in the data, three curves a figure and
/// three to four figures an application, make two megabytes at the most.
const POINTS: usize = 24_000;
/// Points of one curve: every second of six minutes.
const MOST_POINTS: usize = 360;
/// Rows of a table of numbers.
const TABLE_ROWS: usize = 60;

/// What a page holds of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Budget {
    /// Numbers of the applications with a section of their own, in the order in which they are shown.
    pub(super) shown: Vec<usize>,
    /// Numbers of those that are rows of a table.
    pub(super) rows: Vec<usize>,
    /// How many are left out.
    pub(super) left_out: usize,
    /// Points of one curve, at most.
    pub(super) points: usize,
    /// Rows of one table of numbers, at most.
    pub(super) table_rows: usize,
}

impl Budget {
    pub(super) fn of(judgement: &Judgement) -> Self {
        let applications = &judgement.applications;
        let mut order: Vec<usize> = (0..applications.len()).collect();
        if applications.len() > SHOWN {
            order.sort_by_key(|i| applications.get(*i).map(badness));
        }
        let mut rows = order.split_off(SHOWN.min(order.len()));
        let left_out = rows.split_off(ROWS.min(rows.len())).len();
        // In the plan's order a reader finds a client again.
        rows.sort_unstable();
        Self { shown: order, rows, left_out, ..Self::of_shown(applications.len().min(SHOWN)) }
    }

    /// For so many applications that are held against each other, in their order.
    pub(super) fn of_pairs(applications: usize) -> Self {
        Self { shown: (0..applications.min(SHOWN)).collect(), ..Self::of_shown(applications.min(SHOWN)) }
    }

    fn of_shown(applications: usize) -> Self {
        Self {
            points: (POINTS / (applications * 4).max(1)).clamp(MOST_POINTS / 6, MOST_POINTS),
            table_rows: if applications > 8 { TABLE_ROWS / 2 } else { TABLE_ROWS },
            shown: Vec::new(),
            rows: Vec::new(),
            left_out: 0,
        }
    }
}

/// Rises from the worst to the best; what has no verdict stands last.
fn badness(application: &ApplicationJudgement) -> impl Ord + use<> {
    #[expect(clippy::cast_possible_truncation, reason = "saturates")]
    let score = application.score.map_or(i64::MAX, |score| (score * 1000.0) as i64);
    (Reverse(application.verdict), score)
}

#[cfg(test)]
mod tests {
    use burn_model::judge::{Operations, Summary, Verdict};
    use burn_model::time::Moment;

    use super::*;

    fn judged(verdicts: impl IntoIterator<Item = (Option<Verdict>, Option<f64>)>) -> Judgement {
        let application = |(verdict, score)| ApplicationJudgement {
            client: String::new(),
            name: String::new(),
            closed: false,
            verdict,
            score,
            decided_by: None,
            reasons: Vec::new(),
            goodput_bps: 0.0,
            share: None,
            operations: Operations::default(),
            response_time: Summary::default(),
            service_time: Summary::default(),
            slot_wait: Summary::default(),
            driver_lateness: Summary::default(),
            receive_lateness: Summary::default(),
            server_time: Summary::default(),
            goals: Vec::new(),
            stream: None,
            limited_by: None,
            in_doubt: false,
            fair_share: None,
        };
        Judgement {
            verdict: Verdict::Pass,
            reasons: Vec::new(),
            window: (Moment::START, Moment::START),
            applications: verdicts.into_iter().map(application).collect(),
            doubts: Vec::new(),
            checks: Vec::new(),
            cautions: Vec::new(),
            goodput_bps: 0.0,
        }
    }

    #[test]
    fn a_household_is_shown_whole_and_in_its_own_order() {
        let budget = Budget::of(&judged([(Some(Verdict::Pass), None), (None, None), (Some(Verdict::Fail), None)]));
        assert_eq!((budget.shown, budget.rows, budget.left_out), (vec![0, 1, 2], vec![], 0));
        assert_eq!(
            (budget.points, budget.table_rows),
            (360, 60),
            "24,000 points for 12 figures are more than any needs"
        );
    }

    #[test]
    fn of_a_crowd_the_worst_come_first_and_those_without_goals_last() {
        let good = || std::iter::repeat_n((Some(Verdict::Pass), Some(100.0)), 22);
        let troubled = [
            (None, None),
            (Some(Verdict::Marginal), Some(50.0)),
            (Some(Verdict::Fail), Some(20.0)),
            (Some(Verdict::Fail), Some(10.0)),
        ];
        let budget = Budget::of(&judged(good().chain(troubled)));
        // 26 in all: two have no section. The one without goals (22) is one of them.
        assert_eq!(budget.shown[..3], [25, 24, 23]);
        assert_eq!((budget.shown.len(), budget.rows.len(), budget.rows.contains(&22)), (24, 2, true));
        // 24,000 / (24 · 4).
        assert_eq!((budget.points, budget.table_rows), (250, 30));
    }

    #[test]
    fn what_has_no_room_even_in_a_table_is_counted() {
        let budget = Budget::of(&judged(std::iter::repeat_n((Some(Verdict::Pass), None), 1100)));
        assert_eq!((budget.shown.len(), budget.rows.len(), budget.left_out), (24, 1000, 76));
    }
}
