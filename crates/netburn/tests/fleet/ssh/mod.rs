//! Over SSH: logins, and this netburn on a device where it is missing.

mod agent;
mod install;
mod login;
mod prompt;
mod run;
