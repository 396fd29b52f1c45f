//! Devices by `ssh`: all logins one after the other, since each may have a question for the person, then all agents at once.

use std::fs::File;
use std::io::{Write, stderr};

use tokio::task::JoinSet;

use super::reach;
use crate::fleet::link::Link;
use crate::fleet::ssh::{Destination, Installed, Login, LoginOptions, Push, PushedBinary, Sockets, install};

/// A device with an agent.
#[derive(Debug)]
pub(super) struct Reached {
    /// The host by which it reaches this machine, where that could be found out.
    pub(super) host: Option<String>,
    /// The stream to its agent.
    pub(super) link: Link,
}

/// Logins that are to last as long as the run.
#[derive(Debug, Default)]
pub(super) struct Logins {
    logins: Vec<Login>,
    _sockets: Option<Sockets>,
}

impl Logins {
    /// Logs out everywhere.
    pub(super) async fn close(self) {
        let mut closing: JoinSet<()> = self.logins.into_iter().map(Login::close).collect();
        while closing.join_next().await.is_some() {}
    }
}

/// Logs in to all of these devices, and sees to it that this netburn is there. Each has its name, and its own outcome.
pub(super) async fn reach(
    devices: Vec<(String, Destination)>,
    push: bool,
    progress: bool,
) -> (Logins, Vec<Result<Reached, String>>) {
    if devices.is_empty() {
        return (Logins::default(), Vec::new());
    }
    let sockets = match Sockets::open() {
        Ok(sockets) => sockets,
        Err(error) => return (Logins::default(), devices.iter().map(|_| Err(error.to_string())).collect()),
    };
    // ssh asks on the terminal that it was started from, whatever its streams are.
    let push = if push { Push::Allowed } else { Push::Forbidden };
    let options = LoginOptions::from_environment(File::open("/dev/tty").is_ok());
    let mut opened = Vec::with_capacity(devices.len());
    for (name, destination) in &devices {
        say(progress, &format!("{name}: logging in to {destination}"));
        opened.push(Login::open(destination, &sockets, &options).await.map_err(|error| error.to_string()));
    }
    let mut installs = JoinSet::new();
    for (number, ((name, destination), login)) in devices.into_iter().zip(opened).enumerate() {
        installs.spawn(async move {
            let login = match login {
                Ok(login) => login,
                Err(error) => return (number, None, Err(error)),
            };
            let reached = match install(&login, push).await {
                Ok(installed) => {
                    say(progress, &format!("{name}: {}", ready(&installed)));
                    // Its name may have to be looked up, which takes its time.
                    let (seen_from, host) = (installed.seen_from, destination.host().to_owned());
                    let host = tokio::task::spawn_blocking(move || reach::host_for(seen_from, &host)).await;
                    Ok((host.ok().flatten(), installed.agent))
                }
                Err(error) => Err(error.to_string()),
            };
            (number, Some(login), reached)
        });
    }
    let mut done = installs.join_all().await;
    done.sort_unstable_by_key(|(number, ..)| *number);
    let mut logins = Logins { logins: Vec::new(), _sockets: Some(sockets) };
    let outcomes = done.into_iter().map(|(_, login, reached)| {
        let reached = reached.and_then(|(host, agent)| {
            let Some(login) = &login else { return Err("its login is gone".to_owned()) };
            let link = login.link(&agent).map_err(|error| format!("{error:#}"))?;
            Ok(Reached { host, link })
        });
        logins.logins.extend(login);
        reached
    });
    let outcomes = outcomes.collect();
    (logins, outcomes)
}

/// What a person wants to know of a device that has what it needs.
fn ready(installed: &Installed) -> String {
    match &installed.pushed {
        Some(PushedBinary { bytes, took, arch, .. }) => {
            let (whole, tenths) = (bytes / 1_000_000, bytes % 1_000_000 / 100_000);
            format!(
                "ready; copied netburn for {} there ({whole}.{tenths} MB in {:.1} s)",
                arch.name(),
                took.as_secs_f64()
            )
        }
        None => "ready; it has this netburn already".to_owned(),
    }
}

/// A line of progress. A terminal that went away must not end the run.
pub(super) fn say(progress: bool, line: &str) {
    if progress {
        let _ = writeln!(stderr(), "netburn: {line}");
    }
}
