//! The listening socket.

use std::io;
use std::net::{SocketAddr, TcpListener};

use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::socket::{setsockopt, sockopt};
use socket2::{Domain, Protocol, Socket, Type};

/// Connections that the kernel completes ahead of us; it caps this at `net.core.somaxconn`.
const BACKLOG: i32 = 1024;

/// Why the server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum BindError {
    /// Another program has the port.
    #[error(
        "cannot listen on {address}: another program uses port {port} (`ss -ltnp 'sport = :{port}'` tells which); \
         stop it, or listen on another port", port = .address.port()
    )]
    InUse {
        /// Where the server should have listened.
        address: SocketAddr,
    },
    /// No interface of this machine has the address.
    #[error(
        "cannot listen on {address}: no network interface of this machine has that address (`ip address` lists them); \
         0.0.0.0 listens on all"
    )]
    NotHere {
        /// Where the server should have listened.
        address: SocketAddr,
    },
    /// The user may not listen there.
    #[error("cannot listen on {address}: not permitted; ports below 1024 need privileges, choose a higher one")]
    Denied {
        /// Where the server should have listened.
        address: SocketAddr,
    },
    /// The kernel does not offer that congestion control.
    #[error("cannot use congestion control {name:?} ({source}); this kernel offers: {available}")]
    Congestion {
        /// What was asked for.
        name: String,
        /// What the kernel offers, separated by spaces.
        available: String,
        /// What the kernel said.
        source: io::Error,
    },
    /// The system gave no random bytes for the payload.
    #[error("cannot read random bytes from /dev/urandom: {0}")]
    Random(#[source] io::Error),
    /// Called where no async runtime runs.
    #[error("the server must be started inside a tokio runtime")]
    NoRuntime,
    /// Anything else.
    #[error("cannot listen on {address}: {source}")]
    Other {
        /// Where the server should have listened.
        address: SocketAddr,
        /// What the kernel said.
        source: io::Error,
    },
}

/// Listens on `address`. What is set here is inherited by every accepted connection.
pub(super) fn listen(address: SocketAddr, congestion: Option<&str>) -> Result<TcpListener, BindError> {
    let other = |source| BindError::Other { address, source };
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP)).map_err(other)?;
    socket.set_nonblocking(true).map_err(other)?;
    socket.set_reuse_address(true).map_err(other)?;
    socket.set_tcp_nodelay(true).map_err(other)?;
    if address.is_ipv6() {
        // `[::]` serves IPv4 too, whatever net.ipv6.bindv6only says.
        socket.set_only_v6(false).map_err(other)?;
    }
    // Where the kernel has no receive stamps, server time starts when a request is read.
    let _ = setsockopt(&socket, sockopt::ReceiveTimestampns, &true);
    if let Some(name) = congestion {
        socket.set_tcp_congestion(name.as_bytes()).map_err(|source| BindError::Congestion {
            name: name.to_owned(),
            available: available_congestion_controls(),
            source,
        })?;
    }
    socket.bind(&address.into()).map_err(|source| bind_error(address, source))?;
    socket.listen(BACKLOG).map_err(|source| bind_error(address, source))?;
    Ok(socket.into())
}

/// Lets the process open at least `files` files, as far as its hard limit allows. Where it does not, the accept loop
/// waits for files to be closed.
pub(super) fn allow_open_files(files: u64) {
    if let Ok((soft, hard)) = getrlimit(Resource::RLIMIT_NOFILE)
        && soft < files
    {
        let _ = setrlimit(Resource::RLIMIT_NOFILE, files.min(hard).max(soft), hard);
    }
}

fn bind_error(address: SocketAddr, source: io::Error) -> BindError {
    match source.raw_os_error().map(Errno::from_raw) {
        Some(Errno::EADDRINUSE) => BindError::InUse { address },
        Some(Errno::EADDRNOTAVAIL) => BindError::NotHere { address },
        Some(Errno::EACCES | Errno::EPERM) => BindError::Denied { address },
        _ => BindError::Other { address, source },
    }
}

fn available_congestion_controls() -> String {
    std::fs::read_to_string("/proc/sys/net/ipv4/tcp_available_congestion_control")
        .map_or_else(|_| "unknown".to_owned(), |list| list.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, TcpStream};

    use super::*;

    const ANY_PORT: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

    #[test]
    fn accepted_connections_inherit_what_was_set_on_the_listener() {
        let listener = listen(ANY_PORT, Some("reno")).unwrap();
        listener.set_nonblocking(false).unwrap();
        let _near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let far = Socket::from(listener.accept().unwrap().0);
        assert_eq!(far.tcp_congestion().unwrap().split(|&b| b == 0).next(), Some(&b"reno"[..]));
        assert!(far.tcp_nodelay().unwrap());
        assert!(nix::sys::socket::getsockopt(&far, sockopt::ReceiveTimestampns).unwrap());
    }

    #[test]
    fn a_port_in_use_is_named_with_what_to_do() {
        let first = listen(ANY_PORT, None).unwrap();
        let address = first.local_addr().unwrap();
        let text = listen(address, None).unwrap_err().to_string();
        assert!(text.contains(&address.to_string()) && text.contains("another port"), "{text}");
    }

    #[test]
    fn an_unknown_congestion_control_is_answered_with_those_that_exist() {
        let text = listen(ANY_PORT, Some("nonesuch")).unwrap_err().to_string();
        assert!(text.contains("nonesuch") && text.contains("cubic"), "{text}");
    }

    #[test]
    fn an_address_of_no_interface_is_said_to_be_none() {
        // 192.0.2.0/24 is for documentation (RFC 5737): no machine has it.
        let error = listen("192.0.2.1:0".parse().unwrap(), None).unwrap_err();
        assert!(matches!(error, BindError::NotHere { .. }), "{error:?}");
    }
}
