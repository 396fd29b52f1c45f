//! Devices that join by themselves.

mod joining;
mod support;
