//! `cargo xtask wifi`: netburn on a real 802.11 stack, in a virtual machine.
//!
//! A kernel with `mac80211_hwsim` has radios that hear each other in memory, below the ordinary 802.11 stack: hostapd,
//! wpa_supplicant, nl80211 and all that netburn reads are what they are on a laptop. In it two access points of one
//! network stand, and a station changes from one to the other in the middle of a call. What netburn recorded of that is
//! held against what `iw` saw. Why so, and what it cannot show: docs/decisions/0006-wifi-in-a-virtual-machine.md.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

mod debian;
mod guest_image;
mod judge;
mod kernel;
mod qemu;
mod recorded;
mod truth;
mod words;

use debian::Debian;
use judge::{AP_5, AP_24, Call, Evidence, Finding};
use kernel::Kernel;
use recorded::Recorded;
use truth::Link;

/// How long the machine may run. It takes about a minute; a busy host may need several times that.
const LIMIT: Duration = Duration::from_secs(240);

/// The guest's calls (guest/init).
const CALLS: [Call; 3] = [
    // wpa_supplicant is told to roam; how long that takes is its own affair.
    Call { name: "roam", from: &AP_24, to: &AP_5, without: Duration::ZERO, seen: "event" },
    // It leaves, waits for a second, and joins the other access point.
    Call { name: "rejoin", from: &AP_5, to: &AP_24, without: Duration::from_secs(1), seen: "event" },
    // It roams while netburn sleeps, for more than a second, and what the kernel tells of it is lost.
    Call { name: "asleep", from: &AP_24, to: &AP_5, without: Duration::from_secs(1), seen: "changed" },
];

/// Boots the machine, lets it make its calls, and judges what came of them.
pub(crate) fn run() -> Result<()> {
    let began = Instant::now();
    let folder = folder()?;
    let debian = Debian::ready(&folder.join("debian"))?;
    let kernel = Kernel::of(&debian)?;
    let netburn = crate::bench::netburn_for_tests()?;
    let file_system = folder.join("guest.cpio");
    guest_image::pack(&debian, &kernel, &netburn, &folder.join("guest"), &file_system)?;

    note(&format!("booting kernel {}", kernel.version));
    let boot = qemu::Boot {
        kernel: &kernel.image,
        file_system: &file_system,
        console: folder.join("console.log"),
        results: folder.join("results.tar"),
    };
    let booted = Instant::now();
    qemu::run(&debian, &boot, LIMIT)?;
    let results = folder.join("results");
    unpack(&boot.results, &results).with_context(|| qemu::last_words(&boot.console))?;
    if let Ok(reason) = fs::read_to_string(results.join("failed")) {
        bail!("in the virtual machine: {}\n{}", reason.trim(), qemu::last_words(&boot.console));
    }
    let ran = booted.elapsed();

    let (mut checks, mut failed) = (0, 0);
    for call in &CALLS {
        say(&format!("call '{}'", call.name))?;
        let folder = results.join(call.name);
        let mut findings = judge::judge(call, &evidence(&folder)?);
        for (when, at) in [("before", call.from), ("after", call.to)] {
            let document = read(&folder, &format!("wifi-{when}.json"))?;
            findings.push(words::judge(&document, &read(&folder, &format!("wifi-{when}.txt"))?, at, when));
        }
        for Finding { holds, what } in findings {
            checks += 1;
            failed += u32::from(!holds);
            say(&format!("  {} {what}", if holds { "ok    " } else { "FAILED" }))?;
        }
    }
    let took =
        format!("{:.1} s, {:.1} s of it in the virtual machine", began.elapsed().as_secs_f64(), ran.as_secs_f64());
    if failed > 0 {
        bail!("{failed} of {checks} checks failed after {took}; all results are in {}", results.display());
    }
    say(&format!("wifi: {checks} checks of {} calls hold, in {took}", CALLS.len()))
}

/// What is known of the call whose results lie in `folder`.
fn evidence(folder: &Path) -> Result<Evidence> {
    let run = recorded::run_file(folder)?;
    let recorded = fs::read_to_string(&run).with_context(|| format!("cannot read {}", run.display()))?;
    Ok(Evidence {
        before: Link::parse(&read(folder, "link-before.txt")?)?,
        after: Link::parse(&read(folder, "link-after.txt")?)?,
        events: truth::events(&read(folder, "events.txt")?),
        recorded: Recorded::read(&recorded).with_context(|| format!("in {}", run.display()))?,
    })
}

fn read(folder: &Path, name: &str) -> Result<String> {
    let path = folder.join(name);
    fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
}

fn say(line: &str) -> Result<()> {
    writeln!(std::io::stdout(), "{line}").context("cannot write to standard output")
}

/// Where packages, machine and results lie: in the build folder, as everything else that is made here.
fn folder() -> Result<PathBuf> {
    // This program lies in TARGET/PROFILE.
    let program = std::env::current_exe().context("cannot tell where this program lies")?;
    let target = program.parent().and_then(Path::parent).context("this program does not lie in a build folder")?;
    let folder = target.join("wifi");
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// Unpacks what the guest handed over.
fn unpack(archive: &Path, folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("cannot empty {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut tar = Command::new("tar");
    tar.arg("-x").arg("-f").arg(archive).arg("-C").arg(folder).stdin(Stdio::null());
    if !tar.status().context("cannot start tar")?.success() {
        bail!("the virtual machine handed over no whole archive of results");
    }
    Ok(())
}

/// Says on standard error how far it is.
fn note(text: &str) {
    // Progress that cannot be shown is no reason to stop.
    let _ = writeln!(std::io::stderr(), "wifi: {text}");
}
