//! What the radio says: a reader of nl80211 and of a beacon's elements.
//!
//! [`Radio`] asks the kernel what a Wi-Fi interface is connected to and what its access point advertises; [`Events`]
//! hears of roams as they happen; [`label`] says what the class on a router's box can mean, and [`phy`] what a radio can at
//! best do. The first two are I/O, the last two are pure.
//!
//! What it is not: it never scans, never changes a setting, needs no privilege. It reads what the kernel knows already, so
//! that looking does not disturb what is measured.
//!
//! What always holds: what the kernel or the access point does not tell is absent, never zero; no bytes from either
//! make it panic; lengths are checked where they are read.
//!
//! Sources: the kernel's `include/uapi/linux/nl80211.h`, whose names stand beside every number in `nl80211::numbers`, and
//! IEEE 802.11-2020, whose clauses stand beside every element in [`beacon`].

pub mod beacon;
mod bitrate;
mod channel;
mod error;
mod event;
pub mod label;
mod names;
#[cfg(any(target_os = "linux", test))]
mod netlink;
#[cfg(any(target_os = "linux", test))]
mod nl80211;
pub mod phy;
mod platform;
mod station;

pub use beacon::Beacon;
pub use bitrate::{Bitrate, BitrateKind};
pub use channel::{Band, channel_number};
pub use error::WifiError;
pub use event::Event;
pub use names::{MacAddress, Ssid};
pub use platform::{Events, Radio, interfaces};
pub use station::Station;
