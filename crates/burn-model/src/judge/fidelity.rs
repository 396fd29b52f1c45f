//! Would the verdict change if the tester had been perfect?
//!
//! A goal that was missed says something of the network only where neither the client nor the server was the limit.
//! Response times are judged twice more: with each operation's own lateness at the client taken out, and with the
//! server's time taken out. For a throughput that was too low there is no such operation to look at; there the
//! server's kernel is asked what held its connections back (`tcpi_busy_time`, `tcpi_rwnd_limited` and
//! `tcpi_sndbuf_limited` of Linux's `TCP_INFO`). What nobody else explains is the network's.

use std::time::Duration;

use super::evidence::{Evidence, total};
use super::goal;
use super::judgement::{GoalJudgement, GoalOutcome, Limit};
use super::stream::{Windows, first_schedule};
use crate::goal::Bound;
use crate::numbers::{duration_figure, float, percent};
use crate::record::NotSentReason;
use crate::run::View;
use crate::time::Moment;
use crate::units::format_duration;

/// A thread that uses more of its core than this has none to spare.
const BUSY: f64 = 0.90;
/// Connections that had something to send for less of the time than this were held up by somebody.
const UNHURRIED: f64 = 0.70;
/// Whoever explains so much of what went wrong is called its cause.
const MOST: f64 = 0.5;

/// Who else than the network was the limit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Finding {
    /// Who.
    pub(crate) limit: Limit,
    /// By what, as the end of a sentence that begins with who: "because …".
    pub(crate) because: String,
}

impl Finding {
    fn new(limit: Limit, because: impl Into<String>) -> Self {
        Self { limit, because: because.into() }
    }
}

/// How bad a goal's outcome is, for comparing two judgements of one goal.
pub(crate) const fn severity(judged: &GoalJudgement) -> u8 {
    match (judged.outcome, judged.bad_passed) {
        (GoalOutcome::Met, _) => 0,
        (GoalOutcome::CannotTell, _) => 1,
        (GoalOutcome::Missed, false) => 2,
        (GoalOutcome::Missed, true) => 3,
    }
}

/// Who else than the network kept this goal from being met, if anybody did.
pub(crate) fn other_limit(judged: &GoalJudgement, evidence: &Evidence<'_>) -> Option<Finding> {
    if severity(judged) == 0 {
        return None;
    }
    match judged.goal.bound {
        Bound::ResponseTime { good, .. } => {
            let seconds = evidence.over(good, View::Measured);
            counterfactual(judged, evidence).or_else(|| {
                // Where nobody can tell whether the goal was missed, there is nothing to blame anybody for.
                (severity(judged) > 1).then(|| of_late_operations(judged, evidence, good, &seconds)).flatten()
            })
        }
        Bound::FailedShare { .. } if severity(judged) > 1 => no_socket(evidence, total(&evidence.lost()).1),
        Bound::WindowGoodput { window, .. } if severity(judged) > 1 => {
            let times = Windows::of(evidence, window).map(|windows| windows.under_floor(&judged.goal));
            of_throughput(evidence, &times.unwrap_or_default())
        }
        Bound::StallRatio { .. } if severity(judged) > 1 => of_throughput(evidence, &starved(evidence)),
        Bound::StartupTime { .. } if severity(judged) > 1 => {
            let due = Moment::START + first_schedule(evidence);
            let started = evidence.application.startup().map_or_else(|| evidence.load_end(), |startup| due + startup);
            of_throughput(evidence, &[(due, started)])
        }
        Bound::FailedShare { .. }
        | Bound::WindowGoodput { .. }
        | Bound::StallRatio { .. }
        | Bound::StartupTime { .. } => None,
    }
}

/// Judges the goal with the client's, then with the server's part taken out of every response time.
fn counterfactual(judged: &GoalJudgement, evidence: &Evidence<'_>) -> Option<Finding> {
    let with = |view| severity(&goal::judge(&judged.goal, evidence, view));
    let (client, server) = (with(View::LessClient), with(View::LessServer));
    // Less trouble can make fewer operations be worth more or less; only a better outcome is a change.
    if client < severity(judged) && client <= server {
        Some(Finding::new(Limit::Client, "with the client's own lateness taken out, the outcome is another"))
    } else if server < severity(judged) {
        Some(Finding::new(Limit::Server, "with the server's time taken out, the outcome is another"))
    } else {
        None
    }
}

