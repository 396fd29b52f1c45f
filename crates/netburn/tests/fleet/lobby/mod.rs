//! Devices that join by themselves.

mod joining;
mod reconnect;
mod relay;
mod support;
