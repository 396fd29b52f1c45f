//! Systems on which Wi-Fi cannot be read yet. Everything says so.

use std::time::Duration;

use crate::{Beacon, Event, Station, WifiError};

/// Nothing can be asked here.
#[derive(Debug)]
pub enum Radio {}

impl Radio {
    /// Always [`WifiError::NotAvailable`].
    ///
    /// # Errors
    /// Always.
    pub fn open(_interface: &str) -> Result<Self, WifiError> {
        Err(WifiError::NotAvailable)
    }

    /// Cannot be called: there is no such radio.
    ///
    /// # Errors
    /// Never.
    pub fn station(&mut self) -> Result<Option<Station>, WifiError> {
        match *self {}
    }

    /// Cannot be called: there is no such radio.
    ///
    /// # Errors
    /// Never.
    pub fn beacon(&mut self) -> Result<Option<Beacon>, WifiError> {
        match *self {}
    }

    /// Cannot be called: there is no such radio.
    ///
    /// # Errors
    /// Never.
    pub fn power_save(&mut self) -> Result<Option<bool>, WifiError> {
        match *self {}
    }
}

/// Nothing can be heard here.
#[derive(Debug)]
pub enum Events {}

impl Events {
    /// Always [`WifiError::NotAvailable`].
    ///
    /// # Errors
    /// Always.
    pub fn open(_interface: &str) -> Result<Self, WifiError> {
        Err(WifiError::NotAvailable)
    }

    /// Cannot be called: there are no such events.
    ///
    /// # Errors
    /// Never.
    pub fn wait(&mut self, _timeout: Duration) -> Result<Option<Event>, WifiError> {
        match *self {}
    }
}

/// Always [`WifiError::NotAvailable`].
///
/// # Errors
/// Always.
pub fn interfaces() -> Result<Vec<String>, WifiError> {
    Err(WifiError::NotAvailable)
}
