//! What may keep us from asking the radio.

use std::io;

use thiserror::Error;

/// Why the kernel's answer about Wi-Fi is not to be had.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WifiError {
    /// The kernel has no nl80211: no Wi-Fi driver is loaded, or none is there.
    #[error("this system's kernel knows no Wi-Fi (it has no nl80211): no wireless device is driven here")]
    NoWifi,
    /// The interface is there and is something else, for example a cable's.
    #[error("{interface} is not a Wi-Fi interface; see `ip link` for what there is")]
    NotWireless {
        /// The interface that was asked for.
        interface: String,
    },
    /// No interface has that name.
    #[error("there is no interface {interface:?} here; see `ip link` for what there is")]
    NoSuchInterface {
        /// The interface that was asked for.
        interface: String,
    },
    /// This operating system has another way, which is not written yet.
    #[error("Wi-Fi can be read on Linux only so far")]
    NotAvailable,
    /// A system call failed, or the kernel refused a request.
    #[error("cannot {doing}: {source}")]
    System {
        /// What was tried, as it follows "cannot".
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The kernel's answer is not what nl80211 promises. Seen only where the kernel is much newer or older than us.
    #[error("the kernel's answer about Wi-Fi cannot be understood: {what}")]
    Malformed {
        /// What is wrong with it.
        what: &'static str,
    },
}

impl WifiError {
    /// Whether it only says that there is no Wi-Fi to read: on this machine, on this interface, or on this operating
    /// system. For whoever asks by the way and goes on without.
    #[must_use]
    pub const fn is_absence(&self) -> bool {
        matches!(self, Self::NoWifi | Self::NotWireless { .. } | Self::NoSuchInterface { .. } | Self::NotAvailable)
    }

    #[cfg(any(target_os = "linux", test))]
    pub(crate) fn system(doing: &'static str, source: impl Into<io::Error>) -> Self {
        Self::System { doing, source: source.into() }
    }
}
