//! The one loop of a run: what agents say, what time it is, what a person wants, into the session and out of it.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use burn_model::record::{Ending, LinkRecord, RunEvent};
use burn_model::time::Moment;
use netburn_lab::Lab;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::{MissedTickBehavior, interval, sleep_until};

use super::agents::{Agents, Heard};
use super::keeper::Keeper;
use super::server::LocalServer;
use crate::control::message::Source;
use crate::control::session::{Action, Session};
use crate::live::Live;
use crate::scenario::{Scenario, Via};

/// Conducts a run to its end, whatever that is, and records it.
pub(super) async fn conduct(
    scenario: &Scenario,
    source: Source,
    mut agents: Agents,
    mut server: Option<LocalServer>,
    lab: Option<&Lab>,
    keeper: &mut Keeper,
    progress: bool,
) -> Result<()> {
    let epoch = Instant::now();
    let now = || u64::try_from(epoch.elapsed().as_nanos()).unwrap_or(u64::MAX);
    let mut interrupt = signal(SignalKind::interrupt()).context("cannot listen for Ctrl-C")?;
    let mut terminate = signal(SignalKind::terminate()).context("cannot listen for SIGTERM")?;
    let mut hangup = if ignores_hangup() { None } else { signal(SignalKind::hangup()).ok() };
    let mut second = interval(Duration::from_secs(1));
    second.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut live = Live::new(progress);
    let mut session = Session::new(scenario.plan.clone(), source, now());
    let mut server_lost = false;

    let cut_short = loop {
        while let Some(action) = session.poll_action() {
            match action {
                Action::Send(client, message) => agents.send(client, &message)?,
                Action::Record(event) => keeper.record(&as_shaped(event, lab)),
                Action::Dismiss(client) => agents.dismiss(client),
            }
        }
        if session.is_over() {
            break false;
        }
        if keeper.is_lost() {
            session.stop("the run file could not be written", now());
        }
        let timeout = session
            .poll_timeout()
            .map_or_else(|| Instant::now() + Duration::from_secs(3600), |at| epoch + Duration::from_nanos(at));
        tokio::select! {
            heard = agents.hear() => match heard {
                Some((client, Heard::Message(message))) => session.handle_message(client, message, now()),
                Some((client, Heard::Gone(reason))) => session.handle_gone(client, reason, now()),
                None => break true,
            },
            () = sleep_until(timeout.into()) => session.handle_timeout(now()),
            _ = interrupt.recv() => {
                if stop_or_end(&mut session, &mut live, "Ctrl-C", now()) { break true; }
            }
            _ = terminate.recv() => {
                if stop_or_end(&mut session, &mut live, "SIGTERM", now()) { break true; }
            }
            () = hung_up(hangup.as_mut()) => {
                // A shell and the kernel both send it: a second one is no second wish.
                if !session.is_stopping() { stop_or_end(&mut session, &mut live, "SIGHUP (the terminal was closed)", now()); }
            }
            reason = gone(server.as_mut()), if !server_lost => {
                server_lost = true;
                if session.started_at().is_none() {
                    bail!("{reason}");
                }
                live.note(&reason);
                keeper.record(&RunEvent::ServerLost { reason });
            }
            _ = second.tick() => live.show(keeper.run(), session.started_at().map(|at| now().saturating_sub(at))),
        }
    };
    live.finish();
    // The counters before the agents go: nothing of ours may still run when the lab is taken down.
    match links(scenario, lab) {
        Ok(links) => links.into_iter().for_each(|link| keeper.record(&RunEvent::Link(link))),
        // They are a check of what was measured, not a part of it.
        Err(error) => {
            live.note(&format!("the radios' counters could not be read, so the report goes without: {error:#}"))
        }
    }
    agents.end().await;
    if let Some(server) = server {
        server.end().await;
    }
    if let Some(reason) = session.not_started() {
        bail!("{reason}");
    }
    let ending = match session.ending() {
        Ending::Finished if cut_short => {
            let at = session.started_at().map_or(Moment::START, |at| Moment::from_nanos(now().saturating_sub(at)));
            Ending::Interrupted { at, by: "a second interrupt".to_owned() }
        }
        ending => ending,
    };
    keeper.close(ending);
    Ok(())
}

/// A lab sets its congestion control by route, which a host's own settings do not show.
fn as_shaped(mut event: RunEvent, lab: Option<&Lab>) -> RunEvent {
    if let (RunEvent::Environment { facts, .. }, Some(lab)) = (&mut event, lab) {
        facts.insert("congestion_control".to_owned(), lab.congestion_control().to_string());
    }
    event
}

/// The first time a person interrupts, the load stops and what is known is told; the second time, it ends. Says
/// whether to end.
fn stop_or_end(session: &mut Session, live: &mut Live, by: &str, now: u64) -> bool {
    if session.is_stopping() {
        return true;
    }
    live.note(&format!("{by}: finishing what is under way; once more to stop at once"));
    session.stop(by, now);
    false
}

/// Whether whoever started this program wants it to outlive the terminal, as `nohup` does.
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    // Signal n is bit n - 1, and SIGHUP is 1.
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
}

async fn hung_up(hangup: Option<&mut tokio::signal::unix::Signal>) {
    match hangup {
        Some(hangup) => {
            hangup.recv().await;
        }
        None => std::future::pending().await,
    }
}

async fn gone(server: Option<&mut LocalServer>) -> String {
    match server {
        Some(server) => server.gone().await,
        None => std::future::pending().await,
    }
}

/// What the kernel counted on the lab's radios.
fn links(scenario: &Scenario, lab: Option<&Lab>) -> Result<Vec<LinkRecord>> {
    let (Some(lab), Some(plan)) = (lab, &scenario.lab) else { return Ok(Vec::new()) };
    let counters = lab.counters()?;
    let links = plan.radios.iter().zip(counters).enumerate().map(|(i, (radio, counted))| LinkRecord {
        name: radio.name.clone(),
        clients: (0_u32..)
            .zip(&scenario.via)
            .filter(|(_, via)| matches!(via, Via::Lab { radio } if *radio == i))
            .map(|(client, _)| client)
            .collect(),
        rate_bps: radio.rate.as_bps(),
        queue: radio.queue,
        bytes: counted.bytes,
        packets: counted.packets,
        drops: counted.drops,
    });
    Ok(links.collect())
}
