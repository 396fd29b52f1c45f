//! The server's account of each run: what it did for each application, second by second, and what held it up.
//!
//! Counting costs a connection three additions per write; a second's ends once a second, in [`Witness::end_second`].
//! Everything that a peer can make grow is bounded by the policy.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::account::{Account, has_content};
use super::clock::Clock;
use super::effort::Effort;
use super::locked;
use super::policy::Policy;
use super::tap::Tap;
use crate::protocol::{self, ApplicationSecond, Label, RunToken, ServerSecond};

/// The most of the server's own seconds that are remembered: an hour.
const SERVER_SECONDS: usize = 3600;

/// The accounts of all runs.
#[derive(Debug)]
pub(super) struct Witness {
    clock: Clock,
    book: Mutex<Book>,
    effort: Mutex<Effort>,
    /// The connections whose kernel counters are read each second.
    taps: Mutex<HashMap<u64, Arc<Tap>>>,
    next_tap: AtomicU64,
    /// Rounds of samples begun.
    rounds: AtomicU64,
}

impl Witness {
    pub(super) fn new(clock: Clock, policy: &Policy) -> Self {
        Self {
            clock,
            book: Mutex::new(Book::new(policy)),
            effort: Mutex::new(Effort::read(clock.now())),
            taps: Mutex::default(),
            next_tap: AtomicU64::new(0),
            rounds: AtomicU64::new(0),
        }
    }

    /// Learns of a run, and of its application where the request names one. `None` where nothing is counted: there is
    /// no label, or there are too many runs or labels.
    pub(super) fn account(&self, run: RunToken, label: Option<Label>) -> Option<Arc<Account>> {
        locked(&self.book).account(run, label, self.clock.now())
    }

    /// Takes a connection under watch until [`Witness::forget`].
    pub(super) fn watch(&self, tap: Arc<Tap>) -> u64 {
        let id = self.next_tap.fetch_add(1, Ordering::Relaxed);
        locked(&self.taps).insert(id, tap);
        id
    }

    /// Ends the watch on a connection that ends.
    pub(super) fn forget(&self, id: u64) {
        let tap = locked(&self.taps).remove(&id);
        if let Some(tap) = tap {
            tap.end();
        }
    }

    /// Ends the current second of everything. `longest_pause` is the server's own, in nanoseconds.
    pub(super) async fn end_second(&self, longest_pause: u64) {
        self.sample().await;
        let now = self.clock.now();
        let effort = Effort::read(now);
        let second = effort.since(&locked(&self.effort), longest_pause);
        *locked(&self.effort) = effort;
        locked(&self.book).end_second(now, second);
    }

    /// All that is known of a run up to now, of one client's applications where one is named.
    pub(super) async fn tell(
        &self,
        run: RunToken,
        client: Option<u32>,
        longest_pause: u64,
    ) -> Option<protocol::Witness> {
        self.sample().await;
        let now = self.clock.now();
        let mut account = locked(&self.book).tell(run, client, now)?;
        account.server.push(Effort::read(now).since(&locked(&self.effort), longest_pause));
        Some(account)
    }

    /// Reads the kernel's counters of all connections into their accounts.
    async fn sample(&self) {
        /// One sample takes about a microsecond: others may run after so many.
        const AT_ONCE: usize = 64;
        let round = self.rounds.fetch_add(1, Ordering::Relaxed) + 1;
        let taps: Vec<_> = locked(&self.taps).values().cloned().collect();
        for some in taps.chunks(AT_ONCE) {
            some.iter().for_each(|tap| tap.sample(round));
            tokio::task::yield_now().await;
        }
    }
}

/// What is remembered.
#[derive(Debug)]
struct Book {
    runs: HashMap<RunToken, Run>,
    server: VecDeque<ServerSecond>,
    max_runs: usize,
    max_labels: usize,
    max_seconds_per_run: usize,
    max_seconds: usize,
}

#[derive(Debug)]
struct Run {
    known_since: u64,
    last_used: u64,
    accounts: BTreeMap<Label, Arc<Account>>,
    seconds: VecDeque<ApplicationSecond>,
    forgotten: u64,
}

