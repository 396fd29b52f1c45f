//! One target: how it is built here, and its file.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::toolchain::{Compiler, Zig};
use super::{Arch, execute, note, output};

/// What to build it with.
enum Way {
    /// An installed target and the linker that the user named for it.
    Installed,
    /// An installed target; zig links.
    InstalledWithZig(Zig),
    /// Nothing is installed: an unpacked compiler builds the standard library too.
    Unpacked(Zig, Compiler),
}

impl Way {
    fn find(arch: Arch, folder: &Path) -> Result<Self> {
        let tools = folder.join("toolchain");
        if is_installed(arch)? {
            // As cargo spells it: CARGO_TARGET_AARCH64_UNKNOWN_LINUX_MUSL_LINKER.
            let linker = format!("CARGO_TARGET_{}_LINKER", arch.triple().to_uppercase().replace('-', "_"));
            if std::env::var_os(linker).is_some() {
                return Ok(Self::Installed);
            }
            return Ok(Self::InstalledWithZig(Zig::prepare(&tools)?));
        }
        note(&format!("{} is not installed (rustup target add {0}), so a compiler is unpacked", arch.triple()));
        let zig = Zig::prepare(&tools)?;
        Ok(Self::Unpacked(zig, Compiler::prepare(&tools)?))
    }

    fn cargo(&self) -> Command {
        let ordinary = || Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        match self {
            Self::Installed => {
                let mut cargo = ordinary();
                cargo.arg("build").env("RUSTFLAGS", "-C target-feature=+crt-static");
                cargo
            }
            Self::InstalledWithZig(zig) => {
                let mut cargo = zig.cargo();
                cargo.env("RUSTFLAGS", "-C target-feature=+crt-static");
                cargo
            }
            Self::Unpacked(zig, compiler) => {
                let mut cargo = zig.cargo();
                compiler.attach(&mut cargo);
                cargo
            }
        }
    }
}

/// Whether the compiler in use has the standard library of this target.
fn is_installed(arch: Arch) -> Result<bool> {
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]))?;
    Ok(Path::new(sysroot.trim()).join("lib/rustlib").join(arch.triple()).join("lib").is_dir())
}

/// Builds it, optimised and stripped, and says where it is.
pub(super) fn build(arch: Arch, folder: &Path) -> Result<PathBuf> {
    let way = Way::find(arch, folder)?;
    // Its own folder: another compiler would have cargo build everything anew, back and forth.
    let built = folder.join("build");
    let mut cargo = way.cargo();
    cargo.args(["--release", "--locked", "--package", "netburn", "--bin", "netburn", "--target", arch.triple()]);
    execute(cargo.env("CARGO_TARGET_DIR", &built)).with_context(|| format!("{} does not build", arch.triple()))?;
    let (from, to) = (built.join(arch.triple()).join("release/netburn"), arch.file(folder));
    std::fs::copy(&from, &to).with_context(|| format!("cannot copy {} to {}", from.display(), to.display()))?;
    Ok(to)
}
