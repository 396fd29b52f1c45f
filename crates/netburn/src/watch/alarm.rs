//! An alarm: what a command reads on stdin, and a URL is sent. docs/WATCH.md and schemas/alarm.schema.json describe it.

use serde::{Deserialize, Serialize};

use super::condition::{Condition, Subject};
use super::confirm::{Change, Known};
use super::finding::{Finding, Outcome};
use crate::control::testimony::legible;

/// The version of the document. It grows when a key changes its meaning or goes away, not when one is added.
const FORMAT: u32 = 1;

/// How many changes the sentence names.
const MOST_NAMED: usize = 6;
/// The longest name in the sentence, in characters.
const LONGEST_NAME: usize = 60;
/// How many applications are listed as bad at most, and how many changes an alarm has.
const MOST_LISTED: usize = 200;

/// Changes that have been confirmed, and by which run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Alarm {
    /// The document's version.
    pub(crate) format: u32,
    /// When the confirming run had ended, RFC 3339, in UTC.
    pub(crate) at: String,
    /// The machine that watches.
    pub(crate) host: String,
    /// The scenario's name.
    pub(crate) scenario: String,
    /// All of it in a sentence.
    pub(crate) summary: String,
    /// Whether all is well now: bad where the run as a whole is, or where it cannot be run.
    pub(crate) condition: Condition,
    /// What has changed.
    pub(crate) changes: Vec<Change>,
    /// The applications that everybody knows to be bad now, changed or not.
    pub(crate) bad: Vec<Named>,
    /// The run that confirmed it.
    pub(crate) run: Confirming,
}

/// An application.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Named {
    client: String,
    application: String,
}

/// A run that confirmed a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Confirming {
    /// Its own random name; `null` where it could not be run.
    pub(crate) id: Option<String>,
    /// Its file; `null` where there is none.
    pub(crate) file: Option<String>,
    /// How it came out.
    pub(crate) result: Outcome,
    /// Why, in plain sentences, the weightiest first.
    pub(crate) reasons: Vec<String>,
}

/// What an alarm says beside its changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'a> {
    /// When, RFC 3339.
    pub(crate) at: &'a str,
    /// The machine.
    pub(crate) host: &'a str,
    /// The scenario's name.
    pub(crate) scenario: &'a str,
    /// The run's file.
    pub(crate) file: Option<&'a str>,
}

impl Alarm {
    /// An alarm of what a run has confirmed; `None` where that is nothing.
    pub(crate) fn of(
        mut changes: Vec<Change>,
        finding: &Finding,
        known: &[Known],
        setting: Setting<'_>,
    ) -> Option<Self> {
        if changes.is_empty() {
            return None;
        }
        changes.truncate(MOST_LISTED);
        let is_bad = |known: &&Known| known.told == Some(Condition::Bad);
        let of_application = |known: &Known| match &known.of {
            Subject::Application { client, application } => {
                Some(Named { client: client.clone(), application: application.clone() })
            }
            Subject::Watch | Subject::Run => None,
        };
        let whole = known.iter().filter(is_bad).any(|known| matches!(known.of, Subject::Watch | Subject::Run));
        Some(Self {
            format: FORMAT,
            at: setting.at.to_owned(),
            host: setting.host.to_owned(),
            scenario: setting.scenario.to_owned(),
            summary: sentence(setting.scenario, &changes, finding.reasons.first().map_or("", String::as_str)),
            condition: if whole { Condition::Bad } else { Condition::Good },
            changes,
            bad: known.iter().filter(is_bad).filter_map(of_application).take(MOST_LISTED).collect(),
            run: Confirming {
                id: finding.run.clone(),
                file: setting.file.map(str::to_owned),
                result: finding.result,
                reasons: finding.reasons.clone(),
            },
        })
    }

    /// This alarm in place of an earlier one that nobody got: it says all that the earlier one said and is still so.
    pub(crate) fn after(mut self, earlier: Self) -> Self {
        let mut changes = earlier.changes;
        changes.retain(|old| !self.changes.iter().any(|new| new.of == old.of));
        changes.append(&mut self.changes);
        // The latest are at the end.
        changes.drain(..changes.len().saturating_sub(MOST_LISTED));
        self.changes = changes;
        self.summary = sentence(&self.scenario, &self.changes, self.run.reasons.first().map_or("", String::as_str));
        self
    }

