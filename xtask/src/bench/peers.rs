//! The programs that stand beside ours: where they are, and how they are asked to do the same job.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use super::transfer::{self, Transfer};

/// One bulk job: fetch objects of one size over so many connections, for so long, from 127.0.0.1.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Job {
    pub(crate) port: u16,
    pub(crate) object_bytes: u32,
    pub(crate) connections: u32,
    pub(crate) seconds: u32,
}

impl Job {
    /// After this time a client hangs.
    pub(crate) fn limit(&self) -> Duration {
        Duration::from_secs(u64::from(self.seconds) + 20)
    }
}

/// A client that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Client {
    Netburn,
    Wrk,
    Ab,
    Oha,
    Iperf3,
}

/// A server that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Server {
    Netburn,
    Nginx,
    Iperf3,
}

/// Who fetches from whom. HTTP clients fetch from our server and, as a control, from nginx.
pub(crate) const PAIRS: [(Client, Server); 9] = [
    (Client::Netburn, Server::Netburn),
    (Client::Wrk, Server::Netburn),
    (Client::Ab, Server::Netburn),
    (Client::Oha, Server::Netburn),
    (Client::Netburn, Server::Nginx),
    (Client::Wrk, Server::Nginx),
    (Client::Ab, Server::Nginx),
    (Client::Oha, Server::Nginx),
    (Client::Iperf3, Server::Iperf3),
];

impl Client {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Netburn => "netburn",
            Self::Wrk => "wrk",
            Self::Ab => "ab",
            Self::Oha => "oha",
            Self::Iperf3 => "iperf3",
        }
    }

    /// How `program`, which is this client, is asked to do `job` against `server`. One thread wherever the program lets itself be asked
    /// for that, so that what is compared is the cost of a byte and not the number of cores.
    pub(crate) fn command(self, program: &Path, job: &Job, server: Server) -> Command {
        let url = format!("http://127.0.0.1:{}{}", job.port, server.path(job.object_bytes));
        let connections = job.connections.to_string();
        let mut command = Command::new(program);
        match self {
            Self::Netburn => super::ours::bulk(&mut command, job, server),
            Self::Wrk => {
                command.args(["-t1", "-c", &connections, "-d", &format!("{}s", job.seconds), &url]);
            }
            Self::Ab => {
                // -t alone would mean at most 50,000 requests.
                let seconds = job.seconds.to_string();
                command.args(["-q", "-k", "-c", &connections, "-t", &seconds, "-n", "5000000", &url]);
            }
            Self::Oha => {
                let time = format!("{}s", job.seconds);
                command.args(["--no-tui", "--output-format", "json", "-c", &connections, "-z", &time, &url]);
                command.env("TOKIO_WORKER_THREADS", "1");
            }
            Self::Iperf3 => {
                // -R: the server sends, as in a download. The length of a write is the nearest thing to an object.
                let (port, length) = (job.port.to_string(), job.object_bytes.to_string());
                command.args(["-c", "127.0.0.1", "-p", &port, "-R", "-J", "-P", &connections, "-l", &length]);
                command.args(["-t", &job.seconds.to_string()]);
            }
        }
        command
    }

    /// What the client says that it moved.
    pub(crate) fn transfer(self, report: &str, job: &Job) -> Result<Transfer> {
        match self {
            Self::Netburn => super::ours::bulk_transfer(report),
            Self::Wrk => transfer::wrk(report, f64::from(job.object_bytes)),
            Self::Ab => transfer::ab(report),
            Self::Oha => transfer::oha(report, f64::from(job.object_bytes)),
            Self::Iperf3 => transfer::iperf3(report),
        }
    }
}

impl Server {
    pub(crate) const ALL: [Self; 3] = [Self::Netburn, Self::Nginx, Self::Iperf3];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Netburn => "netburn",
            Self::Nginx => "nginx",
            Self::Iperf3 => "iperf3",
        }
    }

    /// Where an object of this size is.
    pub(crate) fn path(self, object_bytes: u32) -> String {
        match self {
            Self::Netburn => format!("/netburn/v1/bytes/{object_bytes}"),
            Self::Nginx | Self::Iperf3 => format!("/{object_bytes}"),
        }
    }
}

/// Where the program `name` is: in one of `folders`, or where the shell would find it, or where a system keeps its servers.
pub(crate) fn find(name: &str, folders: &[PathBuf]) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let system = [PathBuf::from("/usr/sbin"), PathBuf::from("/usr/local/sbin")];
    let places = folders.iter().cloned().chain(std::env::split_paths(&path)).chain(system);
    places.map(|folder| folder.join(name)).find(|program| program.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    const JOB: Job = Job { port: 8080, object_bytes: 131_072, connections: 10, seconds: 3 };

    fn arguments(client: Client, server: Server) -> String {
        let command = client.command(Path::new("x"), &JOB, server);
        command.get_args().map(|a| a.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn every_peer_is_asked_for_the_same_job() {
        let ours = "http://127.0.0.1:8080/netburn/v1/bytes/131072";
        assert_eq!(arguments(Client::Wrk, Server::Netburn), format!("-t1 -c 10 -d 3s {ours}"));
        assert_eq!(arguments(Client::Ab, Server::Netburn), format!("-q -k -c 10 -t 3 -n 5000000 {ours}"));
        let nginx = arguments(Client::Oha, Server::Nginx);
        assert_eq!(nginx, "--no-tui --output-format json -c 10 -z 3s http://127.0.0.1:8080/131072");
        let iperf3 = arguments(Client::Iperf3, Server::Iperf3);
        assert_eq!(iperf3, "-c 127.0.0.1 -p 8080 -R -J -P 10 -l 131072 -t 3");
    }

    #[test]
    fn programs_are_found_in_the_given_folders_first() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("sh"), "").unwrap();
        let folders = [folder.path().to_owned()];
        assert_eq!(find("sh", &folders), Some(folder.path().join("sh")));
        assert!(find("sh", &[]).is_some_and(|program| program.ends_with("sh")));
        assert_eq!(find("no-such-program-anywhere", &folders), None);
    }
}
