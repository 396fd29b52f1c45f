//! The driver against servers that behave, stall, lie and break off. Real sockets on loopback; every time that is
//! asserted is held against the server's own stamps on the same clock, never against a figure.

#[cfg(test)]
mod connections;
#[cfg(test)]
mod faults;
#[cfg(test)]
mod pipelining;
#[cfg(test)]
mod questions;
#[cfg(test)]
mod run;
#[cfg(test)]
mod server;
#[cfg(test)]
mod stamps;
#[cfg(test)]
mod stopping;
