//! The server over real sockets, as its peers meet it.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, in its helpers too")]

mod http;
mod limits;
mod server_time;
mod shutdown;
mod support;
mod witness;
