//! The one door to the operating system. Another system needs the same three: a [`Radio`] that can be asked, [`Events`]
//! that can be waited for, and the list of [`interfaces`].

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub use linux::{Events, Radio, interfaces};

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(not(target_os = "linux"))]
pub use elsewhere::{Events, Radio, interfaces};
