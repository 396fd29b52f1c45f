//! The server over real sockets, as its peers meet it.

mod http;
mod limits;
mod server_time;
mod shutdown;
mod support;
mod witness;
