//! Where control sockets lie: a folder that is ours alone, with a short path.
//!
//! Whoever can reach a control socket is logged in on the device. So each run has a folder of mode 0700 inside one of
//! mode 0700, and a folder that is a link, somebody else's, or open to others is refused. The path must be short: the kernel
//! takes 107 bytes (`sun_path` in unix(7)), and `ssh` adds 17 of its own while it makes the socket.
//!
//! A run holds a lock on its folder for as long as it lives. What a run that was killed left behind is recognised by
//! its free lock, and is closed and removed by the next one.

use std::env;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use nix::unistd::geteuid;
use tempfile::TempDir;
use thiserror::Error;

/// The longest path of a socket, in bytes: 107 that the kernel takes, less 17 that `ssh` adds for a moment.
const LONGEST_PATH: usize = 90;

/// The lock in a run's folder.
const LOCK: &str = "lock";

/// This run's folder for control sockets. It goes with the last of its clones; each login holds one.
#[derive(Clone, Debug)]
pub struct Sockets(Arc<Folder>);

#[derive(Debug)]
struct Folder {
    folder: TempDir,
    /// Held for as long as this value lives; the kernel frees it, whatever ends the process.
    _lock: File,
    next: AtomicU32,
}

/// Why there is no folder for control sockets.
#[derive(Debug, Error)]
pub enum SocketError {
    /// It could not be made, or not be looked at.
    #[error("cannot make the folder {} for control sockets: {source}; set XDG_RUNTIME_DIR to a folder of yours with a short path", .folder.display())]
    Make {
        /// The folder.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is there, but is no folder: a symbolic link, perhaps, that somebody put there.
    #[error("{} is no folder, so no control socket is put there; remove it, or set XDG_RUNTIME_DIR to a folder of yours with a short path", .0.display())]
    NoFolder(PathBuf),
    /// It is somebody else's, who could take over a login.
    #[error("{} belongs to another user (uid {owner}), who could use your logins; set XDG_RUNTIME_DIR to a folder of yours with a short path", .folder.display())]
    NotOurs {
        /// The folder.
        folder: PathBuf,
        /// Whose it is.
        owner: u32,
    },
    /// Others may enter it.
    #[error("{} is open to others (mode {mode:04o}), who could use your logins; close it: chmod 700 {}", .folder.display(), .folder.display())]
    Open {
        /// The folder.
        folder: PathBuf,
        /// Its permissions.
        mode: u32,
    },
    /// `ssh` could make no socket there.
    #[error("the path {} is too long for a control socket ({} bytes, {LONGEST_PATH} at most); set XDG_RUNTIME_DIR to a folder of yours with a shorter one", .0.display(), .0.as_os_str().len())]
    TooLong(PathBuf),
}

impl Sockets {
    /// Makes this run's folder, in `$XDG_RUNTIME_DIR/nb` or, where that is not set or too long, in `/tmp/nb-UID`, and
    /// cleans up after runs that ended without doing so.
    ///
    /// # Errors
    /// Where no such folder can be made, or the one that is there could be used by anybody else.
    pub fn open() -> Result<Self, SocketError> {
        Self::open_in(&home(env::var_os("XDG_RUNTIME_DIR"), geteuid().as_raw()))
    }

    /// The same in a folder of the caller's choice, which is made where it is not there.
    ///
    /// # Errors
    /// As of [`Self::open`].
    pub fn open_in(home: &Path) -> Result<Self, SocketError> {
        let failed = |source| SocketError::Make { folder: home.to_owned(), source };
        match DirBuilder::new().mode(0o700).create(home) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(failed(error)),
        }
        refuse_unless_private(home)?;
        clean(home);
        let private = Permissions::from_mode(0o700);
        let folder = tempfile::Builder::new().prefix("").rand_bytes(6).permissions(private).tempdir_in(home);
        let folder = folder.map_err(failed)?;
        let lock = locked(folder.path()).map_err(failed)?;
        Ok(Self(Arc::new(Folder { folder, _lock: lock, next: AtomicU32::new(0) })))
    }

    /// A path for one more socket. Nothing is there yet.
    ///
    /// # Errors
    /// Where it is too long for `ssh`.
    pub(super) fn path(&self) -> Result<PathBuf, SocketError> {
        // Host names may be as long as they like: none is part of it.
        let path = self.folder().join(self.0.next.fetch_add(1, Ordering::Relaxed).to_string());
        if path.as_os_str().len() > LONGEST_PATH {
            return Err(SocketError::TooLong(path));
        }
        Ok(path)
    }

    /// The folder itself.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.0.folder.path()
    }
}

/// The folder of all runs of a user.
fn home(runtime: Option<OsString>, uid: u32) -> PathBuf {
    // "/XXXXXX/" and up to five digits follow.
    let short = |path: &PathBuf| path.as_os_str().len() + 13 <= LONGEST_PATH;
    // The XDG Base Directory Specification: a relative path is to be ignored.
    let runtime = runtime.map(PathBuf::from).filter(|path| path.is_absolute() && path.is_dir());
    runtime.map(|path| path.join("nb")).filter(short).unwrap_or_else(|| PathBuf::from(format!("/tmp/nb-{uid}")))
}

/// The lock of a new folder, held. It gets its name only then, so that nobody takes the folder for one left behind.
fn locked(folder: &Path) -> io::Result<File> {
    let new = folder.join("lock.new");
    let lock = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&new)?;
    lock.lock()?;
    fs::rename(new, folder.join(LOCK))?;
    Ok(lock)
}

