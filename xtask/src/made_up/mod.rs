//! `cargo xtask made-up`: the file of a run that never took place, for trying what reads run files.
//!
//! The load comes from the engine that real runs have, driven through a seeded model of each client's link: so everything in
//! the file adds up as it does in a real one. The same arguments make the same file, byte for byte. It takes no network, no
//! privilege and no time, and may be of two hundred clients and an hour.

mod client;
mod household;
mod link;
mod names;
mod radio;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use burn_model::plan::Plan;
use burn_model::record::{
    ClientState, ClockRecord, ControlRecord, DeviceRecord, Ending, FORMAT, Header, Phase, RunEvent, ServerUsageRecord,
};
use burn_model::time::Moment;

use client::Client;

/// What to make up.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The file to write.
    out: PathBuf,
    /// How many clients take part: laptop, TV, phone, desktop, and again.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=1000))]
    clients: u32,
    /// How long the judged time is; 0.5 is half a minute.
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    /// Everything that is drawn is drawn from it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Names, networks and reasons are full of markup, orders to terminals and formulas.
    #[arg(long)]
    hostile: bool,
    /// Every single operation stands in the file too.
    #[arg(long)]
    keep_operations: bool,
}

/// Makes up a run of so many clients and minutes.
pub(crate) fn make(file: &Path, clients: u32, minutes: f64, keep_operations: bool) -> Result<()> {
    run(&Arguments { out: file.to_owned(), clients, minutes, seed: 1, hostile: false, keep_operations })
}

pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let plan = household::plan(arguments)?;
    let file = File::create(&arguments.out).with_context(|| format!("cannot create {}", arguments.out.display()))?;
    let mut out = RunFile(BufWriter::new(file));
    write(&plan, arguments.hostile, &mut out).with_context(|| format!("cannot write {}", arguments.out.display()))
}

/// The file, one event a line.
struct RunFile<W: Write>(W);

impl<W: Write> RunFile<W> {
    fn put(&mut self, event: &RunEvent) -> Result<()> {
        serde_json::to_writer(&mut self.0, event)?;
        self.0.write_all(b"\n")?;
        Ok(())
    }

    fn state(&mut self, client: u32, state: ClientState, at: Option<Moment>) -> Result<()> {
        self.put(&RunEvent::Client { client, state, at })
    }
}

/// The whole run, second by second.
fn write(plan: &Plan, hostile: bool, out: &mut RunFile<impl Write>) -> Result<()> {
    let mut clients = Vec::new();
    for (number, _) in (0_u32..).zip(&plan.clients) {
        clients.push(Client::new(plan, number, hostile).context("the plan has fewer clients than it says")?);
    }
    begin(plan, hostile, &clients, out)?;
    let end = (plan.end() + plan.drain()).second();
    for second in 0..=end {
        for client in &mut clients {
            for event in client.second(second) {
                out.put(&event)?;
            }
        }
        let (from, to) = (Moment::from_secs(second), Moment::from_secs(second + 1));
        let longest_pause = Duration::from_micros(180);
        out.put(&RunEvent::ServerUsage(ServerUsageRecord {
            from,
            to,
            busiest_thread_cpu: 0.21,
            machine_cpu: Some(0.3),
            longest_pause,
        }))?;
    }
    for client in &mut clients {
        for event in client.rest() {
            out.put(&event)?;
        }
    }
    finish(plan, &clients, out)?;
    out.0.flush()?;
    Ok(())
}

fn begin(plan: &Plan, hostile: bool, clients: &[Client], out: &mut RunFile<impl Write>) -> Result<()> {
    let remark = "This run was made up: no network was measured.";
    out.put(&RunEvent::Opened(Box::new(Header {
        format: FORMAT,
        program: "netburn 0.1.0".to_owned(),
        run: format!("{:032x}", u128::from(plan.seed_for("run"))),
        started_at: "2026-11-21T12:00:00Z".to_owned(),
        verified_server: true,
        server: "http://192.0.2.1:8080".to_owned(),
        digest: plan.digest(),
        plan: plan.clone(),
        scenario: hostile.then(|| names::TEXT.to_owned()),
        remarks: if hostile { vec![remark.to_owned(), names::TEXT.to_owned()] } else { vec![remark.to_owned()] },
    })))?;
    let system = if hostile { names::TEXT } else { "linux x86_64" };
    let facts =
        [("system", system), ("kernel", "6.1.0"), ("congestion_control", "cubic"), ("program", "netburn 0.1.0")];
    let facts: BTreeMap<String, String> = facts.map(|(key, value)| (key.to_owned(), value.to_owned())).into();
    for host in ["controller", "server"] {
        out.put(&RunEvent::Environment { host: host.to_owned(), facts: facts.clone() })?;
    }
    for client in clients {
        let name = client.name().to_owned();
        out.put(&RunEvent::Device(DeviceRecord {
            name: name.clone(),
            via: format!("ssh {name}"),
            clients: vec![client.number],
        }))?;
    }
    for client in clients {
        let number = client.number;
        out.state(number, ClientState::Joined, None)?;
        out.put(&clock(number, Phase::Before, Duration::from_secs(1)))?;
        out.state(number, ClientState::Armed, None)?;
        let start_lateness = Duration::from_micros(120 + 7 * u64::from(number % 13));
        out.state(number, ClientState::Running { start_lateness }, Some(Moment::START))?;
    }
    Ok(())
}

fn finish(plan: &Plan, clients: &[Client], out: &mut RunFile<impl Write>) -> Result<()> {
    for client in clients.iter().filter(|client| !client.is_lost()) {
        let number = client.number;
        out.put(&clock(number, Phase::After, plan.end().since_start() + plan.drain()))?;
        let span = plan.end().since_start();
        // Some 400 bytes a second, as a real run has.
        let from_agent_bytes = 400 * span.as_secs();
        out.put(&RunEvent::Control(ControlRecord { client: number, to_agent_bytes: 2_000, from_agent_bytes, span }))?;
        out.state(number, ClientState::Done, Some(plan.end() + plan.drain()))?;
    }
    out.put(&RunEvent::Closed { ending: Ending::Finished })
}

fn clock(client: u32, phase: Phase, from_start: Duration) -> RunEvent {
    RunEvent::Clock(ClockRecord {
        client,
        offset_ns: 1_500_000_000 + i64::from(client),
        uncertainty: Duration::from_micros(140),
        phase,
        from_start_ns: u64::try_from(from_start.as_nanos()).ok(),
    })
}

#[cfg(test)]
mod tests;
