//! Devices that join by themselves.

mod joining;
mod reconnect;
mod relay;
mod strangers;
mod support;
mod whole;
