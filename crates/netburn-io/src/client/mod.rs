//! One client's side of a run: an engine, driven with real sockets and a precise timer.
//!
//! [`drive`] is the one driver loop, whatever the workload: one thread, which waits in one place for the engine's
//! next moment, for sockets and for a [`StopHandle`]. There is no async runtime here, because its timers are a thousand
//! times too coarse (docs/decisions/0002-driver-loop.md). Around the loop stand the blocking questions that are
//! asked before and after a run: [`resolve()`], [`preflight()`], [`learn_url`], [`fetch_witness`].
//!
//! What this half does not do: decide when or whether to send (the engine does), judge (the model does), follow a
//! redirect (nobody may), or trust a peer (every head, body and number has a bound).
//!
//! # What the stamps mean
//!
//! - **sent**: the moment the driver began to act on a dispatch, before it asks the kernel for a connection or
//!   hands it the request. So making a connection is part of the service time, as it is for a person, and driver
//!   lateness is the tester's own doing alone.
//! - **first byte**: the first byte of a reply was handed to the program.
//! - **received**: the last byte was handed to the program. How long it had lain in the kernel before is the *receive
//!   lateness*, taken from the kernel's own stamp of the packet that carried it.
//! - A request that met a kept connection just as the server closed it is sent once more on a fresh one (RFC 9112
//!   §9.3.1 and §9.3.2, as browsers do). No stamp moves: the time lost counts in full.

mod clock;
mod driver;
mod exchange;
mod learn;
mod platform;
mod preflight;
mod reply;
mod request;
mod resolve;
mod target;
mod usage;
mod witness;

pub use driver::{DriveError, DriveOptions, connections_needed, drive};
pub use exchange::ExchangeError;
pub use learn::{LearnError, learn_url};
pub use platform::StopHandle;
pub use preflight::{PreflightError, preflight};
pub use resolve::{ResolveError, resolve};
pub use target::{RequestKind, Target, TargetError};
pub use witness::{WitnessError, fetch_witness};
