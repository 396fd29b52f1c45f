//! Real sockets under the load engine, and the server that feeds them.
//!
//! Two halves that meet in [`protocol`] alone: [`client`] drives a [`burn_load`] engine with sockets, a
//! precise timer and kernel time stamps, on one thread; [`server`] makes the replies and is its own witness. Neither decides
//! when to send, and neither judges.

pub mod client;
mod processors;
pub mod protocol;
pub mod server;
mod tcp_figures;
mod tcp_info;
