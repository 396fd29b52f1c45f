//! Asking: what an interface is connected to.

use super::socket::{Refusal, Socket};
use super::{describe, index_of, nl80211};
use crate::netlink::{Attributes, Message, Request};
use crate::nl80211::numbers::{self, command};
use crate::nl80211::{AssociatedBss, Interface, Peer, power_save};
use crate::{Beacon, Station, WifiError};

/// A Wi-Fi interface that can be asked. It costs the kernel some microseconds for each question, and the radio nothing:
/// nothing is sent, and no scan is made.
#[derive(Debug)]
pub struct Radio {
    socket: Socket,
    family: u16,
    index: u32,
    interface: String,
}

impl Radio {
    /// Opens the Wi-Fi interface of that name. Needs no privilege.
    ///
    /// # Errors
    /// [`WifiError::NoSuchInterface`], [`WifiError::NotWireless`], or [`WifiError::NoWifi`] where the kernel has no Wi-Fi at
    /// all (see [`WifiError::is_absence`]); [`WifiError::System`] where the kernel cannot be asked.
    pub fn open(interface: &str) -> Result<Self, WifiError> {
        let index = index_of(interface)?;
        let mut socket = Socket::open()?;
        let family = nl80211(&mut socket)?.id;
        describe(&mut socket, family, index, interface)?;
        Ok(Self { socket, family, index, interface: interface.to_owned() })
    }

    /// What the interface is connected to now; `None` where it is not connected.
    ///
    /// # Errors
    /// [`WifiError::System`] where the kernel cannot be asked (any more), [`WifiError::NotWireless`] where the interface is
    /// gone, [`WifiError::Malformed`] where nothing tells the connection's channel.
    pub fn station(&mut self) -> Result<Option<Station>, WifiError> {
        let interface = describe(&mut self.socket, self.family, self.index, &self.interface)?;
        let peer = self.list(command::GET_STATION, command::NEW_STATION, Peer::read)?;
        let Some(peer) = peer.into_iter().next() else { return Ok(None) };
        let bss = if Peer::suffices(&interface) { None } else { self.bss()? };
        let station = peer.connected_to(&interface, bss.as_ref());
        station.map(Some).ok_or(WifiError::Malformed { what: "it tells of a connection without its channel" })
    }

    /// What the access point that the interface is connected to advertises, as it was last heard; `None` where it is not
    /// connected.
    ///
    /// # Errors
    /// [`WifiError::System`] where the kernel cannot be asked (any more).
    pub fn beacon(&mut self) -> Result<Option<Beacon>, WifiError> {
        Ok(self.bss()?.map(|bss| bss.beacon()))
    }

    /// Whether the radio may sleep between beacons, which holds packets to it back; `None` where its driver does not tell.
    ///
    /// # Errors
    /// [`WifiError::System`] where the kernel cannot be asked (any more).
    pub fn power_save(&mut self) -> Result<Option<bool>, WifiError> {
        let request = Request::get(self.family, command::GET_POWER_SAVE).u32(numbers::attr::IFINDEX, self.index);
        let mut told = None;
        let asked = self.socket.ask(&request, |message| {
            if let Message::Generic { command: command::GET_POWER_SAVE, attributes, .. } = message {
                told = power_save(attributes);
            }
        });
        match asked {
            Ok(_) => Ok(told),
            // A driver without it, or an interface that is down or not a client.
            Err(Refusal::Kernel(error)) if matches!(error.raw_os_error(), Some(libc::EOPNOTSUPP | libc::ENETDOWN)) => {
                Ok(None)
            }
            Err(refusal) => Err(refusal.into_error("ask the kernel about power saving")),
        }
    }

    fn bss(&mut self) -> Result<Option<AssociatedBss>, WifiError> {
        let found = self.list(command::GET_SCAN, command::NEW_SCAN_RESULTS, AssociatedBss::read)?;
        Ok(found.into_iter().next())
    }

    /// Everything of one kind that the interface has and `read` wants.
    fn list<T>(&mut self, get: u8, answer: u8, read: fn(Attributes<'_>) -> Option<T>) -> Result<Vec<T>, WifiError> {
        let request = Request::list(self.family, get).u32(numbers::attr::IFINDEX, self.index);
        let mut found = Vec::new();
        // A list that changed while it was sent may lack what we look for; a second one is taken as it comes.
        for _ in 0..2 {
            found.clear();
            let each = |message: Message<'_>| {
                if let Message::Generic { command, attributes, .. } = message {
                    found.extend((command == answer).then(|| read(attributes)).flatten());
                }
            };
            let changed = self.socket.ask(&request, each);
            if !changed.map_err(|refusal| refusal.into_error("ask the kernel about the Wi-Fi connection"))? {
                break;
            }
        }
        Ok(found)
    }
}

/// The names of this machine's Wi-Fi interfaces that are clients of some network, or could be.
///
/// # Errors
/// [`WifiError::NoWifi`] where the kernel has no Wi-Fi at all; [`WifiError::System`] where it cannot be asked.
pub fn interfaces() -> Result<Vec<String>, WifiError> {
    let mut socket = Socket::open()?;
    let family = nl80211(&mut socket)?.id;
    let mut names = Vec::new();
    socket
        .ask(&Request::list(family, command::GET_INTERFACE), |message| {
            if let Message::Generic { command: command::NEW_INTERFACE, attributes, .. } = message {
                let interface = Interface::read(attributes).filter(|interface| interface.is_client);
                names.extend(interface.and_then(|interface| interface.name));
            }
        })
        .map_err(|refusal| refusal.into_error("list the Wi-Fi interfaces"))?;
    Ok(names)
}
