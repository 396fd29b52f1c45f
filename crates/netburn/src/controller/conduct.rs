//! The one loop of a run: what agents say, what time it is, what a person wants, into the session and out of it.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use burn_model::plan::Plan;
use burn_model::record::{Ending, LinkRecord, RunEvent};
use burn_model::time::Moment;
use netburn_lab::Lab;
use tokio::time::{MissedTickBehavior, interval, sleep_until};

use super::keeper::Keeper;
use super::roster::{Heard, Roster};
use super::server::LocalServer;
use super::signals::{Signals, Wish};
use super::traffic::TrafficMeter;
use crate::control::session::{Action, Attendance, Part, Session};
use crate::live::{Live, Pressed};
use crate::scenario::{Scenario, Via};

/// All that runs of one scenario have in common, whether there is one or several in a row.
#[derive(Debug)]
pub(super) struct Conductor<'a> {
    pub(super) roster: Roster,
    pub(super) server: Option<LocalServer>,
    lab: Option<&'a Lab>,
    live: Live,
    epoch: Instant,
    signals: Signals,
    /// Why the server is gone, where it is.
    server_gone: Option<String>,
}

/// One device's part of a run.
#[derive(Clone, Debug)]
pub(super) struct Role {
    /// Which device of the roster.
    pub(super) device: usize,
    /// What it does.
    pub(super) part: Part,
}

impl<'a> Conductor<'a> {
    /// Ready to conduct runs with these devices.
    pub(super) fn new(
        roster: Roster,
        server: Option<LocalServer>,
        lab: Option<&'a Lab>,
        signals: Signals,
        progress: bool,
    ) -> Self {
        Self { roster, server, lab, live: Live::new(progress), epoch: Instant::now(), signals, server_gone: None }
    }

    /// Conducts one run to its end, whatever that is, and records it but for its closing; says how it ended.
    pub(super) async fn conduct(
        &mut self,
        plan: &Plan,
        roles: Vec<Role>,
        attendance: Attendance,
        keeper: &mut Keeper,
    ) -> Result<Ending> {
        let mut devices = Vec::with_capacity(roles.len());
        let mut parts = Vec::with_capacity(roles.len());
        let mut measured = Vec::with_capacity(roles.len());
        for Role { device, mut part } in roles {
            part.absent = part.absent.or_else(|| self.roster.absent(device).map(str::to_owned));
            if let (None, Ok(first)) = (&part.absent, u32::try_from(part.clients.start)) {
                measured.push((device, first));
            }
            devices.push(device);
            parts.push(part);
        }
        let traffic = TrafficMeter::new(measured);
        let mut session = Session::new(plan.clone(), parts, attendance, self.now());
        let cut_short = self.attend(&mut session, &devices, traffic, keeper).await?;
        self.live.finish();
        if let Some(reason) = session.not_started() {
            bail!("{reason}");
        }
        Ok(match session.ending() {
            Ending::Finished if cut_short => {
                let at =
                    session.started_at().map_or(Moment::START, |at| Moment::from_nanos(self.now().saturating_sub(at)));
                Ending::Interrupted { at, by: "a second interrupt".to_owned() }
            }
            ending => ending,
        })
    }

    /// Ends all agents and the server.
    pub(super) async fn end(self) {
        self.roster.end().await;
        if let Some(server) = self.server {
            server.end().await;
        }
    }

    /// Says something that a person should know now.
    pub(super) fn note(&mut self, text: &str) {
        self.live.note(text);
    }