/// Who was at the end of his strength in the seconds in which operations were late, each second weighing by how
/// many were.
fn of_late_operations(
    judged: &GoalJudgement,
    evidence: &Evidence<'_>,
    good: Duration,
    seconds: &[(u64, u64)],
) -> Option<Finding> {
    let late: Vec<(u64, u64, u64)> =
        (evidence.window.seconds.start..).zip(seconds).map(|(second, (n, k))| (second, *n, *k)).collect();
    let all = float(total(seconds).1);
    let share = |explained: &dyn Fn(u64, u64, u64) -> f64| -> f64 {
        late.iter().map(|(second, n, k)| explained(*second, *n, *k)).sum::<f64>() / all.max(1.0)
    };
    let busy_client = share(&|second, _, k| if client_is_busy(evidence, second) { float(k) } else { 0.0 });
    if busy_client >= MOST {
        return Some(busy(Limit::Client, busy_client, "late operations"));
    }
    let busy_server = share(&|second, _, k| if server_is_busy(evidence, second) { float(k) } else { 0.0 });
    if busy_server >= MOST {
        return Some(busy(Limit::Server, busy_server, "late operations"));
    }
    let excess = judged.observed.map_or(0.0, |observed| observed - duration_figure(good)).max(0.0);
    // Every machine has pauses of some 20 ms in most seconds. One that takes less than half of the whole time that an
    // operation may last made nobody late by itself.
    let least = excess.max(duration_figure(good)) * MOST;
    // A pause holds up what comes in while it lasts, and what queues up behind that: about as much again.
    let held_up = share(&|second, n, k| {
        let pause = longest_pause(evidence, second);
        let enough = duration_figure(pause) >= least && !pause.is_zero();
        if enough { float(k).min(float(n) * (2.0 * pause.as_secs_f64()).min(1.0)) } else { 0.0 }
    });
    if held_up >= MOST {
        let longest = late.iter().filter(|(_, _, k)| *k > 0).map(|(second, ..)| longest_pause(evidence, *second)).max();
        let because = format!("it stood still for up to {}", format_duration(longest.unwrap_or_default()));
        return Some(Finding::new(Limit::Server, because));
    }
    no_socket(evidence, total(seconds).1)
}

/// Operations that the client could not even send for want of a socket.
fn no_socket(evidence: &Evidence<'_>, late: u64) -> Option<Finding> {
    let unsent = evidence.tally().not_sent.get(&NotSentReason::NoSocket).copied().unwrap_or(0);
    (unsent > 0 && float(unsent) >= float(late) * MOST)
        .then(|| Finding::new(Limit::Client, format!("it could not get a socket for {unsent} operations")))
}

/// Who kept data from arriving in these times.
fn of_throughput(evidence: &Evidence<'_>, times: &[(Moment, Moment)]) -> Option<Finding> {
    let length: f64 = times.iter().map(|(from, to)| to.since(*from).as_secs_f64()).sum();
    if length <= 0.0 {
        return None;
    }
    let seconds = overlapping_seconds(times);
    let share_of = |is_busy: &dyn Fn(u64) -> bool| -> f64 {
        seconds.iter().filter(|(second, _)| is_busy(*second)).map(|(_, part)| part).sum::<f64>() / length
    };
    let busy_client = share_of(&|second| client_is_busy(evidence, second));
    if busy_client >= MOST {
        return Some(busy(Limit::Client, busy_client, "time with too little data"));
    }
    let busy_server = share_of(&|second| server_is_busy(evidence, second));
    if busy_server >= MOST {
        return Some(busy(Limit::Server, busy_server, "time with too little data"));
    }
    let account = Account::over(evidence, times);
    // Without the server's account for most of the time, nobody can be blamed.
    if account.covered < length * MOST {
        return None;
    }
    if account.busy > 0.0 && account.receiver_limited > account.busy * MOST {
        let because = format!(
            "its receive window was the limit for {} of the time that the server had something to send",
            percent((account.receiver_limited / account.busy).min(1.0))
        );
        return Some(Finding::new(Limit::Client, because));
    }
    if account.busy > 0.0 && account.sender_limited > account.busy * MOST {
        let because = format!(
            "its own send buffer was the limit for {} of the time that it had something to send",
            percent((account.sender_limited / account.busy).min(1.0))
        );
        return Some(Finding::new(Limit::Server, because));
    }
    let idle = account.covered - account.busy;
    if account.busy >= account.covered * UNHURRIED {
        return None;
    }
    let sum = |time: &dyn Fn(u64) -> f64| seconds.iter().map(|(second, part)| time(*second) * part).sum::<f64>();
    let server =
        sum(&|second| spent(evidence, second).1).max(sum(&|second| longest_pause(evidence, second).as_secs_f64()));
    let client = sum(&|second| spent(evidence, second).0);
    let had_nothing = percent(idle / account.covered);
    if server >= idle * MOST {
        let because = format!(
            "it had nothing to send for {had_nothing} of the time with too little data, and took that time itself"
        );
        return Some(Finding::new(Limit::Server, because));
    }
    if client >= idle * MOST {
        let because = format!(
            "the server was not asked for anything for {had_nothing} of the time with too little data, and the client was late by as much"
        );
        return Some(Finding::new(Limit::Client, because));
    }
    None
}

