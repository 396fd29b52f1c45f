//! One device after all there is to ask of it, and all of them at once.

use std::fs::File;
use std::io::{Write, stderr};
use std::time::{Duration, Instant};

use anyhow::Result;
use futures_util::stream::{FuturesOrdered, StreamExt};
use netburn_lab::Lab;
use tokio::sync::Mutex;

use super::conversation::Conversation;
use super::diagnosis::diagnose;
use super::evidence::Evidence;
use super::text::short;
use super::{CheckOptions, DeviceReport};
use crate::controller::ground::Ground;
use crate::facts::VERSION_LINE;
use crate::fleet::link::Link;
use crate::fleet::ssh::{
    Cause, Destination, Login, LoginError, LoginOptions, RemoteCommand, Sockets, install, watch_login,
};
use crate::scenario::{Device, Scenario, Via};

/// Commands through the socket that are timed; the median counts.
const COMMANDS: usize = 5;
/// How long a command may take, and a login that is looked at.
const PATIENCE: Duration = Duration::from_secs(30);
const PATIENCE_FOR_SLOW: Duration = Duration::from_secs(60);

/// What all devices have in common.
struct Checking<'a> {
    scenario: &'a Scenario,
    options: &'a CheckOptions,
    ground: Ground<'a>,
    sockets: Option<Sockets>,
    /// Whoever holds it may ask the person at the terminal.
    person: Mutex<()>,
}

/// Checks all devices at once.
pub(super) async fn check_all(
    scenario: &Scenario,
    lab: Option<&Lab>,
    options: &CheckOptions,
) -> Result<Vec<DeviceReport>> {
    let by_ssh = scenario.devices.iter().any(|device| matches!(device.via, Via::Ssh(_)));
    let sockets = by_ssh.then(Sockets::open).transpose()?;
    let ground = Ground::prepare(scenario, lab).await?;
    let checking = Checking { scenario, options, ground, sockets, person: Mutex::new(()) };
    let devices: FuturesOrdered<_> = (0..scenario.devices.len()).map(|number| checking.device(number)).collect();
    let reports = devices.collect::<Vec<_>>().await;
    checking.ground.end().await;
    Ok(reports.into_iter().flatten().collect())
}

