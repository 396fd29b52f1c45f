//! Programs that can be copied to a device: which machine each is for, and where this machine has them.

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use sha2::{Digest as _, Sha256};
use thiserror::Error;

/// SHA-256 of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Of this very program, as it runs.
    ///
    /// # Errors
    /// Where the system does not let a program read itself.
    pub fn of_this_program() -> io::Result<Self> {
        Ok(Self::of(&fs::read(THIS_PROGRAM)?))
    }
}

/// 64 hexadecimal digits.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The file that runs, even where its name leads to a newer one by now.
const THIS_PROGRAM: &str = "/proc/self/exe";

/// A kind of machine that a binary can be made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Arch {
    /// 64-bit PC.
    X86_64,
    /// 64-bit ARM: Raspberry Pi 3 and later with a 64-bit kernel, most Chromebooks with ARM.
    Aarch64,
    /// 32-bit ARM with hardware floating point, version 7 and later.
    Armv7,
}

impl Arch {
    /// From what `uname -m` says of a kernel. A 64-bit kernel runs our static 64-bit program also under a 32-bit system.
    #[must_use]
    pub fn of_kernel(machine: &str) -> Option<Self> {
        match machine {
            "x86_64" => Some(Self::X86_64),
            "aarch64" => Some(Self::Aarch64),
            "armv7l" | "armv8l" => Some(Self::Armv7),
            _ => None,
        }
    }

    /// As it stands in the names of files: `netburn-aarch64-linux`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::X86_64 => "x86_64",
            Self::Aarch64 => "aarch64",
            Self::Armv7 => "armv7",
        }
    }

    /// `e_machine` of its ELF files (System V ABI, and its supplements for each processor).
    const fn elf_machine(self) -> u16 {
        match self {
            Self::X86_64 => 62,
            Self::Aarch64 => 183,
            Self::Armv7 => 40,
        }
    }
}

/// A program for one kind of machine, in memory: what is digested is what is sent.
#[derive(Clone, Debug)]
pub(super) struct Binary {
    pub(super) bytes: Vec<u8>,
    pub(super) digest: Digest,
    /// Where it comes from, for messages.
    pub(super) file: PathBuf,
    /// Whether it needs libraries of the machine that it runs on.
    pub(super) linkage: Linkage,
}

/// Whether a program stands alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Linkage {
    /// It runs on any kernel of its architecture.
    Static,
    /// It needs a loader and libraries, which another device may not have, or in another version.
    Dynamic,
}

/// Why there is no program for a device.
#[derive(Debug, Error)]
pub enum BinaryError {
    /// It was built for none of the places that were looked at.
    #[error(
        "there is no netburn for {} here: looked for {name} in {}; make it by: cargo xtask dist --target {}, or name its folder in \
         NETBURN_AGENTS", .arch.name(), list(.looked_in), .arch.name()
    )]
    Missing {
        /// The kind of machine.
        arch: Arch,
        /// The name of the file.
        name: String,
        /// The folders, in the order in which they were looked at.
        looked_in: Vec<PathBuf>,
    },
    /// A file has the name, but is no program for such a machine.
    #[error("{} is no program for {}; make it anew by: cargo xtask dist --target {}", .file.display(), .arch.name(), .arch.name())]
    WrongMachine {
        /// The file.
        file: PathBuf,
        /// What its name says.
        arch: Arch,
    },
    /// It is there, but cannot be read.
    #[error("cannot read {}: {source}", .file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

