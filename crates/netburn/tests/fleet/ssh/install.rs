//! This netburn on a device: found, copied, checked, or not allowed.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use netburn::facts::VERSION_LINE;
use netburn::fleet::ssh::install_from;
use netburn::fleet::ssh::{Arch, Binaries, Digest, InstallError, Installed, Login, Program, Push, RemoteCommand};

use crate::sshd::{Manner, Sshd};

/// The program under test, as if it were the one that runs.
pub(super) static OURS: LazyLock<Binaries> = LazyLock::new(|| Binaries::new(program().into(), Vec::new()));

static DIGEST: LazyLock<Digest> = LazyLock::new(|| Digest::of(&fs::read(program()).unwrap()));

const fn program() -> &'static str {
    env!("CARGO_BIN_EXE_netburn")
}

/// Where it lies on the device.
pub(super) fn cached(sshd: &Sshd) -> PathBuf {
    sshd.home().join(format!(".cache/netburn/{}/netburn", *DIGEST))
}

async fn install(login: &Login, policy: Push) -> Result<Installed, InstallError> {
    install_from(&OURS, login, policy).await
}

fn write_program(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
    fs::set_permissions(file, PermissionsExt::from_mode(0o755)).unwrap();
}

/// A server whose sessions find a program of this kind on their `PATH`.
fn with_installed(make: impl FnOnce(&Path)) -> (tempfile::TempDir, Sshd) {
    let folder = tempfile::tempdir().unwrap();
    make(&folder.path().join("netburn"));
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let sshd = Sshd::start_in(Manner { variables: vec![("PATH", path)], ..Manner::default() });
    (folder, sshd)
}

#[tokio::test]
async fn a_device_without_netburn_gets_this_one_once() {
    let sshd = Sshd::start();
    let login = sshd.log_in().await.unwrap();
    let installed = install(&login, Push::Allowed).await.unwrap();
    let pushed = installed.pushed.unwrap();
    let bytes = fs::metadata(program()).unwrap().len();
    assert_eq!((pushed.bytes, pushed.digest, Some(pushed.arch)), (bytes, *DIGEST, Arch::of_kernel(&installed.arch)));
    assert_eq!(installed.agent, RemoteCommand::Agent(Program::Cached(*DIGEST)));
    assert_eq!(installed.version, *VERSION_LINE);
    // The test's server listens on loopback, and so we come from there.
    assert_eq!(installed.seen_from, Some("127.0.0.1".parse().unwrap()));
    let file = cached(&sshd);
    assert_eq!(fs::read(&file).unwrap(), fs::read(program()).unwrap());
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o7777, 0o700);
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1, "nothing is left of the copying");

    let again = install(&login, Push::Allowed).await.unwrap();
    assert_eq!((again.pushed, again.agent), (None, RemoteCommand::Agent(Program::Cached(*DIGEST))));
    // What is there may be used where nothing may be copied.
    assert_eq!(install(&login, Push::Forbidden).await.unwrap().pushed, None);
    assert_eq!(sshd.connections(), 1);
}

#[tokio::test]
async fn a_copy_that_was_damaged_is_found_out_and_replaced() {
    let sshd = Sshd::start();
    let login = sshd.log_in().await.unwrap();
    install(&login, Push::Allowed).await.unwrap();
    // It still runs, and still says the right version; only its digest tells.
    let mut bytes = fs::read(cached(&sshd)).unwrap();
    bytes.push(0);
    fs::write(cached(&sshd), bytes).unwrap();
    assert!(matches!(install(&login, Push::Forbidden).await, Err(InstallError::Forbidden { .. })));
    assert!(install(&login, Push::Allowed).await.unwrap().pushed.is_some());
    assert_eq!(Digest::of(&fs::read(cached(&sshd)).unwrap()), *DIGEST);
}