impl Book {
    fn new(policy: &Policy) -> Self {
        Self {
            runs: HashMap::new(),
            server: VecDeque::new(),
            max_runs: policy.max_runs,
            max_labels: policy.max_labels,
            max_seconds_per_run: policy.max_seconds_per_run,
            max_seconds: policy.max_seconds,
        }
    }

    fn account(&mut self, run: RunToken, label: Option<Label>, now: u64) -> Option<Arc<Account>> {
        if !self.runs.contains_key(&run) && self.runs.len() >= self.max_runs {
            self.forget_a_run();
        }
        if !self.runs.contains_key(&run) && self.runs.len() >= self.max_runs {
            return None;
        }
        let max_labels = self.max_labels;
        let run = self.runs.entry(run).or_insert_with(|| Run::at(now));
        run.last_used = now;
        let label = label?;
        if !run.accounts.contains_key(&label) && run.accounts.len() >= max_labels {
            return None;
        }
        Some(Arc::clone(run.accounts.entry(label).or_insert_with(|| Arc::new(Account::at(now)))))
    }

    /// Makes room: the run goes that was used longest ago, but none that has connections, so that strangers cannot take
    /// a running test's witness away.
    fn forget_a_run(&mut self) {
        let idle = self.runs.iter().filter(|(_, run)| !run.is_connected());
        if let Some(oldest) = idle.min_by_key(|(_, run)| run.last_used).map(|(&token, _)| token) {
            self.runs.remove(&oldest);
        }
    }

    fn end_second(&mut self, now: u64, second: ServerSecond) {
        if self.server.len() >= SERVER_SECONDS {
            self.server.pop_front();
        }
        self.server.push_back(second);
        for run in self.runs.values_mut() {
            let ended = run.accounts.iter().map(|(&label, account)| account.end(label, now));
            run.seconds.extend(ended.filter(has_content));
            run.shrink_to(self.max_seconds_per_run);
        }
        self.shrink();
    }

    /// Keeps the sum of all runs within bounds, at the cost of the runs that hold most.
    fn shrink(&mut self) {
        let total: usize = self.runs.values().map(|run| run.seconds.len()).sum();
        let mut excess = total.saturating_sub(self.max_seconds);
        while excess > 0
            && let Some(largest) = self.runs.values_mut().max_by_key(|run| run.seconds.len())
        {
            let kept = largest.seconds.len().saturating_sub(excess.min(1 + largest.seconds.len() / 2));
            excess -= largest.seconds.len() - kept;
            largest.shrink_to(kept);
        }
    }

    fn tell(&mut self, run: RunToken, client: Option<u32>, now: u64) -> Option<protocol::Witness> {
        let run = self.runs.get_mut(&run)?;
        run.last_used = now;
        let current = run.accounts.iter().map(|(&label, account)| account.peek(label, now)).filter(has_content);
        let rows = run.seconds.iter().copied().chain(current);
        Some(protocol::Witness {
            now_ns: now,
            applications: rows.filter(|row| client.is_none_or(|client| row.label.client == client)).collect(),
            server: self.server.iter().filter(|second| second.to_ns > run.known_since).copied().collect(),
            forgotten: run.forgotten,
        })
    }
}

impl Run {
    fn at(now: u64) -> Self {
        Self { known_since: now, last_used: now, accounts: BTreeMap::new(), seconds: VecDeque::new(), forgotten: 0 }
    }

    /// Whether a connection counts for it: then someone beside this book holds an account.
    fn is_connected(&self) -> bool {
        self.accounts.values().any(|account| Arc::strong_count(account) > 1)
    }

