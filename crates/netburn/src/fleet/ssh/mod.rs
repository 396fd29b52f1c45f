//! Devices over SSH: the system's own `ssh`, one login for each device, and everything else through that one.
//!
//! [`Destination`] says whom to log in to. [`Login`] opens one master connection there, with the user's own config,
//! keys, agent and jump hosts, and runs [`RemoteCommand`]s through its socket in a private [folder](Sockets).
//! [`install()`] sees to it that this very netburn is on the device, and says how to start its agent.
//!
//! Invariants. A login happens once: a command that finds no master fails instead of logging in anew. What a device is
//! asked to run is one of a closed set of fixed texts, in which nothing varies but digests that we computed. Nothing
//! is forwarded: no agent, no port, no display, no terminal.
//!
//! Why not a library: those that drive the system's `ssh` log in without a terminal, so that a password or a passphrase could never
//! be asked for; those that speak the protocol themselves know no ssh config, no jump hosts and no hardware keys.

mod agent;
mod binary;
mod cause;
mod destination;
mod install;
mod login;
mod remote;
mod reply;
mod socket;
mod verbose;

pub use binary::{Arch, Binaries, BinaryError, Digest};
pub use cause::Cause;
pub use destination::{Destination, DestinationError};
pub use install::{InstallError, Installed, Push, PushedBinary, install, install_from};
pub use login::{Login, LoginError, LoginOptions, RunError};
pub(crate) use remote::MARK;
pub use remote::{Program, RemoteCommand};
pub use socket::{SocketError, Sockets};
pub use verbose::watch_login;
