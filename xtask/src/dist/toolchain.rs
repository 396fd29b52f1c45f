//! A compiler for targets that are not installed, unpacked below `target/dist` and nowhere else.
//!
//! Debian's `rustc-web` comes with the source of the standard library, so that it can be built for any target; `zig`, from the
//! Python package index, is the C compiler and linker, with musl for each target. Both come through the machine's ordinary
//! clients (`apt-get`, `pip`). Everything is kept, so that it is fetched once.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::{execute, note, output};

/// Pinned, so that the same source gives the same program.
const PYTHON_PACKAGES: [&str; 2] = ["cargo-zigbuild==0.24.0", "ziglang==0.17.0"];

/// What every system has anyway, and must not come from elsewhere.
const OF_THE_SYSTEM: [&str; 3] = ["libc6", "libgcc-s1", "libstdc++6"];

/// Zig as linker, for whichever compiler.
pub(super) struct Zig {
    programs: PathBuf,
}

/// Debian's compiler with the source of the standard library.
pub(super) struct Compiler {
    root: PathBuf,
}

impl Zig {
    /// Fetches it, if it is not there.
    pub(super) fn prepare(folder: &Path) -> Result<Self> {
        let place = folder.join("zig");
        let zig = Self { programs: place.join("bin") };
        if zig.programs.join("cargo-zigbuild").exists() {
            return Ok(zig);
        }
        note("fetching zig and cargo-zigbuild (some 100 MB) from the Python package index");
        execute(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&place))
            .context("python3 with its venv module is needed (Debian: apt install python3-venv)")?;
        let mut pip = Command::new(zig.programs.join("pip"));
        execute(pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(PYTHON_PACKAGES)).with_context(
            || format!("the Python package index gave no {}: is there a network?", PYTHON_PACKAGES.join(", ")),
        )?;
        Ok(zig)
    }

    /// Cargo with zig as linker and C compiler.
    pub(super) fn cargo(&self) -> Command {
        let mut command = Command::new(self.programs.join("cargo-zigbuild"));
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(std::iter::once(self.programs.clone()).chain(std::env::split_paths(&path)));
        command.arg("zigbuild").env("PATH", path.unwrap_or_else(|_| OsString::from(&self.programs)));
        command
    }
}

impl Compiler {
    /// Fetches and unpacks it, if it is not there.
    pub(super) fn prepare(folder: &Path) -> Result<Self> {
        let root = folder.join("rustc");
        let compiler = Self { root };
        if compiler.rustc().exists() {
            return Ok(compiler);
        }
        let packages = packages()?;
        let (archives, unpacked) = (folder.join("packages"), folder.join("rustc.new"));
        for place in [&archives, &unpacked] {
            let _ = fs::remove_dir_all(place);
            fs::create_dir_all(place).with_context(|| format!("cannot make {}", place.display()))?;
        }
        note(&format!("fetching {} Debian packages (some 150 MB): {}", packages.len(), packages.join(" ")));
        execute(Command::new("apt-get").args(["download", "-qq"]).args(&packages).current_dir(&archives))
            .context("apt-get gave not all packages; are its lists fresh? as root: apt-get update")?;
        for archive in fs::read_dir(&archives)? {
            execute(Command::new("dpkg-deb").arg("--extract").arg(archive?.path()).arg(&unpacked))?;
        }
        fs::remove_dir_all(&archives)?;
        // Whole, or not there.
        fs::rename(&unpacked, &compiler.root).context("cannot put the compiler in its place")?;
        if !compiler.rustc().exists() {
            bail!("the Debian packages hold no usr/bin/rustc");
        }
        Ok(compiler)
    }

    fn rustc(&self) -> PathBuf {
        self.root.join("usr/bin/rustc")
    }

    /// Lets cargo use it, and build the standard library with it.
    pub(super) fn attach(&self, cargo: &mut Command) {
        let libraries = ["usr/lib/x86_64-linux-gnu", "lib/x86_64-linux-gnu"].map(|folder| self.root.join(folder));
        let libraries = std::env::join_paths(libraries).unwrap_or_default();
        // A stable cargo takes the unstable flag with RUSTC_BOOTSTRAP. The compiler has no start files of musl: zig has.
        cargo.args(["-Zbuild-std=std,panic_abort"]);
        cargo.env("RUSTC", self.rustc()).env("LD_LIBRARY_PATH", libraries).env("RUSTC_BOOTSTRAP", "1");
        cargo.env("RUSTFLAGS", "-C link-self-contained=no -C target-feature=+crt-static");
    }
}

/// The compiler's packages and the libraries that they need, as this machine's package lists have them.
fn packages() -> Result<Vec<String>> {
    if cfg!(not(target_arch = "x86_64")) {
        bail!("the compiler can be unpacked on x86_64 alone; install the target by rustup instead");
    }
    let list = |package: &str| {
        let mut command = Command::new("apt-cache");
        command.args(["depends", "--recurse", "--no-recommends", "--no-suggests", "--no-conflicts", "--no-breaks"]);
        output(command.args(["--no-replaces", "--no-enhances", package]))
    };
    let listed = list("libstd-rust-web-dev").context(
        "no libstd-rust-web-dev in this machine's package lists (Debian 12 has it, after apt-get update); or install the \
         target by rustup",
    )?;
    // Packages begin a line; their relations are indented, and names in angle brackets are no packages.
    let needed = listed.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
    let needed = needed.filter(|name| !OF_THE_SYSTEM.contains(name) && !name.ends_with("-base"));
    let own = ["rustc-web", "rust-web-src"].into_iter();
    let mut packages: Vec<String> = own.chain(needed).map(ToOwned::to_owned).collect();
    packages.sort_unstable();
    packages.dedup();
    Ok(packages)
}