/// What the server's kernel says of some times, in seconds. What it counted over a longer time is taken in
/// proportion.
#[derive(Clone, Copy, Debug, Default)]
struct Account {
    covered: f64,
    busy: f64,
    receiver_limited: f64,
    sender_limited: f64,
}

impl Account {
    fn over(evidence: &Evidence<'_>, times: &[(Moment, Moment)]) -> Self {
        let mut account = Self::default();
        for row in evidence.witness {
            let length = row.to.since(row.from).as_secs_f64();
            let inside: f64 = times.iter().map(|time| overlap(*time, (row.from, row.to))).sum();
            if length <= 0.0 || inside <= 0.0 {
                continue;
            }
            let part = inside / length;
            account.covered += inside;
            account.busy += row.busy.as_secs_f64() * part;
            account.receiver_limited += row.rwnd_limited.as_secs_f64() * part;
            account.sender_limited += row.sndbuf_limited.as_secs_f64() * part;
        }
        account
    }
}

/// The times in which a player ran dry: seconds that brought less than it plays, as far back before a stall as its
/// buffer reaches.
fn starved(evidence: &Evidence<'_>) -> Vec<(Moment, Moment)> {
    let Some(media) = evidence.population.media else { return Vec::new() };
    let reach = media.cap.as_secs().saturating_add(1);
    let mut stalled: Vec<u64> = Vec::new();
    let mut short: Vec<u64> = Vec::new();
    for (second, counts) in evidence.application.seconds(0..evidence.window.seconds.end) {
        if counts.happened.playback.as_ref().is_some_and(|playback| !playback.stalled.is_zero()) {
            stalled.push(second);
        }
        if counts.happened.bytes.saturating_mul(8) < media.bit_rate.as_bps() {
            short.push(second);
        }
    }
    let before_a_stall = |second: &u64| {
        let next = stalled.partition_point(|stall| stall < second);
        stalled.get(next).is_some_and(|stall| stall - second <= reach)
    };
    let moments = |second: u64| (Moment::from_secs(second), Moment::from_secs(second.saturating_add(1)));
    short.into_iter().filter(before_a_stall).map(moments).collect()
}

fn busy(limit: Limit, share: f64, of_what: &str) -> Finding {
    let whose = match limit {
        Limit::Client => "its measuring thread",
        Limit::Server => "its busiest thread",
    };
    Finding::new(
        limit,
        format!("{whose} used over {} of its core during {} of the {of_what}", percent(BUSY), percent(share.min(1.0))),
    )
}

fn client_is_busy(evidence: &Evidence<'_>, second: u64) -> bool {
    evidence.client.driver_cpu.get(&second).is_some_and(|cpu| *cpu > BUSY)
}

fn server_is_busy(evidence: &Evidence<'_>, second: u64) -> bool {
    let second = (Moment::from_secs(second), Moment::from_secs(second.saturating_add(1)));
    let rows = evidence.run.server_usage().iter();
    rows.filter(|row| row.busiest_thread_cpu > BUSY).any(|row| overlap(second, (row.from, row.to)) > 0.0)
}

/// The longest pause of the server that reaches into a second. A pause is noticed when it is over, so it may lie
/// before the time of the row that tells of it.
fn longest_pause(evidence: &Evidence<'_>, second: u64) -> Duration {
    let second = (Moment::from_secs(second), Moment::from_secs(second.saturating_add(1)));
    let rows = evidence.run.server_usage().iter();
    rows.filter(|row| overlap(second, (row.from - row.longest_pause, row.to)) > 0.0)
        .map(|row| row.longest_pause)
        .max()
        .unwrap_or_default()
}

/// How much time the client's lateness and the server took of the operations scheduled in a second, in seconds.
fn spent(evidence: &Evidence<'_>, second: u64) -> (f64, f64) {
    let counts = evidence.application.seconds(second..second.saturating_add(1)).next();
    counts.map_or((0.0, 0.0), |(_, counts)| {
        (counts.cohort.client_time.as_secs_f64(), counts.cohort.server_time.as_secs_f64())
    })
}

/// The whole seconds that these times reach into, each with how much of it, in seconds.
fn overlapping_seconds(times: &[(Moment, Moment)]) -> Vec<(u64, f64)> {
    let mut seconds: Vec<(u64, f64)> = Vec::new();
    for time in times {
        let mut second = time.0.second();
        while Moment::from_secs(second) < time.1 {
            let part = overlap(*time, (Moment::from_secs(second), Moment::from_secs(second + 1)));
            match seconds.last_mut() {
                Some((last, sum)) if *last == second => *sum += part,
                _ => seconds.push((second, part)),
            }
            second += 1;
        }
    }
    seconds
}

/// How long two times have in common, in seconds.
fn overlap(a: (Moment, Moment), b: (Moment, Moment)) -> f64 {
    a.1.min(b.1).since(a.0.max(b.0)).as_secs_f64()
}
