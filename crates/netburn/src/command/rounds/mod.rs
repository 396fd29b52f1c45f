//! `netburn run A --vs B`: two set-ups in turns, and what that says of them.

mod order;
mod pause;

use std::path::Path;
use std::time::Duration;

use burn_model::compare::LEAST_RUNS;
use burn_model::judge::Judgement;
use burn_model::record::Ending;
use burn_model::run::RunRecord;
use burn_model::units::format_bound;
use burn_report::layout::clean;
use burn_report::words::verdict;

use super::compare::{Sides, conclude};
use super::run::{options, overrides, read_scenario};
use super::{Failure, page, say, say_error, show};
use crate::cli::{ColorChoice, Run};
use crate::controller::{Finished, execute};
use crate::exit::Exit;
use crate::scenario::{self, Overrides, Scenario};
use order::order;
use pause::Reply;

/// What a run takes beside its load: gathering the devices, comparing clocks, letting operations come to their end.
const AROUND: Duration = Duration::from_secs(3);

/// One of the two set-ups, and the runs of it that were made.
struct Side {
    name: String,
    text: String,
    runs: Vec<(RunRecord, Judgement)>,
}

impl Side {
    fn read(path: &Path) -> Result<Self, Failure> {
        let (name, text) = read_scenario(path)?;
        Ok(Self { name, text, runs: Vec::new() })
    }

    fn scenario(&self, overrides: &Overrides) -> Result<Scenario, Failure> {
        scenario::parse_with(&self.name, &self.text, overrides).map_err(Failure::usage)
    }
}

/// How it came to an end.
enum Course {
    /// All runs were made.
    Finished,
    /// A person had enough.
    Stopped,
    /// A run could not take place.
    Failed(Failure),
}

pub(super) fn run(args: &Run, vs: &Path, color: ColorChoice) -> Result<Exit, Failure> {
    page::check(args.show.html.as_deref())?;
    if args.pause && !pause::is_possible() {
        return Err(Failure::usage(
            "--pause asks somebody at a terminal to change the set-up, and there is no terminal",
        ));
    }
    let mut sides = [Side::read(&args.scenario)?, Side::read(vs)?];
    let scenarios = [sides[0].scenario(&overrides(args))?, sides[1].scenario(&overrides(args))?];
    for scenario in &scenarios {
        show::warn(scenario, args.show.quiet);
    }
    if args.rounds < u32::try_from(LEAST_RUNS).unwrap_or(u32::MAX) {
        let line = format!("Note: fewer than {LEAST_RUNS} rounds can show two set-ups, but not tell them apart.");
        say(args.show.quiet, &line);
    }
    say(args.show.quiet, &announcement(args.rounds, &scenarios));
    let course = in_turns(args, &mut sides, &scenarios);
    let [first, second] = sides;
    let names = (first.name, second.name);
    let (first, second) = (first.runs, second.runs);
    let both = !first.is_empty() && !second.is_empty();
    let made = first.len() + second.len();
    if let Course::Stopped = course {
        say(args.show.quiet, &format!("Stopped after {made} of {} runs.", args.rounds * 2));
    }
    if !both {
        return match course {
            Course::Failed(failure) => Err(failure),
            _ => Err(Failure::could_not(&anyhow::anyhow!("there are not runs of both set-ups, so nothing to compare"))),
        };
    }
    let sides = Sides { first, second, names };
    let failed = match course {
        Course::Failed(failure) => {
            say_error(&failure.message);
            Some(failure.exit)
        }
        Course::Finished | Course::Stopped => None,
    };
    Ok(conclude(&sides, (args.show.json, args.show.html.as_deref()), failed, color))
}

/// Makes the runs, until somebody has had enough or one cannot take place.
fn in_turns(args: &Run, sides: &mut [Side; 2], scenarios: &[Scenario; 2]) -> Course {
    // What is drawn is the same for both set-ups of a round, and another thing in every round.
    let seed = |round: u32| args.seed.unwrap_or(scenarios[0].plan.seed).wrapping_add(u64::from(round));
    let mut set_up_now = None;
    for (round, set_up) in order(args.rounds) {
        let side = &mut sides[set_up as usize];
        let place = format!("Round {} of {}, {}", round + 1, args.rounds, set_up.letter());
        let title = clean(&scenarios[set_up as usize].plan.name);
        if args.pause && set_up_now != Some(set_up) {
            match pause::ask(&format!("{place}: set up \"{title}\", then press Enter (q ends):")) {
                Ok(Reply::GoOn) => {}
                Ok(Reply::Enough) => return Course::Stopped,
                Err(error) => return Course::Failed(Failure::could_not(&error)),
            }
        }
        set_up_now = Some(set_up);
        say(args.show.quiet, &format!("{place}: {title}"));
        let overrides = Overrides { seed: Some(seed(round)), ..overrides(args) };
        let finished = side
            .scenario(&overrides)
            .and_then(|scenario| execute(&scenario, &options(args)).map_err(|error| Failure::could_not(&error)));
        match finished {
            Ok(Finished { run, judgement, path, record_lost }) => {
                if let Some(reason) = record_lost {
                    return Course::Failed(Failure::could_not(&anyhow::anyhow!(reason)));
                }
                let verdict = verdict(judgement.verdict);
                say(args.show.quiet, &format!("{place}: {verdict}. Run file: {}", path.display()));
                // It was cut short, so it is no run like the others.
                if matches!(run.ending(), Some(Ending::Interrupted { .. })) {
                    return Course::Stopped;
                }
                side.runs.push((run, judgement));
            }
            Err(failure) => {
                return Course::Failed(Failure { message: format!("{place}: {}", failure.message), ..failure });
            }
        }
    }
    Course::Finished
}

/// What will happen, before it does.
fn announcement(rounds: u32, scenarios: &[Scenario; 2]) -> String {
    let of_one = |scenario: &Scenario| scenario.plan.warm_up + scenario.plan.duration + AROUND;
    let all = scenarios.iter().map(of_one).sum::<Duration>().saturating_mul(rounds);
    // To the second: a person plans by it, no more.
    let all = Duration::from_secs(all.as_secs());
    format!("{} runs, A and B in turns: about {}.", rounds.saturating_mul(2), format_bound(all))
}
