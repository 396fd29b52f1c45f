//! What a person is asked, on a terminal of their own.

use std::env;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use netburn::fleet::ssh::{Login, LoginOptions, RemoteCommand, Sockets};
use nix::pty::openpty;

use crate::sshd::{Manner, Sshd, device};

/// Set for the process that plays the program in front of which the person sits: the folder of the test's server.
const FOLDER: &str = "NETBURN_TEST_LOGIN_IN";

/// Logs in as a person who can be asked, runs something twice, and says so.
async fn sit_in_front_of_it(folder: &Path) {
    let options = LoginOptions {
        interactive: true,
        extra: vec!["-F".into(), folder.join("ssh_config").to_str().unwrap().into()],
        connect_timeout: Duration::from_secs(20),
    };
    let login = Login::open(&device(), &Sockets::open_in(&folder.join("nb")).unwrap(), &options).await.unwrap();
    for _ in 0..2 {
        assert!(login.run(&RemoteCommand::Nothing, &[], Duration::from_secs(60)).await.unwrap().status.success());
    }
    login.close().await;
    std::io::stdout().write_all(b"logged in and out\n").unwrap();
}

/// Runs this very test again on a terminal of its own, and types the answers when the questions come. All that the terminal showed.
fn on_a_terminal(test: &str, folder: &Path, answers: &[(&str, &str)]) -> String {
    let terminal = openpty(None, None).unwrap();
    let end = || Stdio::from(OwnedFd::try_clone(&terminal.slave).unwrap());
    let mut command = Command::new("setsid");
    command.args(["--ctty", "--wait"]).arg(env::current_exe().unwrap()).args(["--exact", test, "--nocapture"]);
    command.env(FOLDER, folder).stdin(end()).stdout(end()).stderr(end());
    let mut child = command.spawn().unwrap();
    drop(command);
    drop(terminal.slave);
    let mut keyboard = File::from(terminal.master.try_clone().unwrap());
    let mut screen = File::from(terminal.master);
    let (mut shown, mut answered) = (String::new(), 0);
    let mut buffer = [0; 4096];
    // A terminal without anybody behind it ends in an error, not in an end of file.
    while let Ok(n @ 1..) = screen.read(&mut buffer) {
        shown.push_str(&String::from_utf8_lossy(&buffer[..n]));
        if let Some((question, answer)) = answers.get(answered)
            && shown.contains(question)
        {
            keyboard.write_all(format!("{answer}\n").as_bytes()).unwrap();
            answered += 1;
        }
    }
    assert!(child.wait().unwrap().success(), "{shown}");
    shown
}

#[tokio::test]
async fn a_passphrase_and_a_new_host_key_are_asked_for_once_however_much_is_run() {
    if let Some(folder) = env::var_os(FOLDER) {
        return sit_in_front_of_it(Path::new(&folder)).await;
    }
    let sshd = Sshd::start_in(Manner { passphrase: "open sesame", ..Manner::default() });
    std::fs::write(sshd.path("known_hosts"), "").unwrap();
    sshd.configure("StrictHostKeyChecking ask");
    let test = "ssh::prompt::a_passphrase_and_a_new_host_key_are_asked_for_once_however_much_is_run";
    let answers = [("continue connecting", "yes"), ("Enter passphrase", "open sesame")];
    let shown = on_a_terminal(test, &sshd.path(""), &answers);
    assert!(shown.contains("logged in and out"), "{shown}");
    assert_eq!(shown.matches("continue connecting").count(), 1, "{shown}");
    assert_eq!(shown.matches("Enter passphrase").count(), 1, "{shown}");
    assert!(!shown.contains("open sesame"), "it is not shown while it is typed: {shown}");
    assert_eq!(sshd.connections(), 1);
}
