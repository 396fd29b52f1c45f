//! What an agent does for a controller at most, whatever that asks for.
//!
//! An agent runs on somebody's device, for a controller that may be anybody who could log in or be joined. A plan is data,
//! and its own bounds (see `Plan::validate`) keep it sane; these here keep what it costs this device and the network
//! within what an honest test needs. They are this program's own: nothing that comes over the stream can widen them.

use std::time::Duration;

use burn_model::plan::{Arrival, Plan, Population};
use netburn_io::client::connections_needed;

use crate::control::message::{Assignment, Source};

/// Bounds on what an agent does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy {
    /// Clients that it plays at once.
    pub clients: usize,
    /// How long the load may run, warm-up included.
    pub duration: Duration,
    /// Connections that all its clients together may hold.
    pub connections: u64,
    /// Open operations that all its clients together may schedule in a second.
    pub operations_per_second: u64,
    /// Bytes that one operation may fetch.
    pub operation_bytes: u64,
    /// Bytes of a server's name: a URL that is longer is no address.
    pub url_bytes: usize,
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            clients: 1000,
            duration: Duration::from_secs(25 * 3600),
            connections: 20_000,
            operations_per_second: 200_000,
            operation_bytes: 4 << 30,
            url_bytes: 4096,
        }
    }
}

/// What was asked for is more than this agent does.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The plan breaks the bounds that every part of the program counts on.
    #[error("its plan is out of bounds: {0}")]
    Plan(String),
    /// The clients and their numbers do not match.
    #[error("its plan has {clients} clients, but {numbers} different numbers for them")]
    Numbers {
        /// Clients in the plan.
        clients: usize,
        /// Different numbers given.
        numbers: usize,
    },
    /// Something is too much.
    #[error("it is asked for {what}: {asked}; this agent does {most} at most")]
    TooMuch {
        /// What.
        what: &'static str,
        /// How much of it.
        asked: u64,
        /// How much it may be.
        most: u64,
    },
    /// The server is not named by a plain `http://` URL.
    #[error("its server is not named by a plain http:// URL of visible ASCII characters")]
    Server,
}

impl Policy {
    /// Whether an agent with this policy does this.
    ///
    /// # Errors
    /// The first thing that it does not do.
    pub fn check(&self, assignment: &Assignment) -> Result<(), Refusal> {
        let Assignment { plan, clients, source, .. } = assignment;
        // Before anything that looks at every pair of clients.
        within("clients", count(plan.clients.len()), count(self.clients))?;
        plan.validate().map_err(|error| Refusal::Plan(error.to_string()))?;
        let different: std::collections::BTreeSet<u32> = clients.iter().copied().collect();
        if different.len() != plan.clients.len() || clients.len() != plan.clients.len() {
            return Err(Refusal::Numbers { clients: plan.clients.len(), numbers: different.len() });
        }
        let load = plan.warm_up.saturating_add(plan.duration);
        within("seconds of load", load.as_secs(), self.duration.as_secs())?;
        within("connections", sum(plan, connections_needed), self.connections)?;
        within("operations a second", sum(plan, operations_per_second), self.operations_per_second)?;
        let largest = populations(plan).map(|population| population.operation.bytes()).max().unwrap_or(0);
        within("bytes in one operation", largest, self.operation_bytes)?;
        self.check_server(source)
    }

    fn check_server(&self, source: &Source) -> Result<(), Refusal> {
        let (Source::Server { url, .. } | Source::Url { url, .. }) = source;
        let plain = url.len() <= self.url_bytes && url.bytes().all(|byte| byte.is_ascii_graphic());
        if plain && url.starts_with("http://") { Ok(()) } else { Err(Refusal::Server) }
    }
}

fn populations(plan: &Plan) -> impl Iterator<Item = &Population> {
    plan.clients.iter().flat_map(|client| &client.populations)
}

fn sum(plan: &Plan, of: impl Fn(&Population) -> u64) -> u64 {
    populations(plan).map(of).fold(0, u64::saturating_add)
}

