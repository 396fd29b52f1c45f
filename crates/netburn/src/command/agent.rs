//! `netburn agent --stdio`: does one client's part of a run for the controller at the other end of the pipe.

use std::io::{stdin, stdout};

use super::Failure;
use crate::cli::Agent;
use crate::exit::Exit;

pub(super) fn agent(_args: &Agent) -> Result<Exit, Failure> {
    crate::agent::run(stdin(), stdout()).map_err(|error| Failure::could_not(&error.into()))?;
    Ok(Exit::Good)
}
