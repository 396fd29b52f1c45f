//! `netburn check`: is a scenario right?

use super::{Failure, print};
use crate::cli::Check;
use crate::exit::Exit;
use crate::scenario::{self, exact};

pub(super) fn check(args: &Check) -> Result<Exit, Failure> {
    let (name, text) = super::run::read_scenario(&args.scenario)?;
    let scenario = scenario::parse(&name, &text).map_err(Failure::usage)?;
    let plan = &scenario.plan;
    let mut lines = vec![format!(
        "{name}: right. '{}': {} judged after {} of warm-up, seed {}, plan {}.",
        plan.name,
        exact(plan.duration),
        exact(plan.warm_up),
        plan.seed,
        plan.digest(),
    )];
    for client in &plan.clients {
        let populations: Vec<_> = client.populations.iter().map(|population| population.name.as_str()).collect();
        lines.push(format!("  {}: {}", client.name, populations.join(", ")));
    }
    lines.extend(scenario.remarks.iter().map(|remark| format!("Note: {remark}")));
    lines.extend(scenario.warnings.iter().map(|warning| format!("Warning: {warning}")));
    print(&lines.join("\n"));
    Ok(Exit::Good)
}
