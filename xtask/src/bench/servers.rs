//! The three servers, each on a port of its own on 127.0.0.1, for as long as the value lives.

use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use tempfile::TempDir;

use super::peers::Server;
use super::process::Running;

/// A server that runs.
pub(crate) struct Serving {
    pub(crate) kind: Server,
    pub(crate) port: u16,
    pub(crate) process: Running,
    /// What nginx serves, and where it keeps its own files.
    _folder: TempDir,
}

impl Serving {
    /// Starts `program`, which is `kind`, ready to give objects of the given sizes.
    pub(crate) fn start(kind: Server, program: &Path, sizes: &[u32]) -> Result<Self> {
        let folder = tempfile::tempdir().context("cannot make a temporary folder")?;
        let port = free_port()?;
        let mut command = Command::new(program);
        match kind {
            Server::Netburn => super::ours::serve(&mut command, port),
            Server::Nginx => {
                prepare_nginx(folder.path(), port, sizes)?;
                command.arg("-p").arg(folder.path()).args(["-e", "stderr", "-c", "nginx.conf"]);
            }
            Server::Iperf3 => {
                command.args(["-s", "-B", "127.0.0.1", "-p", &port.to_string()]);
            }
        }
        let process = Running::start_server(command, SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
        Ok(Self { kind, port, process, _folder: folder })
    }
}

/// A port that nobody listens on at this moment. Peers cannot all be told to take any port and say which.
fn free_port() -> Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("no free port on 127.0.0.1")?;
    Ok(listener.local_addr()?.port())
}

fn prepare_nginx(folder: &Path, port: u16, sizes: &[u32]) -> Result<()> {
    for size in sizes {
        std::fs::write(folder.join(size.to_string()), incompressible(*size)).context("cannot write nginx's files")?;
    }
    std::fs::write(folder.join("nginx.conf"), nginx_configuration(port)).context("cannot write nginx's configuration")
}

/// One process, no log, kernel-side sending: nginx as it does best.
fn nginx_configuration(port: u16) -> String {
    format!(
        "daemon off; master_process off; worker_processes 1; pid nginx.pid; error_log stderr warn;
events {{ worker_connections 256; }}
http {{
  access_log off; sendfile on; tcp_nopush on; tcp_nodelay on;
  keepalive_requests 1000000000; keepalive_timeout 300s;
  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  server {{ listen 127.0.0.1:{port}; location / {{ root .; }} }}
}}
"
    )
}

/// Bytes that no compressor makes smaller: a multiplicative congruential generator's upper bits.
fn incompressible(size: u32) -> Vec<u8> {
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    let next = || {
        // Knuth's MMIX parameters (TAOCP 2, §3.3.4).
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    std::iter::repeat_with(next).take(usize::try_from(size).unwrap_or(0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nginx_serves_on_loopback_only_and_stays_in_its_folder() {
        let configuration = nginx_configuration(8123);
        assert!(configuration.contains("listen 127.0.0.1:8123;"), "{configuration}");
        assert!(!configuration.contains(" /var"), "{configuration}");
        assert_eq!(configuration.matches('{').count(), configuration.matches('}').count());
    }

    #[test]
    fn payload_has_its_size_and_every_byte_value_about_equally_often() {
        let bytes = incompressible(256 * 256);
        assert_eq!(bytes.len(), 65_536);
        for value in 0..=255_u8 {
            let count = bytes.iter().filter(|byte| **byte == value).count();
            // Binomial(65536, 1/256): mean 256, standard deviation 16; six of them either way.
            assert!((160..=352).contains(&count), "{value}: {count}");
        }
    }
}
