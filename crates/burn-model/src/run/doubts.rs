//! What does not add up in a record.

use crate::record::IntervalRecord;

/// The ways in which the records of one application broke the conservation law, counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Breaks {
    next_second: u64,
    in_flight: u64,
    /// Operations vanished or came from nowhere within a second.
    unbalanced: u64,
    /// What was under way at the end of a second was not what was at the beginning of the next.
    disconnected: u64,
    /// Seconds of which there is no record, though there are later ones.
    missing: u64,
    /// Seconds that came twice or out of order.
    disordered: u64,
    /// Records whose operations by time and by count differ.
    incomplete: u64,
}

impl Breaks {
    /// Takes the next record.
    pub(super) fn check(&mut self, record: &IntervalRecord) {
        let add = |count: &mut u64, n: u64| *count = count.saturating_add(n);
        let tally = &record.tally;
        if !tally.is_conserved() {
            add(&mut self.unbalanced, 1);
        }
        if record.second < self.next_second {
            add(&mut self.disordered, 1);
        } else {
            add(&mut self.missing, record.second - self.next_second);
            if tally.in_flight_before != self.in_flight {
                add(&mut self.disconnected, 1);
            }
            self.next_second = record.second.saturating_add(1);
        }
        self.in_flight = tally.in_flight_after;
        if !is_complete(record) {
            add(&mut self.incomplete, 1);
        }
    }

    /// The second after the last one.
    pub(super) const fn next_second(&self) -> u64 {
        self.next_second
    }

    /// What is wrong, in words; `None` where everything adds up.
    pub(crate) fn describe(&self) -> Option<String> {
        let found: Vec<String> = [
            (self.unbalanced, "seconds in which operations vanished or came from nowhere"),
            (self.disconnected, "seconds that do not begin with what the last one left under way"),
            (self.missing, "seconds missing"),
            (self.disordered, "seconds twice or out of order"),
            (self.incomplete, "seconds whose operations do not match their times"),
        ]
        .into_iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, what)| format!("{n} {what}"))
        .collect();
        (!found.is_empty()).then(|| found.join(", "))
    }
}

/// Whether every operation that ended stands in a cohort, with its response time in each view.
fn is_complete(record: &IntervalRecord) -> bool {
    let mut completed = 0_u64;
    let mut unsuccessful = 0_u64;
    for cohort in &record.cohorts {
        let n = cohort.response_time.len();
        if cohort.scheduled_second > record.second
            || cohort.response_time_less_client.len() != n
            || cohort.response_time_less_server.len() != n
        {
            return false;
        }
        completed = completed.saturating_add(n);
        unsuccessful = unsuccessful.saturating_add(cohort.unsuccessful);
    }
    let tally = &record.tally;
    let lost = tally.failures().saturating_add(tally.timed_out).saturating_add(tally.unsent());
    completed == tally.completed && unsuccessful == lost
}
