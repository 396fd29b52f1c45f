//! `netburn join`: this device takes part in a run by itself.

use super::{Failure, say};
use crate::cli::Join;
use crate::exit::Exit;
use crate::fleet::join::{Ended, join};

pub(super) fn join_run(args: &Join) -> Result<Exit, Failure> {
    match join(&args.link, args.name.clone(), |news| say(args.quiet, &news.to_string())) {
        Ok(Ended::Over) => {
            say(args.quiet, "Done. The result is at the controller.");
            Ok(Exit::Good)
        }
        Ok(Ended::Left) => Err(Failure::could_not(&anyhow::anyhow!("left before the run was over"))),
        Err(error) => Err(Failure::could_not(&error.into())),
    }
}
