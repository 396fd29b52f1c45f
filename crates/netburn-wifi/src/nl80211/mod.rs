//! nl80211 as values: what each answer of the kernel says. Pure; the socket is in [`platform`](crate::platform).

#[cfg(test)]
mod captured;
mod event;
mod family;
mod interface;
pub(crate) mod numbers;
mod power_save;
mod rate;
mod scan;
mod station;
#[cfg(test)]
mod tests;

pub(crate) use event::event;
pub(crate) use family::Family;
pub(crate) use interface::Interface;
pub(crate) use power_save::power_save;
pub(crate) use scan::AssociatedBss;
pub(crate) use station::Peer;
