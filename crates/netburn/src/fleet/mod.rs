//! The fleet: devices that take part in a run, and how they are reached.

pub mod address;
pub mod check;
pub mod greeting;
pub mod join;
pub mod link;
pub mod lobby;
pub mod resume;
pub mod ssh;
