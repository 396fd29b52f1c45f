//! What counts as a change, and that it is confirmed before anybody is told.
//!
//! Pure. Each subject (the run as a whole, each application, whether it can be run at all) has what everybody was last told
//! of it, and at most one suspicion. A run that contradicts what was told raises a suspicion; the next run that can tell
//! confirms it, or clears it. A run that cannot tell does neither.

use serde::{Deserialize, Serialize};

use super::condition::{Condition, Subject};
use super::finding::{Finding, Outcome};

/// A change that two runs have seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Change {
    /// What has changed.
    #[serde(flatten)]
    pub(crate) of: Subject,
    /// What was told before; `null` where nothing was.
    pub(crate) from: Option<Condition>,
    /// What it is now.
    pub(crate) to: Condition,
}

/// What is known of a subject.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Known {
    /// What it is known of.
    #[serde(flatten)]
    pub(crate) of: Subject,
    /// What everybody was last told.
    pub(crate) told: Option<Condition>,
    /// What one run has seen, and none has confirmed yet.
    pub(crate) suspected: Option<Condition>,
}

impl Known {
    const fn nothing(of: Subject) -> Self {
        Self { of, told: None, suspected: None }
    }

    /// Takes what a run saw, `None` where it could not tell; says what has been confirmed by it.
    fn see(&mut self, seen: Option<Condition>) -> Option<Change> {
        let seen = seen?;
        match (self.told, self.suspected) {
            // The first good news is no news.
            (None, _) if seen == Condition::Good => {
                self.told = Some(seen);
                self.suspected = None;
                None
            }
            (Some(told), _) if told == seen => {
                self.suspected = None;
                None
            }
            (from, Some(suspected)) if suspected == seen => {
                self.told = Some(seen);
                self.suspected = None;
                Some(Change { of: self.of.clone(), from, to: seen })
            }
            _ => {
                self.suspected = Some(seen);
                None
            }
        }
    }
}

/// What is known of everything that is watched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Watched {
    subjects: Vec<Known>,
}

impl Watched {
    /// Takes what a run found; says what has been confirmed by it.
    pub(crate) fn see(&mut self, finding: &Finding, strict: bool) -> Vec<Change> {
        let ran = finding.result != Outcome::CouldNotRun;
        let able = if ran { Condition::Good } else { Condition::Bad };
        let mut changes: Vec<Change> = self.of(&Subject::Watch).see(Some(able)).into_iter().collect();
        if !ran {
            // It says nothing of the network.
            return changes;
        }
        changes.extend(self.of(&Subject::Run).see(finding.result.condition(strict)));
        let applications: Vec<(Subject, Option<Condition>)> = finding
            .applications
            .iter()
            .map(|(of, result)| (Subject::from(of.clone()), result.condition(strict)))
            .collect();
        // What the scenario has no more is neither good nor bad. The order is the scenario's.
        let mut before: Vec<Known> =
            self.subjects.extract_if(.., |known| matches!(known.of, Subject::Application { .. })).collect();
        for (of, seen) in applications {
            let place = before.iter().position(|known| known.of == of);
            let mut known = place.map_or_else(|| Known::nothing(of), |place| before.swap_remove(place));
            changes.extend(known.see(seen));
            self.subjects.push(known);
        }
        changes
    }

    /// Whether a change waits for its confirmation.
    pub(crate) fn is_open(&self) -> bool {
        self.subjects.iter().any(|known| known.suspected.is_some())
    }

    /// All that is known.
    pub(crate) fn all(&self) -> &[Known] {
        &self.subjects
    }

    /// What everybody was last told of this.
    #[cfg(test)]
    fn told(&self, of: &Subject) -> Option<Condition> {
        self.subjects.iter().find(|known| known.of == *of)?.told
    }