fn list(folders: &[PathBuf]) -> String {
    folders.iter().map(|folder| folder.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// Where programs for devices come from.
#[derive(Debug)]
pub struct Binaries {
    own: PathBuf,
    folders: Vec<PathBuf>,
    /// Read and digested once, however many devices want it.
    found: Mutex<BTreeMap<Arch, Arc<Binary>>>,
}

impl Binaries {
    /// This very program, and the folders in which others may lie.
    #[must_use]
    pub fn of_this_machine() -> &'static Self {
        static ALL: LazyLock<Binaries> =
            LazyLock::new(|| Binaries::new(THIS_PROGRAM.into(), folders(&|name| env::var_os(name))));
        &ALL
    }

    /// The program `own`, for machines of its kind, and those that lie in `folders` under the name of `cargo xtask dist`.
    #[must_use]
    pub const fn new(own: PathBuf, folders: Vec<PathBuf>) -> Self {
        Self { own, folders, found: Mutex::new(BTreeMap::new()) }
    }

    /// The program for machines of this kind.
    pub(super) fn get(&self, arch: Arch) -> Result<Arc<Binary>, BinaryError> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(binary) = found.get(&arch) {
            return Ok(Arc::clone(binary));
        }
        let binary = Arc::new(self.choose(arch)?);
        found.insert(arch, Arc::clone(&binary));
        Ok(binary)
    }

    /// This very program where it can run elsewhere too; else a file made for the purpose; else this one all the same,
    /// and the device says whether it runs there.
    fn choose(&self, arch: Arch) -> Result<Binary, BinaryError> {
        let own = match read(&self.own, arch) {
            Ok(own) => Some(own),
            Err(BinaryError::WrongMachine { .. }) => None,
            Err(error) => return Err(error),
        };
        if let Some(own) = own.as_ref().filter(|own| own.linkage == Linkage::Static) {
            return Ok(own.clone());
        }
        let name = format!("netburn-{}-linux", arch.name());
        match self.folders.iter().map(|folder| folder.join(&name)).find(|file| file.is_file()) {
            Some(file) => read(&file, arch),
            None => own.ok_or_else(|| BinaryError::Missing { arch, name, looked_in: self.folders.clone() }),
        }
    }
}

/// Where programs for other machines may lie: what the user names; beside this program, as it is handed out or was
/// built; the user's data folder.
fn folders(variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let named = variable("NETBURN_AGENTS").filter(|named| !named.is_empty()).map(PathBuf::from);
    let own = env::current_exe().ok().and_then(|file| Some(file.parent()?.to_owned()));
    // `cargo xtask dist` puts them into target/dist; a program of cargo's lies in target/release.
    let beside = own.into_iter().flat_map(|own| {
        let built = own.parent().map(|target| target.join("dist"));
        [Some(own.join("agents")), Some(own), built]
    });
    let data = match variable("XDG_DATA_HOME").map(PathBuf::from).filter(|data| data.is_absolute()) {
        Some(data) => Some(data),
        None => variable("HOME").map(|home| PathBuf::from(home).join(".local/share")),
    };
    let data = data.map(|data| data.join("netburn/agents"));
    named.into_iter().chain(beside.flatten()).chain(data).collect()
}

fn read(file: &Path, arch: Arch) -> Result<Binary, BinaryError> {
    let bytes = fs::read(file).map_err(|source| BinaryError::Read { file: file.to_owned(), source })?;
    match Elf::parse(&bytes) {
        Some(elf) if elf.machine == arch.elf_machine() => {
            let digest = Digest::of(&bytes);
            Ok(Binary { bytes, digest, file: file.to_owned(), linkage: elf.linkage })
        }
        _ => Err(BinaryError::WrongMachine { file: file.to_owned(), arch }),
    }
}

/// The little that matters of an ELF file (System V ABI, "Object Files": ELF header and program header).
struct Elf {
    machine: u16,
    linkage: Linkage,
}

