//! The one loop of a watch: what is due, what has ended, who wants it to end.
//!
//! Nothing is decided here that a test in virtual time could want. Everything runs on the one thread that starts processes,
//! which their end is tied to.

use std::fs;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use burn_model::units::format_duration;
use jiff::Timestamp;
use sd_notify::NotifyState;
use tokio::sync::watch::Sender;
use tokio::time::{Instant, sleep_until};

use super::alarm::{Alarm, Setting};
use super::attempt::{Attempt, Ended, Wish, limit, prepare};
use super::figures::{Now, document};
use super::finding::{Finding, Outcome};
use super::ledger::{Last, Ledger, LedgerFile};
use super::log::{note, stamp, tell};
use super::outbox::Outbox;
use super::post::{PostError, Target};
use super::program::{Program, ProgramError};
use super::retention::{Made, Retention};
use super::schedule::{Occasion, Schedule};
use super::scrape;
use super::shelf::{self, Shown};
use crate::controller::signals::{Signals, Wish as Signalled};

/// What a watch is asked to do.
#[derive(Debug)]
pub(crate) struct Settings {
    /// How runs are made.
    pub(crate) attempt: Attempt,
    /// The scenario's name.
    pub(crate) name: String,
    /// When they are made.
    pub(crate) schedule: Schedule,
    /// How often, as it was asked for.
    pub(crate) every: Duration,
    /// Whether marginal counts as bad.
    pub(crate) strict: bool,
    /// Which runs are kept.
    pub(crate) retention: Retention,
    /// Where figures are served.
    pub(crate) metrics: Option<SocketAddr>,
    /// Who is run when something has changed.
    pub(crate) program: Option<Program>,
    /// Who is sent it.
    pub(crate) target: Option<Target>,
}

type Job<T> = Pin<Box<dyn Future<Output = T>>>;

/// What has come about.
enum Event {
    Due,
    Ran(Ended, Option<Box<Shown>>),
    Told(Result<(), ProgramError>),
    Posted(Result<(), PostError>),
    Signalled(Signalled),
    Alive,
}

struct Service {
    settings: Settings,
    epoch: Instant,
    ledger: Ledger,
    file: LedgerFile,
    /// What had been skipped before this start.
    skipped_before: u64,
    command: Outbox,
    post: Outbox,
    shown: Option<Box<Shown>>,
    figures: Sender<Arc<str>>,
    wish: Sender<Wish>,
    begun: Instant,
    running: Option<Job<(Ended, Option<Box<Shown>>)>>,
    telling: Option<Job<Result<(), ProgramError>>>,
    posting: Option<Job<Result<(), PostError>>>,
}

/// Watches until somebody ends it.
///
/// # Errors
/// Where it could not begin. What goes wrong later is told, and is no reason to end.
pub(crate) fn watch(settings: Settings) -> Result<()> {
    let (file, ledger) = LedgerFile::open(&settings.attempt.out, &settings.name)?;
    // One thread: the processes that it starts are ended by the kernel when it ends.
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().context("cannot start the watch")?;
    runtime.block_on(async {
        let mut signals = Signals::listen()?;
        let listener = match settings.metrics {
            None => None,
            Some(address) => Some(scrape::listen(address).await.with_context(|| {
                format!("cannot listen on {address} for /metrics; name another port with --metrics")
            })?),
        };
        let address = listener.as_ref().map(tokio::net::TcpListener::local_addr).transpose()?;
        let mut service = Service::new(settings, file, ledger);
        service.announce(address);
        if let Some(listener) = listener {
            tokio::spawn(scrape::serve(listener, service.figures.subscribe()));
        }
        let _ = sd_notify::notify(&[NotifyState::Ready]);
        service.attend(&mut signals).await;
        anyhow::Ok(())
    })
}

impl Service {
    fn new(settings: Settings, file: LedgerFile, mut ledger: Ledger) -> Self {
        // Whom nobody names any more is owed nothing.
        let command = Outbox::with(ledger.command.take().filter(|_| settings.program.is_some()));
        let post = Outbox::with(ledger.post.take().filter(|_| settings.target.is_some()));
        let last = ledger.last.as_ref().filter(|last| last.result != Outcome::CouldNotRun);
        let shown = last.and_then(|last| shelf::read(&settings.attempt.out.join(last.file.as_ref()?)));
        let now = Instant::now();
        Self {
            epoch: now,
            skipped_before: ledger.tally.skipped,
            command,
            post,
            shown,
            figures: Sender::new(Arc::from("")),
            wish: Sender::new(Wish::GoOn),
            begun: now,
            running: None,
            telling: None,
            posting: None,
            settings,
            ledger,
            file,
        }
    }

