//! Where a result goes: to stdout, or whole into a file.

use std::fs::{File, Permissions};
use std::io::{self, IsTerminal, Read, Write, stdout};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::NamedTempFile;

use super::Failure;

/// Writes `bytes` as the file `path`, which has either its old content or the whole new one at any moment; `-` is stdout.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path == Path::new("-") {
        return to_stdout(bytes);
    }
    spare(path)?;
    into(path, bytes).map_err(|error| unwritable(path, &error))
}

/// Lets `fill` write the file `path` piece by piece, on the same terms; where it fails, the old content stays.
pub(super) fn stream(
    path: &Path,
    fill: impl FnOnce(&mut (dyn Write + Send)) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if path == Path::new("-") {
        if stdout().is_terminal() {
            return Err(Failure::usage(NO_TEXT));
        }
        return fill(&mut stdout());
    }
    spare(path)?;
    let mut place = Place::of(path).map_err(|error| unwritable(path, &error))?;
    fill(place.file())?;
    place.keep(path).map_err(|error| unwritable(path, &error))
}

/// Whether `path` can be written later, as far as that can be told now: before a run of minutes, and not after it. Its folder
/// may still be to come, as the one of the run files may.
pub(super) fn check(path: &Path) -> Result<(), Failure> {
    if path == Path::new("-") {
        return Ok(());
    }
    spare(path)?;
    match Place::of(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unwritable(path, &error)),
        _ => Ok(()),
    }
}

/// How each run file begins, whole or torn, of whatever version.
const RUN: &[u8] = br#"{"event":"opened""#;

/// Refuses to write over what nothing here can make again: the record of a run, or a scenario that somebody wrote.
fn spare(path: &Path) -> Result<(), Failure> {
    if !path.is_file() {
        return Ok(());
    }
    let mut head = Vec::new();
    // What cannot be read cannot be told, and whether it can be written is told by writing it.
    let _ = File::open(path).and_then(|file| file.take(RUN.len() as u64).read_to_end(&mut head));
    let what = if head == RUN {
        "a run file"
    } else if path.extension().is_some_and(|ending| ending == "toml") {
        "a scenario"
    } else {
        return Ok(());
    };
    Err(Failure::usage(format!("{}: this is {what}, and is not written over: name another file", path.display())))
}

const NO_TEXT: &str = "this is not text: name a file with --output, or send it into a pipe";

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    let cure = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => "free some space",
        io::ErrorKind::NotFound => "make its folder first",
        _ => "name a file in a folder that you may write to",
    };
    Failure::could_not(&anyhow::anyhow!("{}: cannot write it: {error}; {cure}", path.display()))
}

fn into(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut place = Place::of(path)?;
    place.file().write_all(bytes)?;
    place.keep(path)
}

/// Where a result is written.
enum Place {
    /// A pipe or a device, which cannot be replaced, only written to.
    There(File),
    /// Beside the file that it will replace.
    New(NamedTempFile),
}

impl Place {
    fn of(path: &Path) -> io::Result<Self> {
        if path.metadata().is_ok_and(|there| !there.is_file()) {
            return File::options().write(true).open(path).map(Self::There);
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // Readable to whomever files made here are: the umask decides, not the maker of temporary files.
        let readable = Permissions::from_mode(0o666);
        tempfile::Builder::new().prefix(".netburn").permissions(readable).tempfile_in(folder).map(Self::New)
    }

    fn file(&mut self) -> &mut (dyn Write + Send) {
        match self {
            Self::There(file) => file,
            Self::New(file) => file,
        }
    }

    fn keep(self, path: &Path) -> io::Result<()> {
        match self {
            Self::There(_) => Ok(()),
            Self::New(file) => file.persist(path).map(drop).map_err(|error| error.error),
        }
    }
}

/// Text goes anywhere, but bytes that are none would spoil a terminal. Whoever closed the pipe does not want them, and that is no
/// error.
fn to_stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = stdout().lock();
    if out.is_terminal() && std::str::from_utf8(bytes).is_err() {
        return Err(Failure::usage(NO_TEXT));
    }
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::could_not(&anyhow::anyhow!("cannot write the result: {error}")))
        }
        _ => Ok(()),
    }
}
