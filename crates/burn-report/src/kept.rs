//! A run that was kept, as lists show it.

use std::collections::BTreeSet;
use std::path::Path;

use burn_model::brief::Brief;
use burn_model::record::Ending;

use crate::layout::clip;

/// A run of a list.
#[derive(Clone, Copy, Debug)]
pub struct KeptRun<'a> {
    /// Its file.
    pub path: &'a Path,
    /// What it said.
    pub brief: &'a Brief,
    /// What a person tagged it with.
    pub tags: &'a BTreeSet<String>,
    /// What a person noted about it.
    pub note: Option<&'a str>,
}

/// How a run ended, where that is worth saying: one that did what was asked says nothing.
pub(crate) fn unusual_end(brief: &Brief) -> Option<String> {
    match &brief.ending {
        Some(Ending::Finished) => None,
        Some(Ending::Interrupted { by, .. }) => Some(format!("stopped early: {by}")),
        Some(Ending::Failed { reason }) => Some(format!("failed: {reason}")),
        None => Some("no end recorded: under way, or cut off".to_owned()),
    }
}

/// When a run was started, to the minute: `2026-11-20 18:30`, UTC. What is no time is shown as it is.
pub(crate) fn started(started_at: &str) -> String {
    let minute = started_at.get(..16).filter(|text| {
        text.char_indices().all(|(place, c)| match place {
            4 | 7 => c == '-',
            10 => c == 'T',
            13 => c == ':',
            _ => c.is_ascii_digit(),
        })
    });
    minute.map_or_else(|| clip(started_at, 16), |minute| minute.replace('T', " "))
}

/// The first digits of a run's id, by which it can be named: as many as stand in its file's name.
pub(crate) fn short_id(id: &str) -> String {
    clip(id.get(..8).unwrap_or(id), 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_start_is_shown_to_the_minute_and_what_is_none_as_it_is() {
        assert_eq!(started("2026-11-20T18:30:59Z"), "2026-11-20 18:30");
        assert_eq!(started("a\u{1b}[2J while ago, I think"), "a\u{FFFD}[2J while ago…");
        assert_eq!(started("2026-11-20Ü18:30"), "2026-11-20Ü18:30");
        assert_eq!(short_id("居間居間居間"), "居間居…");
    }
}