impl Checking<'_> {
    /// Nothing where there is no such device.
    async fn device(&self, number: usize) -> Option<DeviceReport> {
        let device = self.scenario.devices.get(number)?;
        let mut report =
            DeviceReport { name: device.name.clone(), via: place(device, self.scenario), ..DeviceReport::default() };
        let outcome = match &device.via {
            Via::Join => {
                report.joins = true;
                return Some(report);
            }
            Via::Local | Via::Lab { .. } => self.own(number, device, &mut report).await,
            Via::Ssh(destination) => self.by_ssh(destination, device, &mut report).await,
        };
        if let Err(problem) = outcome {
            report.problems.push(problem);
        }
        let end = report.problems.first().map_or_else(|| "fit to run".to_owned(), Clone::clone);
        self.say(&report.name, &end);
        Some(report)
    }

    async fn own(&self, number: usize, device: &Device, report: &mut DeviceReport) -> Result<(), String> {
        let link = self.ground.own_agent(number, &device.via).map_err(|error| format!("{error:#}"))?;
        report.version = Some(VERSION_LINE.clone());
        report.server = self.ground.url_for(&device.via, None);
        self.agent(link, device, report).await
    }

    async fn by_ssh(
        &self,
        destination: &Destination,
        device: &Device,
        report: &mut DeviceReport,
    ) -> Result<(), String> {
        let Some(sockets) = &self.sockets else { return Err("there is no folder for control sockets".to_owned()) };
        self.say(&report.name, &format!("logging in to {destination}"));
        let options = LoginOptions::from_environment(false);
        let (login, asked) = self.log_in(destination, sockets, &options).await.map_err(|error| error.to_string())?;
        report.login = (!asked).then(|| login.took());
        let outcome = self.logged_in(&login, device, report).await;
        // The shell's start files are part of each command, not of the login.
        if report.login.is_some_and(|took| took.max(report.command.unwrap_or_default()) > self.options.slow) {
            self.say(&report.name, &format!("the login took {}: looking why", short(login.took())));
            let watched = watch_login(destination, &options, PATIENCE_FOR_SLOW).await;
            let set_up = login.run(&RemoteCommand::LoginSetUp, &[], PATIENCE).await;
            let evidence = Evidence::collect(&set_up.map(|output| output.stdout).unwrap_or_default());
            report.slow_login = watched.ok().map(|lines| diagnose(&lines, &evidence, destination.host()));
        }
        login.close().await;
        outcome
    }

    /// Logs in without asking anybody; where that does not do and a person is there, one device after the other with
    /// their help. Says whether they were asked.
    async fn log_in(
        &self,
        destination: &Destination,
        sockets: &Sockets,
        options: &LoginOptions,
    ) -> Result<(Login, bool), LoginError> {
        let alone = Login::open(destination, sockets, options).await;
        let may_help = matches!(
            &alone,
            Err(LoginError::Failed { cause: Cause::PermissionDenied { .. } | Cause::HostKeyUnknown, .. })
        );
        if !may_help || File::open("/dev/tty").is_err() {
            return alone.map(|login| (login, false));
        }
        let _person = self.person.lock().await;
        let asking = LoginOptions { interactive: true, ..options.clone() };
        Login::open(destination, sockets, &asking).await.map(|login| (login, true))
    }

    async fn logged_in(&self, login: &Login, device: &Device, report: &mut DeviceReport) -> Result<(), String> {
        let mut took = Vec::with_capacity(COMMANDS);
        for _ in 0..COMMANDS {
            let began = Instant::now();
            login.run(&RemoteCommand::Nothing, &[], PATIENCE).await.map_err(|error| error.to_string())?;
            took.push(began.elapsed());
        }
        took.sort_unstable();
        report.command = took.get(COMMANDS / 2).copied();
        let installed = install(login, self.options.push).await.map_err(|error| error.to_string())?;
        report.version = Some(installed.version);
        report.pushed = installed.pushed.map(|pushed| (pushed.bytes, pushed.took));
        report.server = self.ground.url_for(&device.via, installed.seen_from);
        let link = login.link(&installed.agent).map_err(|error| format!("{error:#}"))?;
        self.agent(link, device, report).await
    }

    /// Asks the agent, whichever way it is reached.
    async fn agent(&self, link: Link, device: &Device, report: &mut DeviceReport) -> Result<(), String> {
        self.say(&report.name, "comparing clocks, reaching the server");
        let task = report.server.clone().map(|url| self.ground.assignment(device, url));
        let heard = Conversation::new(link).hold(task).await?;
        report.facts = heard.facts;
        report.clock = heard.clock;
        report.reaches_server = heard.server.as_ref().map(Result::is_ok);
        match heard.server {
            Some(Ok(())) => Ok(()),
            Some(Err(reason)) => Err(reason),
            None => Err(
                "it is not known under which address it reaches this machine: write server = \"local:ADDRESS\" into the scenario"
                    .to_owned(),
            ),
        }
    }

    /// A line of progress. A terminal that went away must not end the check.
    fn say(&self, name: &str, line: &str) {
        if self.options.progress {
            let _ = writeln!(stderr(), "netburn: {name}: {line}");
        }
    }
}

fn place(device: &Device, scenario: &Scenario) -> String {
    match &device.via {
        Via::Local => "local".to_owned(),
        Via::Lab { radio } => {
            let radios = scenario.lab.as_ref().map_or(&[][..], |lab| &lab.radios);
            format!("lab {}", radios.get(*radio).map_or("", |radio| radio.name.as_str()))
        }
        Via::Ssh(destination) => format!("ssh {destination}"),
        Via::Join => "join".to_owned(),
    }
}