/// Operations that the schedule itself asks for in a second; a closed population waits for replies, and has none.
fn operations_per_second(population: &Population) -> u64 {
    match population.arrival {
        Arrival::Constant { rate, .. } | Arrival::Poisson { rate } => {
            let a_second = u128::from(rate.operations) * 1_000_000_000;
            let rounded_up = a_second.checked_div(u128::from(rate.per_ns)).map_or(u128::MAX, |whole| whole + 1);
            u64::try_from(rounded_up).unwrap_or(u64::MAX)
        }
        Arrival::Closed { .. } => 0,
    }
}

fn within(what: &'static str, asked: u64, most: u64) -> Result<(), Refusal> {
    if asked <= most { Ok(()) } else { Err(Refusal::TooMuch { what, asked, most }) }
}

fn count(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use burn_model::plan::Rate;
    use netburn_io::protocol::RunToken;

    use super::*;

    fn task(workloads: &[&str]) -> Assignment {
        let names: Vec<String> = workloads.iter().map(ToString::to_string).collect();
        let url = "http://192.0.2.1:4040".to_owned();
        let plan = crate::scenario::single_client(&names, url.clone(), Duration::from_secs(20), 1).unwrap().plan;
        let source = Source::Server { url, token: RunToken::from_bits(1) };
        Assignment { plan, clients: vec![7], connections: 1, asks_server: false, source }
    }

    fn refusal(of: &Assignment) -> String {
        Policy::default().check(of).unwrap_err().to_string()
    }

    #[test]
    fn every_preset_is_within_the_policy_and_so_are_many_clients_with_all_of_them() {
        let one = task(&["browsing", "4kstream", "voip", "download"]);
        assert_eq!(Policy::default().check(&one), Ok(()));
        let mut twenty = one.clone();
        twenty.plan.clients = (0..20)
            .map(|i| burn_model::plan::ClientPlan { name: format!("c{i}"), ..one.plan.clients[0].clone() })
            .collect();
        twenty.clients = (0..20).collect();
        assert_eq!(Policy::default().check(&twenty), Ok(()));
    }

    #[test]
    fn a_plan_that_breaks_its_own_bounds_is_refused() {
        let mut task = task(&["voip"]);
        task.plan.clients[0].populations[0].in_flight = 0;
        assert!(refusal(&task).contains("out of bounds"), "{}", refusal(&task));
    }

    #[test]
    fn clients_without_numbers_or_with_the_same_ones_are_refused() {
        let mut task = task(&["voip"]);
        task.clients = vec![];
        assert!(refusal(&task).contains("1 clients, but 0"), "{}", refusal(&task));
        task.clients = vec![7, 7];
        assert!(refusal(&task).contains("1 clients, but 1"), "{}", refusal(&task));
    }

    #[test]
    fn more_operations_connections_or_bytes_than_a_test_needs_are_refused() {
        let policy = Policy::default();
        let mut fast = task(&["voip"]);
        if let Arrival::Constant { rate, .. } = &mut fast.plan.clients[0].populations[0].arrival {
            *rate = Rate::per_second(policy.operations_per_second);
        }
        // Rounded up by one, which is over.
        assert!(refusal(&fast).contains("operations a second: 200001"), "{}", refusal(&fast));
        let mut large = task(&["download"]);
        large.plan.clients[0].populations[0].operation = burn_model::plan::Operation { parts: 5, part_bytes: 1 << 30 };
        assert!(refusal(&large).contains("bytes in one operation: 5368709120"), "{}", refusal(&large));
        let narrow = Policy { connections: 0, ..policy };
        assert!(narrow.check(&task(&["voip"])).unwrap_err().to_string().contains("connections"));
        let short = Policy { duration: Duration::from_secs(1), ..policy };
        assert!(short.check(&task(&["voip"])).unwrap_err().to_string().contains("seconds of load"));
        let small = Policy { clients: 0, ..policy };
        assert!(small.check(&task(&["voip"])).unwrap_err().to_string().contains("clients: 1"));
    }

    #[test]
    fn only_a_plain_http_server_is_loaded() {
        for url in ["https://192.0.2.1", "file:///etc/passwd", "http://a b", "http://a\r\nX: y", "http://\u{e4}", ""] {
            let mut task = task(&["voip"]);
            task.source = Source::Url { url: url.to_owned(), status: 200, bytes: 1 };
            assert_eq!(Policy::default().check(&task), Err(Refusal::Server), "{url:?}");
        }
    }
}
