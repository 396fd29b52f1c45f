//! Names of clients and applications for formats in which they tell series apart.
//!
//! Such a name holds no character that could move a cursor, is of bounded length, and is its own: two that would read
//! alike after that get a number behind them.

use std::collections::BTreeSet;

use burn_model::plan::Plan;

use crate::layout::clean;

/// A client of a plan with its applications, as series are called after them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ClientNames {
    /// The client's name.
    pub(crate) client: String,
    /// Its applications' names.
    pub(crate) applications: Vec<String>,
}

/// The names of a plan, in its order.
pub(crate) fn of_plan(plan: &Plan) -> Vec<ClientNames> {
    let clients = unique(plan.clients.iter().map(|client| clean(&client.name)));
    let named = clients.into_iter().zip(&plan.clients).map(|(name, client)| {
        let applications = unique(client.populations.iter().map(|population| clean(&population.name)));
        ClientNames { client: name, applications }
    });
    named.collect()
}

/// The names, each one its own: whichever comes a second time gets ` (2)` behind it.
pub(crate) fn unique(names: impl Iterator<Item = String>) -> Vec<String> {
    unique_by(names, |name, number| format!("{name} ({number})"))
}

/// The names, each one its own: whichever comes again is what `numbered` makes of it and of a number from 2 on.
pub(crate) fn unique_by(names: impl Iterator<Item = String>, numbered: impl Fn(&str, u64) -> String) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let free = |name: String| {
        let mut others = (2..).map(|number| numbered(&name, number));
        // There are more numbers than names.
        let own =
            if taken.contains(&name) { others.find(|other| !taken.contains(other)).unwrap_or(name) } else { name };
        taken.insert(own.clone());
        own
    };
    names.map(free).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_read_alike_are_told_apart() {
        let names = ["tv", "tv", "tv (2)", "phone", "tv"].map(str::to_owned);
        assert_eq!(unique(names.into_iter()), ["tv", "tv (2)", "tv (2) (2)", "phone", "tv (3)"]);
    }
}
