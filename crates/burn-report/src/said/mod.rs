//! What reports say of a run, as names and sentences: the same ones on a terminal and on a page, which only lay them out.
//!
//! A number and its unit are joined by a blank that does not break ([`crate::layout::glue`]). Names and reasons of other hosts
//! stand in here as they came: whoever lays them out cleans them.

pub(crate) mod beside;
pub(crate) mod change;
pub(crate) mod facts;
pub(crate) mod fair_share;
pub(crate) mod fidelity;
pub(crate) mod goals;
pub(crate) mod operations;
pub(crate) mod repeat;
pub(crate) mod spoken;
pub(crate) mod verdict;
