//! Which of a watch's own runs are old enough to go. Pure.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// How much is kept. Both bounds hold where both are given; without any, everything is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Retention {
    /// Runs that are not older than this.
    pub(crate) age: Option<Duration>,
    /// The newest so many.
    pub(crate) runs: Option<usize>,
}

/// A run that a watch has made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Made {
    /// The name of its file in the watch's folder.
    pub(crate) file: String,
    /// When it ended, in seconds since 1970.
    pub(crate) at: i64,
}

impl Retention {
    /// Takes those out of `made`, which is in the order they were made, that may go now. The last one always stays.
    pub(crate) fn take_old(self, made: &mut Vec<Made>, now: i64) -> Vec<Made> {
        let oldest = self.age.map(|age| now.saturating_sub(i64::try_from(age.as_secs()).unwrap_or(i64::MAX)));
        let too_many = self.runs.map_or(0, |runs| made.len().saturating_sub(runs.max(1)));
        let too_old = oldest.map_or(0, |oldest| made.iter().take_while(|run| run.at < oldest).count());
        let old = too_many.max(too_old).min(made.len().saturating_sub(1));
        made.drain(..old).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(retention: Retention) -> Vec<String> {
        // One each 100 s, the last one now.
        let mut made = (1..=5).map(|i| Made { file: i.to_string(), at: i * 100 }).collect();
        retention.take_old(&mut made, 500).into_iter().map(|made| made.file).collect()
    }

    #[test]
    fn everything_is_kept_unless_somebody_says_otherwise() {
        assert!(taken(Retention::default()).is_empty());
    }

    #[test]
    fn runs_go_by_age_and_by_number_whichever_is_less() {
        let age = |seconds| Some(Duration::from_secs(seconds));
        assert_eq!(taken(Retention { age: age(200), runs: None }), ["1", "2"], "300 is 200 s old, and stays");
        assert_eq!(taken(Retention { age: None, runs: Some(2) }), ["1", "2", "3"]);
        assert_eq!(taken(Retention { age: age(200), runs: Some(4) }), ["1", "2"]);
        assert_eq!(taken(Retention { age: age(10_000), runs: Some(4) }), ["1"]);
    }

    #[test]
    fn the_last_run_always_stays() {
        assert_eq!(taken(Retention { age: Some(Duration::ZERO), runs: Some(0) }), ["1", "2", "3", "4"]);
    }
}