    fn of(&mut self, of: &Subject) -> &mut Known {
        let place = self.subjects.iter().position(|known| known.of == *of).unwrap_or_else(|| {
            self.subjects.push(Known::nothing(of.clone()));
            self.subjects.len() - 1
        });
        &mut self.subjects[place]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::watch::finding::Of;

    fn finding(result: Outcome) -> Finding {
        Finding { result, ..Finding::could_not("r") }
    }

    /// How often each run of these raised something, by run.
    fn raised(results: &[Outcome]) -> Vec<Vec<Change>> {
        let mut watched = Watched::default();
        results.iter().map(|result| watched.see(&finding(*result), false)).collect()
    }

    fn alarms(results: &[Outcome]) -> Vec<(usize, Condition)> {
        let of_run = |(i, changes): (usize, Vec<Change>)| {
            changes.into_iter().filter(|change| change.of == Subject::Run).map(move |change| (i, change.to))
        };
        raised(results).into_iter().enumerate().flat_map(of_run).collect()
    }

    use Condition::{Bad, Good};
    use Outcome::{CouldNotRun, Fail, Inconclusive, Marginal, Pass};

    #[test]
    fn one_glitch_tells_nobody_and_a_lasting_change_is_told_once() {
        assert_eq!(alarms(&[Pass, Fail, Pass, Pass, Fail, Marginal]), []);
        assert_eq!(alarms(&[Pass, Fail, Fail, Fail, Fail]), [(2, Bad)]);
    }

    #[test]
    fn recovery_is_confirmed_and_told_likewise() {
        assert_eq!(alarms(&[Pass, Fail, Fail, Pass, Fail, Pass, Marginal]), [(2, Bad), (6, Good)]);
    }

    #[test]
    fn a_network_that_is_bad_from_the_first_run_is_told_of_and_a_good_one_is_not() {
        assert_eq!(alarms(&[Fail, Fail]), [(1, Bad)]);
        assert_eq!(alarms(&[Pass, Pass, Marginal, Pass]), []);
        // A first glitch is one as well.
        assert_eq!(alarms(&[Fail, Pass, Fail, Pass]), []);
    }

    #[test]
    fn runs_that_cannot_tell_neither_confirm_nor_clear() {
        assert_eq!(alarms(&[Pass, Fail, Inconclusive, Inconclusive, Fail]), [(4, Bad)]);
        assert_eq!(alarms(&[Pass, Fail, Inconclusive, Pass, Fail, Inconclusive, Pass]), []);
        assert_eq!(alarms(&[Pass, Fail, CouldNotRun, Fail]), [(3, Bad)]);
    }

    #[test]
    fn that_it_cannot_be_run_is_an_alarm_of_its_own() {
        let raised = raised(&[Pass, CouldNotRun, CouldNotRun, CouldNotRun, Fail, Pass]);
        let change = |from, to| vec![Change { of: Subject::Watch, from: Some(from), to }];
        assert_eq!(raised, [vec![], vec![], change(Good, Bad), vec![], vec![], change(Bad, Good)]);
    }

    #[test]
    fn strict_takes_marginal_as_bad() {
        let mut watched = Watched::default();
        let changes: Vec<usize> =
            [Pass, Marginal, Marginal].iter().map(|result| watched.see(&finding(*result), true).len()).collect();
        assert_eq!(changes, [0, 0, 1]);
    }

    #[test]
    fn applications_are_watched_each_by_itself_and_forgotten_when_the_scenario_has_them_no_more() {
        let of = |application: &str| Of { client: "tv".into(), application: application.into() };
        let run = |applications: &[(&str, Outcome)]| Finding {
            applications: applications.iter().map(|(name, result)| (of(name), *result)).collect(),
            ..finding(Fail)
        };
        let mut watched = Watched::default();
        // The run fails each time, but each time for another reason: only that is confirmed.
        assert!(watched.see(&run(&[("stream", Fail), ("call", Pass)]), false).is_empty());
        let changes = watched.see(&run(&[("stream", Pass), ("call", Fail)]), false);
        assert_eq!(changes, [Change { of: Subject::Run, from: None, to: Bad }]);
        assert!(watched.is_open(), "the call");
        let changes = watched.see(&run(&[("stream", Pass), ("call", Fail)]), false);
        assert_eq!(changes, [Change { of: of("call").into(), from: Some(Good), to: Bad }]);
        watched.see(&run(&[("stream", Pass)]), false);
        assert_eq!(watched.told(&of("call").into()), None);
        assert_eq!(watched.told(&of("stream").into()), Some(Good));
    }

    fn any_result() -> impl Strategy<Value = Outcome> {
        prop::sample::select(vec![Pass, Marginal, Fail, Inconclusive, CouldNotRun])
    }

    proptest! {
        #[test]
        fn glitches_that_stand_alone_never_alarm(
            // So many good runs, perhaps some that cannot tell, one bad run, again some that cannot tell.
            pieces in prop::collection::vec((1_usize..4, 0_usize..3, 0_usize..3), 0..20)
        ) {
            let mut results = Vec::new();
            for (good, before, after) in pieces {
                results.extend(vec![Pass; good]);
                results.extend(vec![Inconclusive; before]);
                results.push(Fail);
                results.extend(vec![CouldNotRun; after.min(1)]);
                results.extend(vec![Inconclusive; after]);
            }
            prop_assert_eq!(alarms(&results), vec![]);
        }

        #[test]
        fn a_lasting_change_alarms_exactly_once_whatever_came_before_it(
            before in prop::collection::vec(any_result(), 0..30), lasts in 2_usize..30
        ) {
            // From a known state on: two good runs end whatever was told or suspected.
            let mut results = before;
            results.extend([Pass, Pass]);
            let settled = results.len();
            results.extend(vec![Fail; lasts]);
            let after: Vec<_> = alarms(&results).into_iter().filter(|(i, _)| *i >= settled).collect();
            prop_assert_eq!(after, vec![(settled + 1, Bad)]);
        }

        #[test]
        fn runs_that_cannot_tell_change_nothing_of_what_the_others_raise(
            results in prop::collection::vec(any_result(), 0..60)
        ) {
            let tells = |result: &Outcome| matches!(result, Pass | Marginal | Fail);
            let telling: Vec<Outcome> = results.iter().copied().filter(tells).collect();
            let directions = |results: &[Outcome]| alarms(results).into_iter().map(|(_, to)| to).collect::<Vec<_>>();
            prop_assert_eq!(directions(&results), directions(&telling));
        }

        #[test]
        fn alarms_of_a_subject_alternate(results in prop::collection::vec(any_result(), 0..60)) {
            let told: Vec<Condition> = alarms(&results).into_iter().map(|(_, to)| to).collect();
            prop_assert!(told.windows(2).all(|two| two[0] != two[1]));
        }
    }
}
