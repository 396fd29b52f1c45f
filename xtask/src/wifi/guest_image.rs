//! The guest's first and only file system: an archive that the kernel unpacks into memory and runs `/init` of.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use super::debian::Debian;
use super::kernel::Kernel;

/// The guest's programs beside busybox, which is one file without libraries, by the names of their files in Debian's packages.
const PROGRAMS: [&str; 8] = ["dash", "ip", "bridge", "iw", "hostapd", "hostapd_cli", "wpa_supplicant", "wpa_cli"];

/// What the guest does, and how its radios are set up: files of this repository, each at its place in the guest.
const FILES: [(&str, &str); 6] = [
    ("init", include_str!("guest/init")),
    ("etc/waiting.sh", include_str!("guest/waiting.sh")),
    ("etc/ap-2.4ghz.conf", include_str!("guest/ap-2.4ghz.conf")),
    ("etc/ap-5ghz.conf", include_str!("guest/ap-5ghz.conf")),
    ("etc/station.conf", include_str!("guest/station.conf")),
    ("etc/call.toml", include_str!("guest/call.toml")),
];

/// Regulatory database and its signature; the package leaves the choice between two signers to the administrator.
const REGULATORY: [(&str, &str); 2] = [
    ("lib/firmware/regulatory.db-debian", "lib/firmware/regulatory.db"),
    ("lib/firmware/regulatory.db.p7s-debian", "lib/firmware/regulatory.db.p7s"),
];

/// Packs the guest into `archive`, by way of the folder `tree`.
pub(crate) fn pack(debian: &Debian, kernel: &Kernel, netburn: &Path, tree: &Path, archive: &Path) -> Result<()> {
    if tree.exists() {
        fs::remove_dir_all(tree).with_context(|| format!("cannot empty {}", tree.display()))?;
    }
    let mut guest = Guest { tree, libraries: BTreeSet::new() };
    for folder in ["proc", "sys", "dev", "run", "tmp", "results"] {
        guest.folder(folder)?;
    }
    for name in PROGRAMS {
        guest.program(debian, &debian.program(name)?, name)?;
    }
    guest.program(debian, netburn, "netburn")?;
    guest.copy(&debian.program("busybox")?, "bin/busybox")?;
    guest.copy(&debian.program("dash")?, "bin/sh")?;
    guest.copy(&debian.loader(), "lib64/ld-linux-x86-64.so.2")?;
    for (path, text) in FILES {
        guest.write(path, text)?;
    }
    fs::set_permissions(tree.join("init"), fs::Permissions::from_mode(0o755)).context("cannot make init executable")?;
    guest.modules(kernel)?;
    for (from, to) in REGULATORY {
        guest.copy(&debian.path(from), to)?;
    }
    write_archive(debian, tree, archive)
}

/// The guest's files, as they come together.
struct Guest<'a> {
    tree: &'a Path,
    libraries: BTreeSet<PathBuf>,
}

impl Guest<'_> {
    fn folder(&self, path: &str) -> Result<()> {
        let folder = self.tree.join(path);
        fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))
    }

    fn write(&self, path: &str, text: &str) -> Result<()> {
        let file = self.tree.join(path);
        if let Some(folder) = file.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
    }

    fn copy(&self, from: &Path, to: &str) -> Result<()> {
        let to = self.tree.join(to);
        if let Some(folder) = to.parent() {
            fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
        }
        fs::copy(from, &to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
        Ok(())
    }

    /// A program as `/bin/NAME`, with its libraries.
    fn program(&mut self, debian: &Debian, program: &Path, name: &str) -> Result<()> {
        self.copy(program, &format!("bin/{name}"))?;
        for library in debian.libraries(program)? {
            let name = library.file_name().context("a library without a name")?.to_string_lossy().into_owned();
            if self.libraries.insert(library.clone()) {
                self.copy(&library, &format!("lib/x86_64-linux-gnu/{name}"))?;
            }
        }
        Ok(())
    }

    fn modules(&self, kernel: &Kernel) -> Result<()> {
        let folder = format!("lib/modules/{}", kernel.version);
        for module in kernel.wanted()? {
            self.copy(&kernel.modules().join(module), &format!("{folder}/{module}"))?;
        }
        for table in ["modules.dep", "modules.alias", "modules.symbols"] {
            self.copy(&kernel.modules().join(table), &format!("{folder}/{table}"))?;
        }
        let names: Vec<&str> = kernel.loaded().collect();
        self.write("etc/modules", &format!("{}\n", names.join("\n")))
    }
}

/// An archive of `tree` in the format that the kernel unpacks ("newc"), not compressed: it is read once.
fn write_archive(debian: &Debian, tree: &Path, archive: &Path) -> Result<()> {
    let mut paths = Vec::new();
    list(tree, tree, &mut paths)?;
    let file = fs::File::create(archive).with_context(|| format!("cannot write {}", archive.display()))?;
    let mut cpio = debian
        .command("cpio")?
        .args(["--create", "--format=newc", "--quiet", "--null", "--owner=+0:+0"])
        .current_dir(tree)
        .stdin(Stdio::piped())
        .stdout(file)
        .spawn()
        .context("cannot start cpio")?;
    let written = cpio.stdin.take().map_or(Ok(()), |mut input| input.write_all(paths.join("\0").as_bytes()));
    let status = cpio.wait().context("cannot wait for cpio")?;
    written.context("cpio does not take the list of files")?;
    if !status.success() {
        bail!("cpio could not write {}", archive.display());
    }
    Ok(())
}

/// All that lies below `folder`, as paths from `top`; a folder before what is in it.
fn list(top: &Path, folder: &Path, paths: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        paths.push(path.strip_prefix(top)?.to_string_lossy().into_owned());
        if path.is_dir() {
            list(top, &path, paths)?;
        }
    }
    Ok(())
}
