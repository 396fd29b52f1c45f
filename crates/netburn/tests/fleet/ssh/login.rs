//! Logins: one for each device, and nothing that logs in behind it.

use std::fs;
use std::net::TcpListener;
use std::os::unix::fs::MetadataExt;
use std::time::Duration;

use netburn::fleet::ssh::{Cause, Destination, Login, LoginError, LoginOptions, RemoteCommand, RunError};

use crate::sshd::{Greeting, Manner, Sshd, device, make_key};

const PATIENCE: Duration = Duration::from_secs(60);

fn cause(outcome: Result<Login, LoginError>) -> (Cause, String) {
    match outcome {
        Err(error @ LoginError::Failed { .. }) => {
            let words = error.to_string();
            let LoginError::Failed { cause, .. } = error else { unreachable!("it is the one that was matched") };
            (cause, words)
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn all_commands_go_through_one_login() {
    let sshd = Sshd::start();
    let login = sshd.log_in().await.unwrap();
    for _ in 0..3 {
        let output = login.run(&RemoteCommand::Nothing, &[], PATIENCE).await.unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
    assert_eq!(sshd.connections(), 1);
    assert_eq!(sshd.log().matches("Accepted publickey").count(), 1, "{}", sshd.log());
}

#[tokio::test]
async fn a_command_without_a_login_fails_and_does_not_log_in_anew() {
    let sshd = Sshd::start();
    // By an address, which ssh would find again without any config.
    let there = Destination::parse(&format!("127.0.0.1:{}", sshd.port)).unwrap();
    let login = Login::open(&there, &sshd.sockets(), &sshd.options()).await.unwrap();
    sshd.cut();
    crate::wait::until("the master to notice", || (!login.is_alive()).then_some(()));
    let outcome = login.run(&RemoteCommand::Nothing, &[], PATIENCE).await;
    assert!(matches!(outcome, Err(RunError::Lost { .. })), "{outcome:?}");
    assert_eq!(sshd.connections(), 1);
}

#[tokio::test]
async fn logging_out_leaves_no_socket_and_no_master() {
    let sshd = Sshd::start();
    let login = sshd.log_in().await.unwrap();
    let socket = login.socket().to_owned();
    assert!(socket.exists());
    login.close().await;
    assert!(!socket.exists());
}

#[tokio::test]
async fn however_long_a_hosts_name_is_the_socket_has_a_short_path_in_a_folder_that_is_ours_alone() {
    let sshd = Sshd::start();
    let long = Destination::parse(&"long-name.".repeat(20)).unwrap();
    let sockets = sshd.sockets();
    let login = Login::open(&long, &sockets, &sshd.options()).await.unwrap();
    // ssh adds 17 bytes while it makes the socket, and the kernel takes 107.
    assert!(login.socket().as_os_str().len() <= 90, "{:?}", login.socket());
    for folder in [sockets.folder(), sockets.folder().parent().unwrap()] {
        assert_eq!(fs::metadata(folder).unwrap().mode() & 0o7777, 0o700, "{folder:?}");
    }
    login.close().await;
}

#[tokio::test]
async fn what_the_users_config_forwards_or_runs_is_not_forwarded_or_run() {
    let sshd = Sshd::start();
    let evidence = sshd.path("evidence");
    sshd.configure(&format!(
        "Host *\n ForwardAgent yes\n ForwardX11 yes\n RequestTTY force\n RemoteCommand touch {0}\n PermitLocalCommand yes\n \
         LocalCommand touch {0}\n LocalForward 127.0.0.1:1 127.0.0.1:1\n ControlPath none\n LogLevel QUIET\n",
        evidence.display()
    ));
    let login = sshd.log_in().await.unwrap();
    let output = login.run(&RemoteCommand::Nothing, &[], PATIENCE).await.unwrap();
    assert!(output.status.success() && !evidence.exists());
}

#[tokio::test]
async fn a_host_whose_key_has_changed_is_named_and_nothing_is_run_there() {
    let sshd = Sshd::start();
    make_key(&sshd.path("other"), "");
    sshd.know(&sshd.path("other.pub"));
    let (cause, words) = cause(sshd.log_in().await);
    assert_eq!(cause, Cause::HostKeyChanged);
    assert!(words.contains("cannot log in to device") && words.contains("ssh-keygen -R"), "{words}");
    assert_eq!(sshd.log().matches("Accepted").count(), 0);
}

#[tokio::test]
async fn a_host_that_nobody_knows_is_not_trusted_where_nobody_can_be_asked() {
    let sshd = Sshd::start();
    fs::write(sshd.path("known_hosts"), "").unwrap();
    assert_eq!(cause(sshd.log_in().await).0, Cause::HostKeyUnknown);
    sshd.configure("StrictHostKeyChecking ask\n");
    assert_eq!(cause(sshd.log_in().await).0, Cause::HostKeyUnknown);
}

#[tokio::test]
async fn a_host_that_takes_none_of_our_keys_says_what_it_takes() {
    let sshd = Sshd::start();
    fs::write(sshd.path("authorized"), "").unwrap();
    let (cause, words) = cause(sshd.log_in().await);
    assert_eq!(cause, Cause::PermissionDenied { methods: "publickey".into() });
    assert!(words.contains("ssh-copy-id device"), "{words}");
}

#[tokio::test]
async fn a_machine_without_an_ssh_server_refuses() {
    let sshd = Sshd::start();
    // A port that was just free; nobody listens there any more.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let nobody = Destination::parse(&format!("device:{port}")).unwrap();
    let outcome = Login::open(&nobody, &sshd.sockets(), &sshd.options()).await;
    assert_eq!(cause(outcome).0, Cause::Refused);
}

#[tokio::test]
async fn a_host_that_takes_the_connection_and_says_nothing_is_given_up() {
    let sshd = Sshd::start_in(Manner { greeting: Greeting::Silence, ..Manner::default() });
    let options = LoginOptions { connect_timeout: Duration::from_secs(1), ..sshd.options() };
    let (cause, words) = cause(Login::open(&device(), &sshd.sockets(), &options).await);
    assert_eq!(cause, Cause::TimedOut, "{words}");
}

#[tokio::test]
async fn a_name_that_leads_nowhere_is_called_so() {
    let sshd = Sshd::start();
    // ".invalid" never resolves (RFC 6761 §6.4).
    sshd.configure("Host device\n HostName nobody.invalid\n");
    assert_eq!(cause(sshd.log_in().await).0, Cause::HostNotFound);
}

#[tokio::test]
async fn a_config_that_ssh_does_not_understand_is_to_blame_itself() {
    let sshd = Sshd::start();
    sshd.configure("Hots device\n");
    let (cause, words) = cause(sshd.log_in().await);
    assert_eq!(cause, Cause::Config);
    assert!(words.contains("line 1"), "{words}");
}