#[tokio::test]
async fn nothing_is_copied_where_that_is_forbidden() {
    let sshd = Sshd::start();
    let login = sshd.log_in().await.unwrap();
    let error = install(&login, Push::Forbidden).await.unwrap_err();
    assert!(error.to_string().contains("the device has no netburn, and --no-push forbids"), "{error}");
    assert_eq!(fs::read_dir(sshd.home()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_netburn_of_the_same_version_that_is_installed_there_is_used() {
    let (_folder, sshd) = with_installed(|file| symlink(program(), file).unwrap());
    let login = sshd.log_in().await.unwrap();
    let installed = install(&login, Push::Forbidden).await.unwrap();
    assert_eq!((installed.agent, installed.pushed), (RemoteCommand::Agent(Program::OnPath), None));
}

#[tokio::test]
async fn a_netburn_of_another_version_is_left_alone_and_ours_is_copied() {
    let (folder, sshd) = with_installed(|file| write_program(file, "#!/bin/sh\necho netburn 0.0.9\n"));
    let login = sshd.log_in().await.unwrap();
    let error = install(&login, Push::Forbidden).await.unwrap_err();
    assert!(error.to_string().contains("'netburn 0.0.9'"), "{error}");
    let installed = install(&login, Push::Allowed).await.unwrap();
    assert_eq!(installed.agent, RemoteCommand::Agent(Program::Cached(*DIGEST)));
    assert!(fs::read_to_string(folder.path().join("netburn")).unwrap().contains("0.0.9"));
}

#[tokio::test]
async fn start_files_that_print_do_not_confuse_it() {
    let sshd = Sshd::start();
    fs::write(sshd.home().join(".bashrc"), "echo Welcome; echo system Plan9 vax; printf 'no end of line'\n").unwrap();
    fs::write(sshd.home().join(".cshrc"), "echo Welcome\n").unwrap();
    let login = sshd.log_in().await.unwrap();
    let output = login.run(&RemoteCommand::Survey, &[], std::time::Duration::from_secs(60)).await.unwrap();
    assert!(output.stdout.starts_with(b"Welcome"), "the start file is read, or this test shows nothing");
    assert!(install(&login, Push::Allowed).await.unwrap().pushed.is_some());
}

#[tokio::test]
async fn every_shell_that_a_login_may_have_understands_us() {
    // A forced command runs what we sent as another login shell would: SHELL -c TEXT.
    for shell in ["dash", "bash", "busybox ash"] {
        let forced = format!("ForceCommand exec {shell} -c \"$SSH_ORIGINAL_COMMAND\"");
        let sshd = Sshd::start_in(Manner { config: vec![forced], ..Manner::default() });
        let login = sshd.log_in().await.unwrap();
        assert!(install(&login, Push::Allowed).await.unwrap().pushed.is_some(), "{shell}");
        assert_eq!(install(&login, Push::Forbidden).await.unwrap().pushed, None, "{shell}");
    }
}

#[tokio::test]
async fn a_device_without_any_tool_for_digests_lets_the_program_check_itself() {
    // A PATH with the few programs that the texts need, and none that takes a SHA-256.
    let folder = tempfile::tempdir().unwrap();
    for tool in ["sh", "uname", "head", "cut", "mkdir", "cat", "chmod", "mv", "rm"] {
        let real = ["/usr/bin", "/bin"].map(|bin| Path::new(bin).join(tool)).into_iter().find(|file| file.exists());
        symlink(real.unwrap(), folder.path().join(tool)).unwrap();
    }
    let path = folder.path().display().to_string();
    let sshd = Sshd::start_in(Manner { variables: vec![("PATH", path)], ..Manner::default() });
    let login = sshd.log_in().await.unwrap();
    assert!(install(&login, Push::Allowed).await.unwrap().pushed.is_some());
    assert_eq!(install(&login, Push::Forbidden).await.unwrap().pushed, None);
}

#[tokio::test]
async fn a_cache_folder_that_cannot_be_written_is_named_with_the_cure() {
    let sshd = Sshd::start();
    // A file where the folder should be: even root cannot make a folder there.
    fs::write(sshd.home().join(".cache"), "").unwrap();
    let login = sshd.log_in().await.unwrap();
    let error = install(&login, Push::Allowed).await.unwrap_err().to_string();
    assert!(error.contains("XDG_CACHE_HOME") && error.contains("mkdir"), "{error}");
}

#[tokio::test]
async fn a_full_disk_and_one_where_programs_may_not_run_are_told_apart() {
    // /dev/shm is no place that we may fill; a file system of the test's own needs a mount namespace, where the whole server
    // runs. Its variables lead the cache there.
    for (options, part) in [("size=64k", "no space is left"), ("noexec", "noexec")] {
        let sshd = Sshd::start_in(Manner { mount: Some(options), ..Manner::default() });
        let login = sshd.log_in().await.unwrap();
        let error = install(&login, Push::Allowed).await.unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[tokio::test]
async fn a_login_that_runs_no_commands_is_called_so() {
    let forced = "ForceCommand echo This account is for file transfer only. >&2".to_owned();
    let sshd = Sshd::start_in(Manner { config: vec![forced], ..Manner::default() });
    let login = sshd.log_in().await.unwrap();
    let error = install(&login, Push::Allowed).await.unwrap_err().to_string();
    assert!(error.contains("ran no command for us") && error.contains("file transfer only"), "{error}");
}

#[tokio::test]
async fn a_machine_that_netburn_is_not_made_for_is_called_by_its_name() {
    let folder = tempfile::tempdir().unwrap();
    write_program(&folder.path().join("uname"), "#!/bin/sh\necho Linux armv6l\n");
    let path = format!("{}:/usr/bin:/bin", folder.path().display());
    let sshd = Sshd::start_in(Manner { variables: vec![("PATH", path)], ..Manner::default() });
    let login = sshd.log_in().await.unwrap();
    let error = install(&login, Push::Allowed).await.unwrap_err().to_string();
    assert!(error.contains("'Linux armv6l'"), "{error}");
}