    fn shrink_to(&mut self, most: usize) {
        let excess = self.seconds.len().saturating_sub(most);
        self.seconds.drain(..excess);
        self.forgotten = self.forgotten.saturating_add(excess as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: ServerSecond =
        ServerSecond { from_ns: 0, to_ns: 0, busiest_thread_cpu: 0.0, machine_cpu: None, longest_pause_ns: 0 };

    fn book(policy: Policy) -> Book {
        Book::new(&policy)
    }

    fn token(bits: u128) -> RunToken {
        RunToken::from_bits(bits)
    }

    fn label(client: u32) -> Option<Label> {
        Some(Label { client, population: 0 })
    }

    #[test]
    fn seconds_and_the_rest_add_up_to_what_was_counted() {
        let mut book = book(Policy::default());
        let account = book.account(token(1), label(0), 100).unwrap();
        account.bytes.fetch_add(10, Ordering::Relaxed);
        book.end_second(1_000, SECOND);
        book.end_second(2_000, SECOND);
        account.bytes.fetch_add(5, Ordering::Relaxed);
        let told = book.tell(token(1), None, 2_500).unwrap();
        let spans: Vec<_> = told.applications.iter().map(|s| (s.from_ns, s.to_ns, s.bytes)).collect();
        // The second from 1000 to 2000 had nothing in it.
        assert_eq!(spans, [(100, 1_000, 10), (2_000, 2_500, 5)]);
        assert_eq!(book.tell(token(1), None, 2_600).unwrap().applications.len(), 2, "telling forgets nothing");
    }

    #[test]
    fn a_run_sees_no_other_runs_seconds_and_the_servers_only_since_it_is_known() {
        let mut book = book(Policy::default());
        book.end_second(1_000, ServerSecond { to_ns: 1_000, ..SECOND });
        book.account(token(1), label(0), 1_500).unwrap().bytes.fetch_add(1, Ordering::Relaxed);
        let _ = book.account(token(2), None, 1_500);
        book.end_second(2_000, ServerSecond { to_ns: 2_000, ..SECOND });
        let other = book.tell(token(2), None, 2_000).unwrap();
        assert_eq!((other.applications.len(), other.server.len()), (0, 1));
        assert_eq!(book.tell(token(3), None, 2_000), None);
    }

    #[test]
    fn the_run_used_longest_ago_makes_room_but_none_that_is_connected() {
        let mut book = book(Policy { max_runs: 2, ..Policy::default() });
        let connected = book.account(token(1), label(0), 1);
        let _ = book.account(token(2), label(0), 2);
        let _ = book.account(token(3), label(0), 3);
        assert!(book.runs.contains_key(&token(1)) && !book.runs.contains_key(&token(2)));
        let also_connected = book.account(token(3), label(0), 4);
        assert!(book.account(token(4), label(0), 5).is_none(), "no room beside two that are connected");
        drop((connected, also_connected));
        assert!(book.account(token(4), label(0), 6).is_some());
        assert!(!book.runs.contains_key(&token(1)));
    }

    #[test]
    fn labels_past_the_bound_are_not_counted() {
        let mut book = book(Policy { max_labels: 2, ..Policy::default() });
        for client in 0..2 {
            assert!(book.account(token(1), label(client), 1).is_some());
        }
        assert!(book.account(token(1), label(2), 1).is_none());
        assert!(book.account(token(1), label(0), 1).is_some());
    }

    fn work(book: &mut Book, run: u128, labels: u32, now: u64) {
        for client in 0..labels {
            book.account(token(run), label(client), now).unwrap().replies.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[test]
    fn the_oldest_seconds_of_a_run_are_forgotten_and_counted() {
        let mut book = book(Policy { max_seconds_per_run: 5, ..Policy::default() });
        for now in 1..=4 {
            work(&mut book, 1, 2, now);
            book.end_second(now, SECOND);
        }
        let told = book.tell(token(1), None, 9).unwrap();
        // 4 seconds × 2 labels = 8; 5 are kept.
        assert_eq!((told.applications.len(), told.forgotten), (5, 3));
        assert_eq!(told.applications.last().map(|s| s.to_ns), Some(4));
    }

    #[test]
    fn the_largest_run_pays_for_the_bound_over_all() {
        let mut book = book(Policy { max_seconds: 20, ..Policy::default() });
        for now in 1..=10 {
            work(&mut book, 1, 1, now);
            work(&mut book, 2, 9, now);
            book.end_second(now, SECOND);
        }
        let lens = [1, 2].map(|run| book.tell(token(run), None, 99).unwrap().applications.len());
        assert_eq!(lens, [10, 10]);
        assert_eq!(book.tell(token(2), None, 99).unwrap().forgotten, 80);
    }
}
