//! Linux: nl80211 over a generic netlink socket.

mod events;
mod radio;
mod socket;

pub use events::Events;
pub use radio::{Radio, interfaces};

use crate::WifiError;
use crate::netlink::{Message, Request};
use crate::nl80211::{Family, Interface, numbers};
use socket::{Refusal, Socket};

/// The index of an interface that is there.
fn index_of(interface: &str) -> Result<u32, WifiError> {
    nix::net::if_::if_nametoindex(interface).map_err(|_| WifiError::NoSuchInterface { interface: interface.to_owned() })
}

/// What nl80211 is called on this machine.
fn nl80211(socket: &mut Socket) -> Result<Family, WifiError> {
    let request = Request::get(numbers::GENL_ID_CTRL, numbers::CTRL_CMD_GETFAMILY)
        .text(numbers::CTRL_ATTR_FAMILY_NAME, numbers::FAMILY);
    let mut family = None;
    socket
        .ask(&request, |message| {
            if let Message::Generic { command: numbers::CTRL_CMD_NEWFAMILY, attributes, .. } = message {
                family = Family::read(attributes);
            }
        })
        .map_err(|refusal| match refusal {
            Refusal::Kernel(error) if error.raw_os_error() == Some(libc::ENOENT) => WifiError::NoWifi,
            refusal => refusal.into_error("ask the kernel for nl80211"),
        })?;
    family.ok_or(WifiError::Malformed { what: "it names nl80211 without its number" })
}

/// What the kernel says of an interface.
fn describe(socket: &mut Socket, family: u16, index: u32, name: &str) -> Result<Interface, WifiError> {
    let request = Request::get(family, numbers::command::GET_INTERFACE).u32(numbers::attr::IFINDEX, index);
    let mut found = None;
    socket
        .ask(&request, |message| {
            if let Message::Generic { command: numbers::command::NEW_INTERFACE, attributes, .. } = message {
                found = Interface::read(attributes).filter(|interface| interface.index == index);
            }
        })
        .map_err(|refusal| match refusal {
            // What nl80211 answers about an interface that is not its own.
            Refusal::Kernel(error) if matches!(error.raw_os_error(), Some(libc::ENODEV | libc::EINVAL)) => {
                WifiError::NotWireless { interface: name.to_owned() }
            }
            refusal => refusal.into_error("ask the kernel about the Wi-Fi interface"),
        })?;
    found.ok_or(WifiError::Malformed { what: "it says nothing about the interface" })
}