impl Elf {
    fn parse(bytes: &[u8]) -> Option<Self> {
        const PT_INTERP: u32 = 3;
        // Little-endian files alone: all our targets are.
        let class = match bytes.get(..6)? {
            [0x7f, b'E', b'L', b'F', class, 1] => *class,
            _ => return None,
        };
        let half = |at: usize| Some(u16::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        let word = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
        // e_phoff, e_phentsize, e_phnum: their places differ with the width of addresses.
        let (table, size, count) = match class {
            1 => (usize::try_from(word(28)?).ok()?, half(42)?, half(44)?),
            2 => {
                let table = u64::from_le_bytes(*bytes.get(32..)?.first_chunk()?);
                (usize::try_from(table).ok()?, half(54)?, half(56)?)
            }
            _ => return None,
        };
        let mut linkage = Linkage::Static;
        for i in 0..usize::from(count) {
            let at = i.checked_mul(usize::from(size))?.checked_add(table)?;
            if word(at)? == PT_INTERP {
                linkage = Linkage::Dynamic;
            }
        }
        Some(Self { machine: half(18)?, linkage })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// An ELF header of 64 bytes and one program header of the given type.
    fn elf(machine: u8, kind: u8) -> Vec<u8> {
        let mut bytes = vec![0; 64 + 56];
        bytes[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1]);
        bytes[18] = machine;
        bytes[32] = 64;
        bytes[54] = 56;
        bytes[56] = 1;
        bytes[64] = kind;
        bytes
    }

    #[test]
    fn a_programs_machine_and_whether_it_stands_alone_are_read_from_its_header() {
        // e_machine 183 is AArch64; program header types: 1 loads, 3 names a loader.
        let alone = Elf::parse(&elf(183, 1)).unwrap();
        assert_eq!((alone.machine, alone.linkage), (183, Linkage::Static));
        assert_eq!(Elf::parse(&elf(62, 3)).unwrap().linkage, Linkage::Dynamic);
        assert!(Elf::parse(b"#!/bin/sh\n").is_none());
        assert!(Elf::parse(&elf(62, 1)[..70]).is_some());
        assert!(Elf::parse(&elf(62, 1)[..66]).is_none(), "the program header is cut off");
    }

    #[test]
    fn a_program_that_stands_alone_is_sent_itself_and_another_only_where_no_file_was_made() {
        let scratch = tempfile::tempdir().unwrap();
        let own = scratch.path().join("own");
        let folders = vec![scratch.path().join("absent"), scratch.path().to_owned()];
        let chosen = |machine, kind| {
            fs::write(&own, elf(machine, kind)).unwrap();
            let binary = Binaries::new(own.clone(), folders.clone()).get(Arch::Aarch64)?;
            assert_eq!(binary.digest, Digest::of(&binary.bytes));
            Ok::<_, BinaryError>(binary.file.clone())
        };
        // Machine 183 is AArch64, 62 is x86-64; kind 1 stands alone, 3 needs a loader.
        assert_eq!((chosen(183, 1).unwrap(), chosen(183, 3).unwrap()), (own.clone(), own.clone()));
        let missing = chosen(62, 1).unwrap_err().to_string();
        for part in ["netburn-aarch64-linux", "absent", "cargo xtask dist --target aarch64", "NETBURN_AGENTS"] {
            assert!(missing.contains(part), "{missing}");
        }
        let made = scratch.path().join("netburn-aarch64-linux");
        fs::write(&made, elf(183, 1)).unwrap();
        let chosen_now = (chosen(183, 1).unwrap(), chosen(183, 3).unwrap(), chosen(62, 1).unwrap());
        assert_eq!(chosen_now, (own.clone(), made.clone(), made.clone()));
        fs::write(&made, elf(62, 1)).unwrap();
        assert!(matches!(chosen(62, 1), Err(BinaryError::WrongMachine { .. })));
    }

    #[test]
    fn this_very_program_can_be_read_while_it_runs() {
        let own = fs::read(env::current_exe().unwrap()).unwrap();
        assert_eq!(Digest::of_this_program().unwrap(), Digest::of(&own));
    }

    #[test]
    fn what_the_user_names_is_looked_at_first_and_the_data_folder_last() {
        let variable = |name: &str| match name {
            "NETBURN_AGENTS" => Some("/named".into()),
            "HOME" => Some("/home/me".into()),
            _ => None,
        };
        let folders = folders(&variable);
        assert_eq!(folders.first().unwrap(), Path::new("/named"));
        assert_eq!(folders.last().unwrap(), Path::new("/home/me/.local/share/netburn/agents"));
        assert!(folders.iter().any(
            |folder| folder.ends_with("agents") && folder.starts_with(env::temp_dir()) || folder.ends_with("dist")
        ));
    }

    #[test]
    fn machines_are_named_as_kernels_name_them() {
        assert_eq!(Arch::of_kernel("armv7l"), Some(Arch::Armv7));
        assert_eq!(Arch::of_kernel("aarch64"), Some(Arch::Aarch64));
        // A Raspberry Pi Zero has version 6, which lacks instructions that version 7 code uses.
        assert_eq!(Arch::of_kernel("armv6l"), None);
        assert_eq!(Arch::of_kernel("i686"), None);
    }

    proptest! {
        #[test]
        fn no_file_makes_the_reader_fail(bytes in proptest::collection::vec(any::<u8>(), 0..200), class in 0u8..4) {
            let mut file = vec![0x7f, b'E', b'L', b'F', class, 1];
            file.extend(&bytes);
            let _ = Elf::parse(&file);
            let _ = Elf::parse(&bytes);
        }
    }
}
