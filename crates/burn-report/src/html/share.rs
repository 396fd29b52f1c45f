//! Share of the air: what each application got, and what it kept of what it had while its client was alone.

use burn_model::judge::{ApplicationJudgement, FairShare, Judgement};

use super::budget::Budget;
use super::drawn::Drawn;
use super::sign::Sign;
use crate::layout::glue;
use crate::numbers::{ABSENT, percent, rate};
use crate::said::fair_share::sentence;

/// The section.
pub(super) struct Share<'a> {
    pub(super) rows: Vec<Row<'a>>,
    /// What moved in all.
    pub(super) total: String,
    /// Whether anybody was measured alone.
    pub(super) has_solo: bool,
    /// How many applications are left out of the table.
    pub(super) left_out: usize,
    pub(super) figures: Vec<Drawn<'a>>,
}

/// What one application got.
pub(super) struct Row<'a> {
    pub(super) client: &'a str,
    pub(super) name: &'a str,
    pub(super) goodput: String,
    pub(super) share: String,
    pub(super) kept: Option<Kept>,
}

/// What it kept.
pub(super) struct Kept {
    pub(super) alone: String,
    pub(super) ratio: String,
    pub(super) fair: String,
    pub(super) sign: Sign,
    pub(super) sentence: String,
}

impl<'a> Share<'a> {
    pub(super) fn of(judgement: &'a Judgement, budget: &Budget, figures: Vec<Drawn<'a>>) -> Self {
        let mut told: Vec<usize> = budget.shown.iter().chain(&budget.rows).copied().collect();
        told.sort_unstable();
        let rows: Vec<Row<'a>> = told.into_iter().filter_map(|i| judgement.applications.get(i)).map(Row::of).collect();
        Self {
            has_solo: rows.iter().any(|row| row.kept.is_some()),
            rows,
            left_out: budget.left_out,
            figures,
            total: glue(&rate(judgement.goodput_bps)),
        }
    }
}

impl<'a> Row<'a> {
    fn of(application: &'a ApplicationJudgement) -> Self {
        Self {
            client: &application.client,
            name: &application.name,
            goodput: glue(&rate(application.goodput_bps)),
            share: application.share.map_or_else(|| ABSENT.to_owned(), |share| glue(&percent(share))),
            kept: application.fair_share.as_ref().map(Kept::of),
        }
    }
}

impl Kept {
    fn of(share: &FairShare) -> Self {
        Self {
            alone: glue(&rate(share.solo_bps)),
            ratio: share.ratio.map_or_else(|| ABSENT.to_owned(), |ratio| glue(&percent(ratio))),
            fair: glue(&percent(share.bound)),
            sign: Sign::of_fairness(share.outcome),
            sentence: sentence(share),
        }
    }
}
