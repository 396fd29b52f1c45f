//! The people of a closed population: each starts the next operation a reading time after the last one ended.
//!
//! A person whose operation did not succeed is patient: the next one waits at least 100 ms, and twice as long
//! after each further one that did not succeed, up to a second, until one succeeds. Without that, a back-to-back
//! population would hammer a dead port as fast as the machine can fail.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Duration;

use burn_model::time::Moment;

use crate::random::Generator;

const LEAST_PATIENCE: Duration = Duration::from_millis(100);
const MOST_PATIENCE: Duration = Duration::from_secs(1);

/// All people of one population.
#[derive(Debug)]
pub(crate) struct Crowd {
    people: Vec<Person>,
    reading_time: Duration,
    /// Who starts when, of those that read now; the earliest first, then the lowest number.
    due: BinaryHeap<Reverse<(Moment, u32)>>,
}

#[derive(Debug)]
struct Person {
    generator: Generator,
    /// Consecutive operations without success.
    failures: u32,
}

impl Crowd {
    /// People who begin with a reading time. `seed` gives each person's own seed, so that one person's luck does not
    /// change another's reading.
    pub(crate) fn new(people: u32, reading_time: Duration, seed: impl Fn(u32) -> u64) -> Self {
        let mut crowd = Self { people: Vec::new(), reading_time, due: BinaryHeap::new() };
        for number in 0..people {
            let mut generator = Generator::new(seed(number));
            let first = Moment::START + generator.exponential_with_mean(reading_time);
            crowd.people.push(Person { generator, failures: 0 });
            crowd.due.push(Reverse((first, number)));
        }
        crowd
    }

    /// When the next operation of anybody is due; `None` while everybody waits for a reply.
    pub(crate) fn next_due(&self) -> Option<Moment> {
        self.due.peek().map(|Reverse((at, _))| *at)
    }

    /// Takes the next operation: when it was due, and whose it is.
    pub(crate) fn take_due(&mut self) -> Option<(Moment, u32)> {
        self.due.pop().map(|Reverse(due)| due)
    }

    /// The operation of a person ended at `now`: schedules the next one.
    pub(crate) fn operation_ended(&mut self, number: u32, now: Moment, succeeded: bool) {
        let Some(person) = usize::try_from(number).ok().and_then(|index| self.people.get_mut(index)) else { return };
        let reading = person.generator.exponential_with_mean(self.reading_time);
        let pause = if succeeded {
            person.failures = 0;
            reading
        } else {
            let patience = LEAST_PATIENCE.saturating_mul(1 << person.failures.min(16)).min(MOST_PATIENCE);
            person.failures = person.failures.saturating_add(1);
            reading.max(patience)
        };
        self.due.push(Reverse((now + pause, number)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_grows_patient_while_nothing_succeeds_and_forgets_it_afterwards() {
        let mut crowd = Crowd::new(1, Duration::ZERO, u64::from);
        assert_eq!(crowd.take_due(), Some((Moment::START, 0)));
        let now = Moment::from_secs(10);
        let pauses = [false, false, false, false, false, false, true, false].map(|succeeded| {
            crowd.operation_ended(0, now, succeeded);
            crowd.take_due().unwrap().0.since(now).as_millis()
        });
        assert_eq!(pauses, [100, 200, 400, 800, 1000, 1000, 0, 100]);
    }

    #[test]
    fn one_person_s_draws_do_not_depend_on_the_others_or_on_when_operations_end() {
        let readings = |people: u32, now: Moment| {
            let mut crowd = Crowd::new(people, Duration::from_secs(2), u64::from);
            let first = std::iter::from_fn(|| crowd.take_due()).find(|(_, number)| *number == 1).unwrap().0;
            crowd.operation_ended(1, now, true);
            (first, crowd.take_due().unwrap().0.since(now))
        };
        assert_eq!(readings(2, Moment::from_secs(5)), readings(40, Moment::from_secs(500)));
    }
}
