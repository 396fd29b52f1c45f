//! The virtual machine: booted, watched, and killed where it does not end by itself.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use super::debian::Debian;

/// How often the machine is looked at while it runs.
const LOOK: Duration = Duration::from_millis(50);

/// What a machine boots, and where what it says goes.
pub(crate) struct Boot<'a> {
    pub(crate) kernel: &'a Path,
    pub(crate) file_system: &'a Path,
    /// Its console, as it comes.
    pub(crate) console: PathBuf,
    /// Its second serial port: what it hands over, as bytes.
    pub(crate) results: PathBuf,
}

/// Runs a machine until it switches itself off, `limit` at the longest.
pub(crate) fn run(debian: &Debian, boot: &Boot<'_>, limit: Duration) -> Result<()> {
    let Boot { kernel, file_system, console, results } = boot;
    let mut command = debian.command("qemu-system-x86_64")?;
    command
        .env("QEMU_MODULE_DIR", debian.path("usr/lib/x86_64-linux-gnu/qemu"))
        .arg("-L")
        .arg(debian.path("usr/share/seabios"))
        .arg("-L")
        .arg(debian.path("usr/share/qemu"))
        // Emulated, not KVM: machines that are virtual themselves have no KVM, or one that hangs with stock kernels.
        .args(["-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "768"])
        .args(["-nodefaults", "-nic", "none", "-display", "none", "-no-reboot"])
        .arg("-serial")
        .arg(format!("file:{}", console.display()))
        .arg("-serial")
        .arg(format!("file:{}", results.display()))
        .arg("-kernel")
        .arg(kernel)
        .arg("-initrd")
        .arg(file_system)
        // A kernel that panics reboots at once, which -no-reboot makes the end. The kernel distrusts an emulated TSC and would read
        // the clock from a device, at many times the cost; and what it does against the processor's leaks is emulated too.
        .args(["-append", "console=ttyS0 quiet panic=-1 tsc=reliable mitigations=off"]);
    let said = console.with_extension("qemu");
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(File::create(&said).with_context(|| format!("cannot write {}", said.display()))?)
        .spawn()
        .context("cannot start QEMU")?;
    let mut machine = Machine { child };
    let began = Instant::now();
    loop {
        if let Some(status) = machine.child.try_wait().context("cannot wait for QEMU")? {
            if status.success() {
                return Ok(());
            }
            bail!("QEMU failed ({status}): {}", fs::read_to_string(&said).unwrap_or_default().trim());
        }
        if began.elapsed() > limit {
            bail!("the virtual machine did not end within {} s\n{}", limit.as_secs(), last_words(console));
        }
        std::thread::sleep(LOOK);
    }
}

/// The end of what a machine's console showed, for a message.
pub(crate) fn last_words(console: &Path) -> String {
    let text = fs::read(console).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let end = lines.get(lines.len().saturating_sub(40)..).unwrap_or_default();
    format!("the last lines of its console ({}):\n{}", console.display(), end.join("\n"))
}

/// A running machine, which ends with this value.
struct Machine {
    child: Child,
}

impl Drop for Machine {
    fn drop(&mut self) {
        // Both fail only where it is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
