//! Why a lab could not be had.

use std::io;
use std::path::PathBuf;

use crate::spec::SpecError;

/// A lab could not be built, entered or read.
#[derive(Debug, thiserror::Error)]
pub enum LabError {
    /// The machine does not let this process have namespaces.
    #[error("this machine grants no {what}: {why}. Run as root, or with --no-lab (over loopback, nothing shaped)")]
    NotGranted {
        /// What was asked for.
        what: &'static str,
        /// What the kernel said, and the setting behind it where there is one.
        why: String,
    },
    /// [`enter_user_namespace`](crate::enter_user_namespace) was called too late: the kernel moves only whole
    /// processes, and only while they have one thread.
    #[error("a user namespace can be entered only before the first thread is started; this process has {count}")]
    Threads {
        /// Threads of this process.
        count: u32,
    },
    /// What was asked for is not a lab.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A program that sets up links or queues is not installed.
    #[error("the program '{program}' is missing: install the package {package} (apt-get install {package})")]
    MissingProgram {
        /// The program.
        program: &'static str,
        /// The Debian package that holds it.
        package: &'static str,
    },
    /// A program that sets up links or queues could not be run.
    #[error("could not run '{program}'")]
    Run {
        /// The program.
        program: &'static str,
        /// Why.
        source: io::Error,
    },
    /// The kernel refused one step of the set-up.
    #[error("the kernel refused '{program} {step}': {message}")]
    Refused {
        /// The program.
        program: &'static str,
        /// The step, as one could type it.
        step: String,
        /// What the program said.
        message: String,
    },
    /// A kernel setting inside a namespace could not be written.
    #[error("could not set {path} to '{value}' inside the lab; is /proc/sys mounted read-only?")]
    Setting {
        /// The setting.
        path: PathBuf,
        /// The value it should have.
        value: String,
        /// Why not.
        source: io::Error,
    },
    /// A namespace could not be made or entered.
    #[error("could not {step} a network namespace")]
    Namespace {
        /// What was tried.
        step: &'static str,
        /// Why it did not go.
        source: io::Error,
    },
    /// The queues' counters could not be read.
    #[error("could not read the queues' counters: {0}")]
    Counters(String),
}
