//! `netburn serve`: the back-end server alone, for real networks.

use std::io::Read;
use std::net::SocketAddr;
use std::os::fd::AsFd;

use anyhow::{Context, Result};
use netburn_io::server::{Door, Policy, Server, ServerOptions, Summary};
use tokio::signal::unix::{SignalKind, signal};

use super::{Failure, print, say};
use crate::addresses;
use crate::cli::Serve;
use crate::exit::Exit;
use crate::facts::{self, Interface};

pub(super) fn serve(args: &Serve) -> Result<Exit, Failure> {
    run(args).map_err(|error| Failure::could_not(&error))?;
    Ok(Exit::Good)
}

fn run(args: &Serve) -> Result<()> {
    let mut policy = Policy::default();
    if let Some(max_reply) = args.max_reply {
        policy.max_reply_bytes = max_reply.as_bytes();
    }
    if let Some(max_connections) = args.max_connections {
        policy.max_connections = max_connections;
    }
    let interface = match args.listen.ip() {
        ip if ip.is_unspecified() => Interface::Unknown,
        ip => Interface::Of(ip),
    };
    let options = ServerOptions {
        listen: args.listen,
        policy,
        congestion: args.congestion.clone(),
        program: facts::PROGRAM.to_owned(),
        environment: facts::collect(interface),
        door: args.door.then(door).transpose()?,
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(cores.min(4))
        .thread_name("netburn-serve")
        .enable_all()
        .build()
        .context("cannot start the server")?;
    runtime.block_on(async {
        let server = Server::bind(options)?;
        announce(server.local_addr(), args.quiet);
        let summary = server.run(end(args.until_stdin_closes)).await;
        say(args.quiet || args.until_stdin_closes, &farewell(&summary));
        anyhow::Ok(())
    })?;
    Ok(())
}

/// The door of a controller's server is its stdin, so that no descriptor is handed down by number.
fn door() -> Result<Door> {
    let socket = std::io::stdin().as_fd().try_clone_to_owned();
    Ok(Door::new(socket.context("cannot use stdin as the door that --door names")?))
}

/// Tells where to reach the server. The first line is for programs too: its word that begins with http:// is the address.
fn announce(address: SocketAddr, quiet: bool) {
    print(&format!("Serving on http://{address} until Ctrl-C."));
    let reachable = match address.ip() {
        ip if ip.is_unspecified() => addresses::own(),
        ip => vec![ip],
    };
    for ip in reachable.into_iter().filter(|ip| !ip.is_loopback()) {
        let server = SocketAddr::new(ip, address.port());
        say(quiet, &format!("  From a device there: netburn client --server http://{server} --run browsing,voip"));
    }
}

/// What came of it all, for the person who ends the server.
fn farewell(summary: &Summary) -> String {
    let Summary { connections, requests, payload_bytes, .. } = summary;
    let counted = |n: u64, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let mut text = format!(
        "Served {} in {} on {}.",
        counted(*payload_bytes, "byte"),
        counted(*requests, "request"),
        counted(*connections, "connection")
    );
    for (count, what) in [
        (summary.turned_away, "turned away, all places being taken (--max-connections)"),
        (summary.cut_off, "cut off for being too slow"),
        (summary.interrupted, "interrupted by the end"),
        (summary.broken, "broken by a fault of this program"),
    ] {
        if count > 0 {
            text.push_str(&format!(" {count} {what}."));
        }
    }
    text
}

/// Completes when the server should end.
async fn end(until_stdin_closes: bool) {
    let (Ok(mut interrupt), Ok(mut terminate)) = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return;
    };
    let lifeline = async {
        if until_stdin_closes {
            closed().await;
        } else {
            std::future::pending::<()>().await;
        }
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
        () = lifeline => {}
    }
}

/// Completes when stdin is closed. A thread reads it: the runtime has no other way to a pipe's end, and nothing
/// depends on when the thread ends.
async fn closed() {
    let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        let _held = sender;
        let mut stdin = std::io::stdin();
        let mut buffer = [0; 64];
        while matches!(stdin.read(&mut buffer), Ok(1..)) {}
    });
    // An error means that the sender was dropped, which is what is waited for.
    let _ = receiver.await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_farewell_counts_as_a_person_does() {
        let summary = Summary { connections: 1, requests: 2, payload_bytes: 2500, cut_off: 3, ..Summary::default() };
        assert_eq!(
            farewell(&summary),
            "Served 2500 bytes in 2 requests on 1 connection. 3 cut off for being too slow."
        );
    }
}