    async fn attend(&mut self, signals: &mut Signals) {
        let alive = sd_notify::watchdog_enabled().map(|limit| limit / 2);
        loop {
            if *self.wish.borrow() == Wish::GoOn {
                self.begin_what_is_due();
            } else if *self.wish.borrow() == Wish::EndNow || (self.running.is_none() && self.telling.is_none()) {
                break;
            }
            self.publish();
            match self.next(signals, alive).await {
                Event::Due | Event::Alive => {}
                Event::Ran(ended, shown) => self.take(ended, shown),
                Event::Told(outcome) => self.take_told(outcome),
                Event::Posted(outcome) => self.take_posted(outcome),
                Event::Signalled(by) => self.stop(by),
            }
            let _ = sd_notify::notify(&[NotifyState::Watchdog]);
        }
        self.save();
        tell("the watch has ended");
    }

    async fn next(&mut self, signals: &mut Signals, alive: Option<Duration>) -> Event {
        let stopping = *self.wish.borrow() != Wish::GoOn;
        let due = if stopping { None } else { self.due() };
        let at = due.map(|due| self.epoch + due);
        let Self { running, telling, posting, .. } = self;
        tokio::select! {
            (ended, shown) = of(running) => { *running = None; Event::Ran(ended, shown) }
            outcome = of(telling) => { *telling = None; Event::Told(outcome) }
            // Whoever waits for the end of the watch does not wait for somebody else's server: the alarm is kept.
            outcome = of(posting), if !stopping => { *posting = None; Event::Posted(outcome) }
            by = signals.next() => Event::Signalled(by),
            () = until(at) => Event::Due,
            () = until(alive.map(|period| Instant::now() + period)) => Event::Alive,
        }
    }

    /// When something of ours is due.
    fn due(&self) -> Option<Duration> {
        let run = self.running.is_none().then(|| self.settings.schedule.next().0);
        [run, self.command.poll_timeout(), self.post.poll_timeout()].into_iter().flatten().min()
    }

    fn begin_what_is_due(&mut self) {
        let now = self.epoch.elapsed();
        let (at, occasion) = self.settings.schedule.next();
        if self.running.is_none() && at <= now {
            self.begin_run(occasion);
        }
        if let Some(program) = &self.settings.program
            && let Some(alarm) = self.command.begin(now)
        {
            let program = program.clone();
            self.telling = Some(Box::pin(async move { program.tell(&alarm).await }));
        }
        if let Some(target) = &self.settings.target
            && let Some(alarm) = self.post.begin(now)
        {
            let target = target.clone();
            self.posting = Some(Box::pin(async move { target.post(alarm.document()).await }));
        }
    }

    fn begin_run(&mut self, occasion: Occasion) {
        self.settings.schedule.handle_start(occasion);
        self.begun = Instant::now();
        let attempt = self.settings.attempt.clone();
        let wish = self.wish.subscribe();
        self.running = Some(Box::pin(async move {
            // The file is read anew each time, so that a change of it counts from the next run on.
            let limit = match prepare(&attempt) {
                Ok(scenario) => limit(&scenario),
                Err(reason) => return (Ended { finding: Some(Finding::could_not(&reason)), file: None }, None),
            };
            let out = attempt.out.clone();
            let ended = attempt.run(limit, wish).await;
            let could = ended.finding.as_ref().is_some_and(|finding| finding.result != Outcome::CouldNotRun);
            let file = ended.file.as_ref().filter(|_| could).map(|file| out.join(file));
            let shown = match file {
                // A long one takes seconds to read.
                Some(file) => tokio::task::spawn_blocking(move || shelf::read(&file)).await.ok().flatten(),
                None => None,
            };
            (ended, shown)
        }));
    }

    fn take(&mut self, ended: Ended, shown: Option<Box<Shown>>) {
        let (now, wall) = (self.epoch.elapsed(), Timestamp::now());
        if let Some(file) = &ended.file {
            shelf::mark(&self.settings.attempt.out, file);
            self.ledger.made.push(Made { file: file.clone(), at: wall.as_second() });
        }
        let Some(finding) = ended.finding else {
            let kept = ended.file.map_or_else(|| "no file of it".to_owned(), |file| format!("its file is {file}"));
            tell(&format!("the run was stopped and does not count; {kept}"));
            return;
        };
        self.shown = shown;
        self.ledger.tally.count(finding.result);
        if finding.result.condition(self.settings.strict).is_some() {
            self.ledger.last_told_at = Some(wall.as_second());
        }
        let last = Last { at: wall.as_second(), result: finding.result, file: ended.file.clone() };
        self.ledger.last = Some(last);
        let changes = self.ledger.watched.see(&finding, self.settings.strict);
        self.settings.schedule.handle_end(now, self.ledger.watched.is_open());
        self.ledger.tally.skipped = self.skipped_before.saturating_add(self.settings.schedule.skipped());
        self.tell_run(&finding, now, wall);
        let path = ended.file.map(|file| self.settings.attempt.out.join(file).display().to_string());
        let setting = Setting { at: &stamp(wall), host: &host(), scenario: &self.settings.name, file: path.as_deref() };
        if let Some(alarm) = Alarm::of(changes, &finding, self.ledger.watched.all(), setting) {
            self.raise(alarm, now);
        }
        self.prune(wall);
        self.save();
    }

