//! A small Debian in a folder: the packages that the virtual machine is made of, QEMU itself included.
//!
//! Nothing is installed on this machine, and nothing on it is used but `apt-get` and `dpkg-deb`: apt works out what the
//! wanted packages need as if no package were installed anywhere, fetches that from the machine's own sources and checks
//! its signatures, and the packages are unpacked, not set up. So no privilege is needed, no service starts
//! (hostapd and wpasupplicant would bring some), and the guest is alike on every machine of one Debian release.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use crate::apt::{Apt, unpack};

/// All that is needed: the one list of it. What these need in turn is found out by apt.
const PACKAGES: [&str; 11] = [
    "linux-image-amd64", // the kernel, with mac80211_hwsim
    "wireless-regdb",    // which channels may be used where; without it no access point may open one on 5 GHz
    "hostapd",           // the access points
    "wpasupplicant",     // the station, and wpa_cli that tells it to roam
    "iw",                // what the kernel says of the link: the truth that netburn is held against
    "iproute2",          // addresses, the bridge, the station's namespace
    "dash",              // the guest's shell; busybox's own would run busybox's `ip`
    "busybox-static",    // all other commands of the guest
    "kmod",              // depmod: the kernel's package comes without the table of what each module needs
    "cpio",              // packs the guest's first file system
    "qemu-system-x86",
];

/// Says which packages [`Debian::root`] was made of; written last, so that a half-made folder is not taken for a whole one.
const STAMP: &str = "packages.txt";

/// The unpacked packages.
pub(crate) struct Debian {
    root: PathBuf,
}

impl Debian {
    /// What stands in `folder` already, or else everything fetched and unpacked into it.
    pub(crate) fn ready(folder: &Path) -> Result<Self> {
        let wanted = format!("{}\n", PACKAGES.join("\n"));
        let root = folder.join("root");
        let stamp = folder.join(STAMP);
        if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
            return Ok(Self { root });
        }
        if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
            bail!("the virtual machine is an x86-64 Linux and runs this machine's netburn: it needs such a machine");
        }
        if folder.exists() {
            fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
        }
        let apt = Apt::new(folder)?;
        super::note("fetching Debian packages (130 MB, once)");
        apt.run(&["update"])?;
        apt.run(&[["install", "--download-only", "--yes"].as_slice(), &PACKAGES].concat())?;
        super::note("unpacking them");
        unpack(&apt.archives, &root)?;
        fs::remove_dir_all(&apt.archives).context("cannot remove the packages' files")?;
        fs::write(&stamp, wanted).with_context(|| format!("cannot write {}", stamp.display()))?;
        Ok(Self { root })
    }

    /// The file that a package put at `path`.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.root.join(path)
    }

    /// The program `name` of one of the packages.
    pub(crate) fn program(&self, name: &str) -> Result<PathBuf> {
        // Packages still differ in whether they say /bin or /usr/bin; installed, the two are one folder.
        let folders = ["usr/bin", "usr/sbin", "bin", "sbin"];
        let mut places = folders.iter().map(|folder| self.root.join(folder).join(name));
        places
            .find(|place| place.is_file())
            .with_context(|| format!("no '{name}' in {}: remove that folder, and it is made anew", self.root.display()))
    }

    /// A command that runs the program `name` with the libraries that were unpacked beside it, whatever this machine has.
    pub(crate) fn command(&self, name: &str) -> Result<Command> {
        let mut command = Command::new(self.loader());
        command.arg("--library-path").arg(self.library_path()).arg(self.program(name)?);
        Ok(command)
    }

    /// The shared libraries that `program` is loaded with, the dynamic loader among them.
    pub(crate) fn libraries(&self, program: &Path) -> Result<Vec<PathBuf>> {
        // What `ldd` does, with our loader and our libraries.
        let output = Command::new(self.loader())
            .arg("--library-path")
            .arg(self.library_path())
            .arg("--list")
            .arg(program)
            .stdin(Stdio::null())
            .output()
            .context("cannot start the dynamic loader")?;
        let text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            bail!(
                "cannot list the libraries of {}: {}",
                program.display(),
                String::from_utf8_lossy(&output.stderr).trim()
            );
        }
        listed(&text).with_context(|| format!("{} cannot run in the guest", program.display()))
    }

    /// The dynamic loader. The link to it in `lib64` is absolute and would lead to this machine's own.
    pub(crate) fn loader(&self) -> PathBuf {
        self.root.join("lib/x86_64-linux-gnu/ld-linux-x86-64.so.2")
    }

    fn library_path(&self) -> OsString {
        let mut path = self.root.join("lib/x86_64-linux-gnu").into_os_string();
        path.push(":");
        path.push(self.root.join("usr/lib/x86_64-linux-gnu"));
        path
    }
}

/// The paths in what the loader lists: `libm.so.6 => /path/libm.so.6 (0x…)`.
fn listed(text: &str) -> Result<Vec<PathBuf>> {
    let mut libraries = Vec::new();
    for line in text.lines() {
        // Without an arrow stand the kernel's own (linux-vdso) and, in a static program, a remark.
        let Some((name, place)) = line.trim().split_once(" => ") else { continue };
        match place.split_once(" (") {
            Some((path, _)) => libraries.push(PathBuf::from(path)),
            None => bail!("its library {name} is in none of the packages"),
        }
    }
    Ok(libraries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loaders_list_gives_paths_and_names_what_is_missing() {
        // As `ld.so --list` of Debian 12 prints it.
        let whole = "\tlinux-vdso.so.1 (0x00007f9f73fb1000)\n\tlibm.so.6 => /r/lib/libm.so.6 (0x00007f9f73b74000)\n\
                     \t/lib64/ld-linux-x86-64.so.2 => /r/lib/ld-linux-x86-64.so.2 (0x00007f9f73fb3000)\n";
        let paths = listed(whole).unwrap();
        assert_eq!(paths, [PathBuf::from("/r/lib/libm.so.6"), PathBuf::from("/r/lib/ld-linux-x86-64.so.2")]);
        let torn = listed("\tlibnl-3.so.200 => not found\n").unwrap_err();
        assert_eq!(torn.to_string(), "its library libnl-3.so.200 is in none of the packages");
        assert_eq!(listed("\tstatically linked\n").unwrap(), Vec::<PathBuf>::new());
    }
}
