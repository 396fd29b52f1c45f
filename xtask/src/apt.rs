//! Debian packages fetched and unpacked, not installed: no privilege is needed, and no service starts.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// apt with a state of its own: its lists and packages lie in our folder, and it believes that nothing is installed.
pub(crate) struct Apt {
    options: Vec<String>,
    /// Where it puts what it fetches.
    pub(crate) archives: PathBuf,
}

impl Apt {
    /// One whose state and packages lie in this folder.
    pub(crate) fn new(folder: &Path) -> Result<Self> {
        let state = folder.join("apt");
        let (lists, archives) = (state.join("lists"), state.join("archives"));
        for made in [lists.join("partial"), archives.join("partial")] {
            fs::create_dir_all(&made).with_context(|| format!("cannot make {}", made.display()))?;
        }
        let status = state.join("status");
        fs::write(&status, "").with_context(|| format!("cannot write {}", status.display()))?;
        let options = [
            format!("Dir::State={}", state.display()),
            format!("Dir::State::lists={}", lists.display()),
            format!("Dir::State::status={}", status.display()),
            format!("Dir::Cache={}", state.display()),
            format!("Dir::Cache::archives={}", archives.display()),
            // The lock would be the system's, for which one has to be root.
            "Debug::NoLocking=1".to_owned(),
            // As root, apt fetches as a user of its own, who may not write into our folder.
            "APT::Sandbox::User=root".to_owned(),
            "APT::Install-Recommends=0".to_owned(),
            "Acquire::Languages=none".to_owned(),
            // Hooks of this machine's administrator are about what is installed, and nothing is.
            "APT::Update::Post-Invoke::=true".to_owned(),
        ];
        Ok(Self { options: options.to_vec(), archives })
    }

    /// `apt-get` with these arguments.
    pub(crate) fn run(&self, arguments: &[&str]) -> Result<()> {
        let mut command = Command::new("apt-get");
        command.arg("-qq").args(self.options.iter().flat_map(|option| ["-o", option])).args(arguments);
        // What is downloaded without being installed goes where it is started.
        let output = command.current_dir(&self.archives).stdin(Stdio::null()).output();
        let output =
            output.context("cannot start apt-get; this needs a Debian, from whose sources it takes packages")?;
        if !output.status.success() {
            let (said, printed) = (String::from_utf8_lossy(&output.stderr), String::from_utf8_lossy(&output.stdout));
            bail!("apt-get {} failed: {}", arguments.join(" "), format!("{}\n{}", printed.trim(), said.trim()).trim());
        }
        Ok(())
    }
}

/// Unpacks every package of a folder into another one.
pub(crate) fn unpack(archives: &Path, root: &Path) -> Result<()> {
    fs::create_dir_all(root).with_context(|| format!("cannot make {}", root.display()))?;
    for entry in fs::read_dir(archives).with_context(|| format!("cannot read {}", archives.display()))? {
        let package = entry?.path();
        if package.extension().is_none_or(|extension| extension != "deb") {
            continue;
        }
        let status = Command::new("dpkg-deb").arg("--extract").arg(&package).arg(root).stdin(Stdio::null()).status();
        if !status.context("cannot start dpkg-deb, which is Debian's package dpkg")?.success() {
            bail!("dpkg-deb cannot unpack {}", package.display());
        }
    }
    Ok(())
}