    /// The one loop. Says whether the run was cut short, so that not everybody was heard out.
    async fn attend(
        &mut self,
        session: &mut Session,
        devices: &[usize],
        mut traffic: TrafficMeter,
        keeper: &mut Keeper,
    ) -> Result<bool> {
        let mut second = interval(Duration::from_secs(1));
        second.set_missed_tick_behavior(MissedTickBehavior::Skip);
        loop {
            while let Some(action) = session.poll_action() {
                match action {
                    Action::Send(part, message) => self.roster.send(devices[part], &message)?,
                    Action::Record(event) => keeper.record(&as_shaped(event, self.lab)),
                    Action::Dismiss(part) => self.roster.lose(devices[part], "it was given up before".to_owned()),
                }
            }
            traffic.update(session, &self.roster, self.now()).iter().for_each(|event| keeper.record(event));
            if session.is_over() {
                return Ok(false);
            }
            if keeper.is_lost() {
                session.stop("the run file could not be written", self.now());
            }
            let due = session.poll_timeout().into_iter().chain(traffic.poll_timeout(session)).min();
            let timeout = due
                .map_or_else(|| Instant::now() + Duration::from_secs(3600), |at| self.epoch + Duration::from_nanos(at));
            tokio::select! {
                heard = self.roster.hear() => match heard {
                    Some((device, heard)) => self.take(session, devices, device, heard),
                    None => return Ok(true),
                },
                () = sleep_until(timeout.into()) => session.handle_timeout(self.now()),
                wish = self.signals.next() => {
                    let wanted = wish != Wish::HungUp || !session.is_stopping();
                    if wanted && self.stop_or_end(session, wish.by()) { return Ok(true) }
                }
                pressed = self.live.pressed() => match pressed {
                    Pressed::End(by) => if self.stop_or_end(session, by) { return Ok(true) },
                    Pressed::Elsewhere => self.show(session, keeper),
                },
                reason = gone(self.server.as_mut()), if self.server_gone.is_none() => {
                    self.server_gone = Some(reason.clone());
                    if session.started_at().is_none() {
                        bail!("{reason}");
                    }
                    self.live.note(&reason);
                    keeper.record(&RunEvent::ServerLost { client: None, reason });
                }
                _ = second.tick() => self.show(session, keeper),
            }
        }
    }

    fn show(&mut self, session: &Session, keeper: &Keeper) {
        let since_start = session.started_at().map(|at| self.now().saturating_sub(at));
        self.live.show(keeper.run(), since_start);
    }

    fn take(&mut self, session: &mut Session, devices: &[usize], device: usize, heard: Heard) {
        let now = self.now();
        let part = devices.iter().position(|of| *of == device);
        match (heard, part) {
            (Heard::Message(message), Some(part)) => session.handle_message(part, message, now),
            // It has no part in this run, and nothing to say.
            (Heard::Message(_), None) => self.roster.lose(device, "it spoke out of turn".to_owned()),
            (Heard::Gone(reason), Some(part)) => session.handle_gone(part, &reason, now),
            (Heard::Gone(_), None) => {}
            (Heard::Note(note), _) => self.live.note(&note),
        }
    }

    /// The first time a person interrupts, the load stops and what is known is told; the second time, it ends. Says
    /// whether to end.
    fn stop_or_end(&mut self, session: &mut Session, by: &str) -> bool {
        if session.is_stopping() {
            return true;
        }
        self.live.note(&format!("{by}: finishing what is under way; once more to stop at once"));
        session.stop(by, self.now());
        false
    }

    /// The controller's clock, in nanoseconds.
    fn now(&self) -> u64 {
        u64::try_from(self.epoch.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }
}

/// A lab sets its congestion control by route, which a host's own settings do not show.
fn as_shaped(mut event: RunEvent, lab: Option<&Lab>) -> RunEvent {
    if let (RunEvent::Environment { facts, .. }, Some(lab)) = (&mut event, lab) {
        facts.insert("congestion_control".to_owned(), lab.congestion_control().to_string());
    }
    event
}

async fn gone(server: Option<&mut LocalServer>) -> String {
    match server {
        Some(server) => server.gone().await,
        None => std::future::pending().await,
    }
}

/// What the kernel counted on the lab's radios.
pub(super) fn links(scenario: &Scenario, lab: Option<&Lab>) -> Result<Vec<LinkRecord>> {
    let (Some(lab), Some(plan)) = (lab, &scenario.lab) else { return Ok(Vec::new()) };
    let counters = lab.counters()?;
    let links = plan.radios.iter().zip(counters).enumerate().map(|(i, (radio, counted))| LinkRecord {
        name: radio.name.clone(),
        clients: scenario
            .devices
            .iter()
            .filter(|device| matches!(device.via, Via::Lab { radio } if radio == i))
            .flat_map(|device| device.clients.clone())
            .filter_map(|client| u32::try_from(client).ok())
            .collect(),
        rate_bps: radio.rate.as_bps(),
        queue: radio.queue,
        bytes: counted.bytes,
        packets: counted.packets,
        drops: counted.drops,
    });
    Ok(links.collect())
}