fn refuse_unless_private(folder: &Path) -> Result<(), SocketError> {
    let about = fs::symlink_metadata(folder);
    let about = about.map_err(|source| SocketError::Make { folder: folder.to_owned(), source })?;
    if !about.is_dir() {
        return Err(SocketError::NoFolder(folder.to_owned()));
    }
    if about.uid() != geteuid().as_raw() {
        return Err(SocketError::NotOurs { folder: folder.to_owned(), owner: about.uid() });
    }
    let mode = about.mode() & 0o7777;
    if mode & 0o077 != 0 {
        return Err(SocketError::Open { folder: folder.to_owned(), mode });
    }
    Ok(())
}

/// Removes folders of runs that are gone, and ends the logins that they left. What cannot be removed is left alone:
/// it is in nobody's way.
fn clean(home: &Path) {
    let Ok(folders) = fs::read_dir(home) else { return };
    for folder in folders.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        let folder = folder.path();
        // A folder without a lock is one that is being made just now, or one that somebody emptied.
        let Ok(lock) = File::open(folder.join(LOCK)) else {
            continue;
        };
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => continue,
        }
        for socket in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if socket.file_name() != LOCK {
                end_master(&socket.path());
            }
        }
        let _ = fs::remove_dir_all(&folder);
    }
}

/// Ends the master behind a socket, if one is there. Waits for the answer, which comes at once.
pub(super) fn end_master(socket: &Path) {
    let _ = ask_master(socket, "exit");
}

/// Whether a master answers behind a socket.
pub(super) fn is_alive(socket: &Path) -> bool {
    ask_master(socket, "check")
}

fn ask_master(socket: &Path, request: &str) -> bool {
    // The name after "--" is of no account: the socket alone says which master is meant, and no config is read.
    let asked = Command::new("ssh")
        .args(["-F", "/dev/null", "-O", request, "-S"])
        .arg(socket)
        .args(["--", "netburn"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    asked.is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().mode() & 0o7777
    }

    #[test]
    fn sockets_lie_in_folders_that_are_ours_alone_and_go_with_the_run() {
        let scratch = tempfile::tempdir().unwrap();
        let home = scratch.path().join("nb");
        let sockets = Sockets::open_in(&home).unwrap();
        assert_eq!((mode(&home), mode(sockets.folder())), (0o700, 0o700));
        assert_ne!(sockets.path().unwrap(), sockets.path().unwrap());
        let folder = sockets.folder().to_owned();
        drop(sockets);
        assert!(!folder.exists() && home.exists());
    }

    #[test]
    fn a_folder_that_others_could_use_is_refused() {
        let scratch = tempfile::tempdir().unwrap();
        let real = scratch.path().join("real");
        fs::create_dir(&real).unwrap();
        fs::set_permissions(&real, PermissionsExt::from_mode(0o750)).unwrap();
        assert!(matches!(Sockets::open_in(&real), Err(SocketError::Open { mode: 0o750, .. })));
        fs::set_permissions(&real, PermissionsExt::from_mode(0o700)).unwrap();
        let link = scratch.path().join("link");
        symlink(&real, &link).unwrap();
        assert!(matches!(Sockets::open_in(&link), Err(SocketError::NoFolder(_))));
        // Of another user: / is root's; where the test is root itself, it gives a folder away.
        if geteuid().is_root() {
            std::os::unix::fs::chown(&real, Some(65534), None).unwrap();
            assert!(matches!(Sockets::open_in(&real), Err(SocketError::NotOurs { owner: 65534, .. })));
        } else {
            assert!(matches!(Sockets::open_in(Path::new("/")), Err(SocketError::NotOurs { owner: 0, .. })));
        }
    }

    #[test]
    fn the_path_of_a_socket_is_short_or_refused_before_anybody_logs_in() {
        let run = |length: usize| Some(OsString::from(format!("/{}", "x".repeat(length - 1))));
        assert_eq!(home(None, 1000), Path::new("/tmp/nb-1000"));
        assert_eq!(home(Some("run".into()), 1000), Path::new("/tmp/nb-1000"));
        assert_eq!(home(run(200), 1000), Path::new("/tmp/nb-1000"));
        assert_eq!(home(Some("/tmp".into()), 1000), Path::new("/tmp/nb"));
        let scratch = tempfile::tempdir().unwrap();
        let deep = scratch.path().join("x".repeat(LONGEST_PATH));
        let sockets = Sockets::open_in(&deep).unwrap();
        assert!(matches!(sockets.path(), Err(SocketError::TooLong(_))));
    }

    #[test]
    fn what_a_killed_run_left_is_removed_and_what_a_living_one_holds_is_not() {
        let scratch = tempfile::tempdir().unwrap();
        let home = scratch.path().join("nb");
        let living = Sockets::open_in(&home).unwrap();
        let left = home.join("abcdef");
        DirBuilder::new().mode(0o700).create(&left).unwrap();
        fs::write(left.join(LOCK), "").unwrap();
        fs::write(left.join("0"), "").unwrap();
        let next = Sockets::open_in(&home).unwrap();
        assert!(!left.exists());
        assert!(living.folder().join(LOCK).exists() && next.folder().join(LOCK).exists());
    }
}
