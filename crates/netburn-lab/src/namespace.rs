//! Network namespaces without names: held by a file descriptor, gone with their last holder.
//!
//! The only unsafe code of this crate is here: what runs between fork and exec.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Arc;
use std::thread;

use nix::errno::Errno;
use nix::fcntl::{FcntlArg, FdFlag, fcntl};
use nix::sched::{CloneFlags, setns, unshare};
use nix::sys::prctl::set_pdeathsig;
use nix::sys::signal::Signal;
use nix::unistd::{Pid, getppid};

use crate::LabError;
use crate::privilege::refusal;

/// One network namespace. Clones are the same one; it lives while a clone or an inhabitant does.
#[derive(Clone, Debug)]
pub(crate) struct Namespace(Arc<OwnedFd>);

impl Namespace {
    /// A new one, empty but for a loopback that is down.
    pub(crate) fn create() -> Result<Self, LabError> {
        // A namespace is a thread's property: a thread of its own makes the new one, hands out its descriptor and
        // ends, and no other thread of this process ever moves.
        let made = on_own_thread(|| {
            unshare(CloneFlags::CLONE_NEWNET)?;
            File::open("/proc/thread-self/ns/net")
        });
        match made.and_then(|made| made) {
            Ok(file) => Ok(Self(Arc::new(file.into()))),
            Err(source) => Err(match source.raw_os_error().map(Errno::from_raw) {
                Some(errno @ (Errno::EPERM | Errno::ENOSPC)) => refusal("network namespaces", errno),
                _ => LabError::Namespace { step: "make", source },
            }),
        }
    }

    /// Lets the child of `command` start inside.
    pub(crate) fn attach(&self, command: &mut Command) {
        let namespace = Arc::clone(&self.0);
        let enter = move || Ok(setns(&*namespace, CloneFlags::CLONE_NEWNET)?);
        #[expect(unsafe_code, reason = "a child can enter a namespace only between fork and exec")]
        // SAFETY: the closure is one system call on a descriptor that it owns; it takes no lock and no memory, and an
        // errno becomes an `io::Error` without either.
        unsafe {
            command.pre_exec(enter);
        }
    }

    /// Lets the child of `command`, and no other, find this namespace under [`path`](Self::path).
    pub(crate) fn lend(&self, command: &mut Command) {
        let namespace = Arc::clone(&self.0);
        let keep = move || {
            fcntl(&*namespace, FcntlArg::F_SETFD(FdFlag::empty()))?;
            Ok(())
        };
        #[expect(unsafe_code, reason = "close-on-exec is cleared in the child, so that no other child inherits")]
        // SAFETY: as in `attach`.
        unsafe {
            command.pre_exec(keep);
        }
    }

    /// Where a process that it is lent to finds it. Holds a '/', else `ip` takes it for a name under /run/netns.
    pub(crate) fn path(&self) -> String {
        format!("/proc/self/fd/{}", self.0.as_raw_fd())
    }

    /// Runs `f` inside, on a thread of its own.
    pub(crate) fn run<T: Send>(&self, f: impl FnOnce() -> T + Send) -> io::Result<T> {
        on_own_thread(|| {
            setns(&*self.0, CloneFlags::CLONE_NEWNET)?;
            Ok::<T, io::Error>(f())
        })?
    }
}

/// Runs `f` on a thread of its own and waits for it; a panic goes on in the caller.
fn on_own_thread<T: Send>(f: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().name("netburn-lab".into()).spawn_scoped(scope, f)?;
        thread.join().map_or_else(|panic| std::panic::resume_unwind(panic), Ok)
    })
}

/// Lets the child of `command` be killed when the *thread* that spawns it ends, so also when the process is killed.
///
/// Use it only where that thread lives as long as the child should: the main thread, never a pool's. It backs up
/// children that end by themselves once their stdin is closed; a stopped or hung one does not.
pub fn end_with_spawning_thread(command: &mut Command) {
    let parent = Pid::this();
    let tie = move || {
        set_pdeathsig(Signal::SIGKILL)?;
        // The parent may have ended before the line above; then nobody is left to signal it.
        if getppid() == parent { Ok(()) } else { Err(Errno::ESRCH.into()) }
    };
    #[expect(unsafe_code, reason = "a child can be tied to its parent only between fork and exec")]
    // SAFETY: the closure is two system calls on plain values, as in `attach`.
    unsafe {
        command.pre_exec(tie);
    }
}