    /// The document, ending with a line break.
    pub(crate) fn document(&self) -> String {
        // It is made of texts and lists alone: there is nothing that could fail.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// `Evening: the run fails; streaming-4k of tv fails`.
fn sentence(scenario: &str, changes: &[Change], reason: &str) -> String {
    let short = |name: &str| legible(name, LONGEST_NAME);
    let told = |change: &Change| {
        let now_bad = change.to == Condition::Bad;
        match &change.of {
            Subject::Watch if now_bad => format!("it cannot be run: {reason}"),
            Subject::Watch => "it can be run again".to_owned(),
            Subject::Run if now_bad => "the run fails".to_owned(),
            Subject::Run => "the run is good again".to_owned(),
            Subject::Application { client, application } => {
                let how = if now_bad { "fails" } else { "is good again" };
                format!("{} of {} {how}", short(application), short(client))
            }
        }
    };
    let mut pieces: Vec<String> = changes.iter().take(MOST_NAMED).map(told).collect();
    let more = changes.len().saturating_sub(MOST_NAMED);
    if more > 0 {
        pieces.push(format!("and {more} more"));
    }
    format!("{}: {}", short(scenario), pieces.join("; "))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    fn change(client: &str, to: Condition) -> Change {
        let of = Subject::Application { client: client.into(), application: "stream".into() };
        let from = Some(if to == Condition::Bad { Condition::Good } else { Condition::Bad });
        Change { of, from, to }
    }

    /// An alarm of the streams of these clients.
    pub(crate) fn alarm(clients: &[(&str, Condition)]) -> Alarm {
        let changes = clients.iter().map(|(client, to)| change(client, *to)).collect();
        let setting = Setting { at: "2026-11-21T10:00:00Z", host: "pi", scenario: "Evening", file: Some("a.netburn") };
        Alarm::of(changes, &Finding::could_not("no route"), &[], setting).unwrap()
    }

    #[test]
    fn the_sentence_says_what_has_changed_and_obeys_nobody() {
        assert_eq!(
            alarm(&[("tv", Condition::Bad), ("a\nb\u{1b}[2J", Condition::Good)]).summary,
            "Evening: stream of tv fails; stream of a b [2J is good again"
        );
        let clients = vec![("tv", Condition::Bad); 9];
        assert!(alarm(&clients).summary.ends_with("stream of tv fails; and 3 more"));
        let changes = vec![
            Change { of: Subject::Watch, from: None, to: Condition::Bad },
            Change { of: Subject::Run, from: Some(Condition::Bad), to: Condition::Good },
        ];
        assert_eq!(sentence("E", &changes, "no route"), "E: it cannot be run: no route; the run is good again");
    }

    #[test]
    fn an_alarm_is_the_document_that_the_schema_describes() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../schemas/alarm.schema.json");
        let schema: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let validator = jsonschema::draft202012::new(&schema).unwrap();
        let mut alarms = vec![alarm(&[("tv", Condition::Bad)])];
        let first = |of| vec![Change { of, from: None, to: Condition::Bad }];
        for of in [Subject::Watch, Subject::Run] {
            let known = Known { of: of.clone(), told: Some(Condition::Bad), suspected: None };
            let setting = Setting { at: "2026-11-21T10:00:00Z", host: "", scenario: "E", file: None };
            alarms.extend(Alarm::of(first(of), &Finding::could_not("r"), &[known], setting));
        }
        for alarm in alarms {
            let document = serde_json::from_str(&alarm.document()).unwrap();
            let errors: Vec<String> = validator.iter_errors(&document).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{errors:?}\n{document:#}");
            // Strict: what the schema does not know is not there.
            let known = schema["properties"].as_object().unwrap();
            assert!(document.as_object().unwrap().keys().all(|key| known.contains_key(key)), "{document:#}");
            assert_eq!(serde_json::from_value::<Alarm>(document).unwrap(), alarm);
        }
    }
}
