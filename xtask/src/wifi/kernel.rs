//! The kernel that boots, and those of its modules that the guest loads.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use super::debian::Debian;

/// What the guest loads, by `modprobe`.
const MODULES: [&str; 7] = [
    "mac80211_hwsim", // radios that hear each other in memory, below the kernel's own 802.11 stack
    "bridge",         // the wired side that joins both access points
    "veth",           // and the server to it
    // Ciphers of WPA2. mac80211 asks for them by name only when a key is added, and the guest loads nothing on demand.
    "aes_generic",
    "ctr",
    "ccm",
    "cmac",
];

/// A kernel with its modules.
pub(crate) struct Kernel {
    /// What QEMU boots.
    pub(crate) image: PathBuf,
    /// The folder of all its modules, under `lib/modules`.
    pub(crate) version: String,
    modules: PathBuf,
    needs: BTreeMap<String, Vec<String>>,
    /// What is part of the image and not loaded.
    built_in: String,
}

impl Kernel {
    /// The one kernel that `debian` has.
    pub(crate) fn of(debian: &Debian) -> Result<Self> {
        let all = debian.path("lib/modules");
        let mut versions = fs::read_dir(&all).with_context(|| format!("cannot read {}", all.display()))?;
        let (Some(version), None) = (versions.next(), versions.next()) else {
            bail!("{} should hold the modules of one kernel", all.display());
        };
        let version = version?.file_name().to_string_lossy().into_owned();
        let modules = all.join(&version);
        let table = modules.join("modules.dep");
        if !table.exists() {
            let mut depmod = debian.command("depmod")?;
            depmod.arg("--basedir").arg(debian.path("")).arg(&version).stdin(Stdio::null());
            if !depmod.status().context("cannot start depmod")?.success() {
                bail!("depmod failed on {}", modules.display());
            }
        }
        let table = fs::read_to_string(&table).with_context(|| format!("cannot read {}", table.display()))?;
        let needs = dependencies(&table);
        let built_in = fs::read_to_string(modules.join("modules.builtin")).context("cannot read modules.builtin")?;
        Ok(Self { image: debian.path(&format!("boot/vmlinuz-{version}")), version, modules, needs, built_in })
    }

    /// The module files that the guest needs, with their paths below the modules' folder.
    pub(crate) fn wanted(&self) -> Result<BTreeSet<&str>> {
        let mut wanted = BTreeSet::new();
        for module in self.loaded() {
            let file = format!("/{module}.ko");
            let entry = self.needs.iter().find(|(path, _)| path.ends_with(&file));
            let (path, needed) = entry.with_context(|| format!("kernel {} has no module {module}", self.version))?;
            wanted.insert(path.as_str());
            wanted.extend(needed.iter().map(String::as_str));
        }
        Ok(wanted)
    }

    /// The names of what the guest has to load: not of what this kernel has in its image.
    pub(crate) fn loaded(&self) -> impl Iterator<Item = &'static str> {
        let built_in = |module: &str| self.built_in.lines().any(|path| path.ends_with(&format!("/{module}.ko")));
        MODULES.into_iter().filter(move |module| !built_in(module))
    }

    /// The folder that [`Self::wanted`] is relative to.
    pub(crate) fn modules(&self) -> &Path {
        &self.modules
    }
}

/// `modules.dep`: a module's path, a colon, and the paths of all that it needs, directly or through others (modprobe.d(5), depmod(8)).
fn dependencies(table: &str) -> BTreeMap<String, Vec<String>> {
    let lines = table.lines().filter_map(|line| line.split_once(':'));
    lines.map(|(path, needs)| (path.to_owned(), needs.split_whitespace().map(str::to_owned).collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_modules_names_all_that_each_one_needs() {
        let table = "kernel/a/alone.ko:\nkernel/b/top.ko: kernel/b/middle.ko kernel/b/bottom.ko\n";
        let needs = dependencies(table);
        assert_eq!(needs["kernel/a/alone.ko"], Vec::<String>::new());
        assert_eq!(needs["kernel/b/top.ko"], ["kernel/b/middle.ko", "kernel/b/bottom.ko"]);
    }
}
