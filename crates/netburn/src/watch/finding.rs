//! What a run found: as much of its JSON document as a watch needs.

use serde::{Deserialize, Serialize};

use super::condition::{Condition, Subject};
use crate::control::testimony::legible;

/// The longest reason that is kept, in characters.
const LONGEST_REASON: usize = 500;
/// How many reasons are kept.
const MOST_REASONS: usize = 5;

/// How a run, or an application in it, came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// Every goal was met.
    Pass,
    /// A goal was missed, but not by much.
    Marginal,
    /// It cannot tell.
    Inconclusive,
    /// Somebody would have suffered.
    Fail,
    /// There is no verdict: it could not be run, or not to its end.
    CouldNotRun,
}

impl Outcome {
    /// All of them, from best to worst.
    pub(crate) const ALL: [Self; 5] = [Self::Pass, Self::Marginal, Self::Inconclusive, Self::Fail, Self::CouldNotRun];

    /// What an alarm makes of it; `None` where it cannot tell.
    pub(crate) const fn condition(self, strict: bool) -> Option<Condition> {
        match self {
            Self::Pass => Some(Condition::Good),
            Self::Marginal if strict => Some(Condition::Bad),
            Self::Marginal => Some(Condition::Good),
            Self::Fail => Some(Condition::Bad),
            Self::Inconclusive | Self::CouldNotRun => None,
        }
    }

    /// As JSON, metrics and the log have it.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Marginal => "marginal",
            Self::Inconclusive => "inconclusive",
            Self::Fail => "fail",
            Self::CouldNotRun => "could_not_run",
        }
    }
}

/// Which application.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Of {
    /// Whose.
    pub(crate) client: String,
    /// Which.
    pub(crate) application: String,
}

impl From<Of> for Subject {
    fn from(of: Of) -> Self {
        Self::Application { client: of.client, application: of.application }
    }
}

/// What a run found.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    /// How it came out.
    pub(crate) result: Outcome,
    /// Why, the weightiest first.
    pub(crate) reasons: Vec<String>,
    /// The run's own random name, where it has one.
    pub(crate) run: Option<String>,
    /// The applications that have a verdict, in the scenario's order.
    pub(crate) applications: Vec<(Of, Outcome)>,
}

impl Finding {
    /// There is no verdict.
    pub(crate) fn could_not(reason: &str) -> Self {
        Self {
            result: Outcome::CouldNotRun,
            reasons: vec![legible(reason, LONGEST_REASON)],
            run: None,
            applications: Vec::new(),
        }
    }

    /// Reads what `netburn run --json` printed.
    pub(crate) fn of_document(text: &[u8]) -> serde_json::Result<Self> {
        let document: Document = serde_json::from_slice(text)?;
        if let Some(error) = document.error {
            return Ok(Self { run: document.run.map(|run| run.id), ..Self::could_not(&error) });
        }
        let applications = document.applications.into_iter().filter_map(|one| {
            let of = Of { client: one.client, application: one.name };
            Some((of, one.verdict?))
        });
        Ok(Self {
            result: document.verdict.unwrap_or(Outcome::CouldNotRun),
            reasons: document.reasons.iter().take(MOST_REASONS).map(|reason| legible(reason, LONGEST_REASON)).collect(),
            run: document.run.map(|run| run.id),
            applications: applications.collect(),
        })
    }
}

/// The keys of docs/JSON.md that count here.
#[derive(Deserialize)]
struct Document {
    error: Option<String>,
    verdict: Option<Outcome>,
    #[serde(default)]
    reasons: Vec<String>,
    #[serde(default)]
    applications: Vec<Application>,
    run: Option<Run>,
}

#[derive(Deserialize)]
struct Application {
    client: String,
    name: String,
    verdict: Option<Outcome>,
}

#[derive(Deserialize)]
struct Run {
    id: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_printed_is_what_it_found() {
        let text = r#"{"format":1,"error":null,"verdict":"fail","reasons":["slow\nindeed"],"later":{},
            "applications":[{"client":"tv","name":"stream","verdict":"marginal","score":3},
                            {"client":"tv","name":"download","verdict":null}],
            "run":{"id":"00ff","seed":1}}"#;
        let of = Of { client: "tv".into(), application: "stream".into() };
        let expected = Finding {
            result: Outcome::Fail,
            reasons: vec!["slow indeed".into()],
            run: Some("00ff".into()),
            applications: vec![(of, Outcome::Marginal)],
        };
        assert_eq!(Finding::of_document(text.as_bytes()).unwrap(), expected);
    }

    #[test]
    fn the_documents_that_the_program_prints_are_read() {
        let failed = burn_report::json::render_error("no such device", 4);
        let expected = Finding::could_not("no such device");
        assert_eq!(Finding::of_document(failed.as_bytes()).unwrap(), expected);
        assert!(Finding::of_document(b"").is_err());
        assert!(Finding::of_document(b"netburn: what?").is_err());
    }
}
