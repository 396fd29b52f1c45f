//! Each client alone, one after the other, before all of them together: what `--solo-first` asks for.

use std::time::Duration;

use anyhow::{Result, bail};
use burn_model::judge::judge;
use burn_model::plan::{ClientPlan, Plan};
use burn_model::record::{Ending, RunEvent, SoloRecord};
use burn_model::run::RunRecord;

use super::conduct::{Conductor, Role};
use super::keeper::Keeper;
use super::{header, random_bits};
use crate::control::message::Source;
use crate::control::session::{Attendance, Part};
use crate::scenario::Scenario;

/// A client alone is judged for so long, or for as long as the scenario says where that is shorter: long enough for a rate,
/// short enough to be borne for each client.
const JUDGED: Duration = Duration::from_secs(10);

/// The plan of a client's solo run: the same load at the same moments, for a shorter time.
fn plan_of(plan: &Plan, client: &ClientPlan) -> Plan {
    Plan {
        name: format!("{}, {} alone", plan.name, client.name),
        duration: plan.duration.min(JUDGED),
        clients: vec![client.clone()],
        ..*plan
    }
}

/// Measures each client alone. Each solo run has a file of its own beside the joint one's. Says what each application got,
/// as the joint run's record has it.
///
/// # Errors
/// Where somebody stopped it: whoever did so does not want to wait for the joint run.
pub(super) async fn measure(
    scenario: &Scenario,
    sources: &[Source],
    folder: &std::path::Path,
    attendance: Attendance,
    conductor: &mut Conductor<'_>,
) -> Result<Vec<RunEvent>> {
    let mut rates = Vec::new();
    for (number, (device, source)) in scenario.devices.iter().zip(sources).enumerate() {
        for client in device.clients.clone() {
            let Some(client_plan) = scenario.plan.clients.get(client) else { continue };
            // Whom the joint run does without has nothing to be compared.
            if attendance == Attendance::WhoeverIsThere && conductor.roster.absent(number).is_some() {
                continue;
            }
            conductor.note(&format!("{} alone, to know what its share would be", client_plan.name));
            let plan = plan_of(&scenario.plan, client_plan);
            let part = Part {
                name: device.name.clone(),
                clients: 0..1,
                source: source.clone(),
                patience: conductor.roster.patience(number),
                absent: None,
            };
            let run = one(scenario, plan, Role { device: number, part }, folder, conductor).await?;
            let solo = rates_of(&run, client);
            if solo.is_empty() {
                conductor
                    .note(&format!("{} alone gave no rate, so nobody can say what its share is", client_plan.name));
            }
            rates.extend(solo.into_iter().map(RunEvent::Solo));
        }
    }
    Ok(rates)
}

/// One solo run, from its file's first event to its last.
async fn one(
    scenario: &Scenario,
    plan: Plan,
    role: Role,
    folder: &std::path::Path,
    conductor: &mut Conductor<'_>,
) -> Result<RunRecord> {
    let id = random_bits()?;
    let mut keeper = Keeper::create(folder, &plan.name, id)?;
    let alone = Scenario { plan, text: String::new(), ..scenario.clone() };
    keeper.record(&RunEvent::Opened(Box::new(header(&alone, &role.part.source, id))));
    let name = alone.plan.name.clone();
    let ending = match conductor.conduct(&alone.plan, vec![role], Attendance::Everybody, &mut keeper).await {
        Ok(ending) => ending,
        Err(error) => {
            keeper.abandon(format!("{error:#}"));
            return Err(error.context(format!("'{name}' could not be measured")));
        }
    };
    keeper.close(ending.clone());
    let (_, run, record_lost) = keeper.into_parts();
    match (ending, record_lost) {
        (Ending::Interrupted { by, .. }, _) => {
            bail!("{by} during '{name}': the run of all together did not take place")
        }
        (_, Some(lost)) => bail!("'{name}' could not be kept: {lost}"),
        (Ending::Finished | Ending::Failed { .. }, None) => Ok(run),
    }
}

/// What each application of a solo run got, under the number that its client has in the joint run. Nothing where the
/// run is in doubt: a share of a wrong rate would be worse than none.
fn rates_of(run: &RunRecord, client: usize) -> Vec<SoloRecord> {
    let judgement = judge(run);
    let Ok(client) = u32::try_from(client) else { return Vec::new() };
    let rate = |(number, population): (u32, usize)| {
        let bytes_by_second = run.judged_payload(0, population);
        let seconds = u64::try_from(bytes_by_second.len()).ok().filter(|seconds| *seconds > 0)?;
        let bytes = bytes_by_second.iter().fold(0_u64, |sum, bytes| sum.saturating_add(*bytes));
        let goodput_bps = bytes.saturating_mul(8) / seconds;
        Some(SoloRecord { client, population: number, goodput_bps, bytes_by_second })
    };
    if run.client_state(0).is_none_or(|state| matches!(state, burn_model::record::ClientState::Lost { .. })) {
        return Vec::new();
    }
    (0..).zip(0..judgement.applications.len()).filter_map(rate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::parse;

    #[test]
    fn a_solo_run_is_the_same_load_for_a_shorter_time() {
        let text =
            "duration = '2 min'\nwarm_up = '5 s'\nseed = 7\n[[client]]\nname = 'phone'\ncount = 2\nrun = ['voip']\n";
        let plan = parse("office.toml", text).unwrap().plan;
        let solo = plan_of(&plan, &plan.clients[1]);
        assert_eq!(solo.name, "office, phone-2 alone");
        assert_eq!((solo.warm_up, solo.duration), (Duration::from_secs(5), JUDGED));
        // Its schedules too: they come from the seed and the client's name.
        assert_eq!((solo.seed, &solo.clients), (7, &vec![plan.clients[1].clone()]));
        let short = Plan { duration: Duration::from_secs(4), ..plan.clone() };
        assert_eq!(plan_of(&short, &plan.clients[0]).duration, Duration::from_secs(4));
    }
}
