//! `netburn agent --stdio`: does one client's part of a run for the controller at the other end of the pipe.

use std::io::{stdin, stdout};

use super::{Failure, print};
use crate::cli::Agent;
use crate::exit::Exit;
use crate::fleet::ssh::Digest;

pub(super) fn agent(args: &Agent) -> Result<Exit, Failure> {
    if args.digest {
        let digest = Digest::of_this_program().map_err(|error| Failure::could_not(&error.into()))?;
        print(&digest.to_string());
        return Ok(Exit::Good);
    }
    crate::agent::run(stdin(), stdout()).map_err(|error| Failure::could_not(&error.into()))?;
    Ok(Exit::Good)
}