    /// The one line of a run.
    fn tell_run(&self, finding: &Finding, now: Duration, wall: Timestamp) {
        let (at, occasion) = self.settings.schedule.next();
        let why = match (occasion, self.ledger.watched.is_open()) {
            (Occasion::Confirming, _) => " to confirm the change",
            (Occasion::Slot, true) => ", which confirms the change or clears it",
            (Occasion::Slot, false) => "",
        };
        let reason = finding.reasons.first().map(|reason| format!(": {}", reason.trim_end_matches('.')));
        tell(&format!(
            "{} after {}{}; next run at {}{why}",
            finding.result.word(),
            format_duration(self.begun.elapsed()),
            reason.unwrap_or_default(),
            stamp(at_wall(wall, at.saturating_sub(now))),
        ));
    }

    fn raise(&mut self, alarm: Alarm, now: Duration) {
        self.ledger.tally.alarms += 1;
        tell(&format!("alarm: {}", alarm.summary));
        if self.settings.program.is_some() {
            self.command.put(alarm.clone(), now);
        }
        if self.settings.target.is_some() {
            self.post.put(alarm, now);
        }
    }

    fn take_told(&mut self, outcome: Result<(), ProgramError>) {
        // Once, whatever comes of it: what a command does is not for us to repeat.
        self.command.handle_delivered();
        match outcome {
            Ok(()) => self.ledger.tally.commands.done += 1,
            Err(error) => {
                self.ledger.tally.commands.failed += 1;
                note(&format!("the command of --on-change did not do its work: {error}"));
            }
        }
        self.save();
    }

    fn take_posted(&mut self, outcome: Result<(), PostError>) {
        match outcome {
            Ok(()) => {
                self.ledger.tally.posts.done += 1;
                self.post.handle_delivered();
            }
            Err(error) => {
                self.ledger.tally.posts.failed += 1;
                let pause = self.post.handle_failed(self.epoch.elapsed());
                let target = self.settings.target.as_ref().map(ToString::to_string).unwrap_or_default();
                let again = format_duration(pause);
                note(&format!(
                    "the alarm could not be sent to {target}: {error}; it is kept, and tried again in {again}"
                ));
            }
        }
        self.save();
    }

    fn stop(&mut self, by: Signalled) {
        let wish = *self.wish.borrow();
        match (wish, by) {
            (Wish::GoOn, _) => {
                let _ = sd_notify::notify(&[NotifyState::Stopping]);
                if self.running.is_some() {
                    note(&format!("{}: stopping the run that goes on; once more to end at once", by.by()));
                }
                self.wish.send_replace(Wish::Stop);
            }
            (_, Signalled::End(_)) => {
                self.wish.send_replace(Wish::EndNow);
            }
            (_, Signalled::HungUp) => {}
        }
    }

    fn prune(&mut self, wall: Timestamp) {
        for old in self.settings.retention.take_old(&mut self.ledger.made, wall.as_second()) {
            shelf::remove(&self.settings.attempt.out, &old);
        }
    }

    fn save(&mut self) {
        self.ledger.command = self.command.not_delivered();
        self.ledger.post = self.post.not_delivered();
        if let Err(error) = self.file.write(&self.ledger) {
            note(&format!("what the watch knows could not be kept, and a restart would forget it: {error}"));
        }
    }

    fn publish(&mut self) {
        self.ledger.command = self.command.not_delivered();
        self.ledger.post = self.post.not_delivered();
        let wait = self.settings.schedule.next().0.saturating_sub(self.epoch.elapsed());
        let next = at_wall(Timestamp::now(), wait).as_duration().as_secs_f64();
        let now = Now {
            every: self.settings.every.as_secs_f64(),
            next: self.running.is_none().then_some(next),
            run: self.shown.as_deref(),
        };
        if self.settings.metrics.is_some() {
            self.figures.send_replace(document(&self.ledger, now).into());
        }
    }

    /// The first line: what is watched, and who will hear of it.
    fn announce(&mut self, metrics: Option<SocketAddr>) {
        let mut text = format!("watching '{}' every {}", self.settings.name, format_duration(self.settings.every));
        if let Some(address) = metrics {
            text.push_str(&format!("; figures at http://{address}/metrics"));
        }
        if let Some(program) = &self.settings.program {
            text.push_str(&format!("; alarms to {}", program.path.display()));
        }
        if let Some(target) = &self.settings.target {
            text.push_str(&format!("; alarms to {target}"));
        }
        tell(&text);
    }
}

/// A moment so far from now on the wall's clock.
fn at_wall(wall: Timestamp, wait: Duration) -> Timestamp {
    wall.checked_add(wait).unwrap_or(Timestamp::MAX)
}

/// What this machine is called.
fn host() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default().trim().to_owned()
}

/// The outcome of a job, as soon as there is a job and it has ended.
async fn of<T>(job: &mut Option<Job<T>>) -> T {
    match job {
        Some(job) => job.await,
        None => std::future::pending().await,
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}
