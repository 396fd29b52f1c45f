//! Agents over SSH: their stream, and their end.

use std::fs;

use netburn::control::frame::{self, Decoder};
use netburn::control::message::{FromAgent, ToAgent};
use netburn::fleet::link::Link;
use netburn::fleet::ssh::{Login, Push, install_from};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::install::{OURS, cached};
use crate::sshd::Sshd;
use crate::wait::{running, until};

async fn start(login: &Login) -> (Link, Decoder) {
    let installed = install_from(&OURS, login, Push::Allowed).await.unwrap();
    let mut link = login.link(&installed.agent).unwrap();
    let mut decoder = Decoder::default();
    let hello = hear(&mut link, &mut decoder).await;
    assert!(matches!(hello, FromAgent::Hello { .. }), "{hello:?}");
    (link, decoder)
}

async fn hear(link: &mut Link, decoder: &mut Decoder) -> FromAgent {
    let mut buffer = [0; 4096];
    loop {
        if let Some(message) = decoder.poll().unwrap() {
            return message;
        }
        let n = link.input.read(&mut buffer).await.unwrap();
        assert_ne!(n, 0, "the agent ended");
        decoder.push(&buffer[..n]);
    }
}

#[tokio::test]
async fn an_agent_answers_through_the_login_even_where_start_files_print() {
    let sshd = Sshd::start();
    fs::write(sshd.home().join(".bashrc"), "echo Welcome; printf 'no end of line'\n").unwrap();
    let login = sshd.log_in().await.unwrap();
    let (mut link, mut decoder) = start(&login).await;
    link.output.write_all(&frame::encode(&ToAgent::Probe { id: 7 }).unwrap()).await.unwrap();
    let reading = hear(&mut link, &mut decoder).await;
    assert!(matches!(reading, FromAgent::Reading { id: 7, .. }), "{reading:?}");
    assert_eq!(sshd.connections(), 1);
}

#[tokio::test]
async fn no_shell_stays_beside_an_agent() {
    let sshd = Sshd::start();
    let login = sshd.log_in().await.unwrap();
    let _link = start(&login).await;
    let agents = running(&cached(&sshd));
    assert_eq!(agents.len(), 1);
    // Its parent is the server itself: neither the login shell nor the one that it started.
    let status = fs::read_to_string(format!("/proc/{}/status", agents[0])).unwrap();
    let parent = status.lines().find_map(|line| line.strip_prefix("PPid:")).unwrap().trim();
    assert_eq!(fs::read_to_string(format!("/proc/{parent}/comm")).unwrap().trim(), "sshd");
}

#[tokio::test]
async fn an_agent_ends_when_its_link_is_dropped() {
    let sshd = Sshd::start();
    let login = sshd.log_in().await.unwrap();
    let link = start(&login).await;
    drop(link);
    until("the agent to end", || running(&cached(&sshd)).is_empty().then_some(()));
}

#[tokio::test]
async fn an_agent_ends_when_the_connection_is_cut() {
    let sshd = Sshd::start();
    let login = sshd.log_in().await.unwrap();
    let (mut link, _) = start(&login).await;
    sshd.cut();
    until("the agent to end", || running(&cached(&sshd)).is_empty().then_some(()));
    // And its controller hears of it.
    let mut rest = Vec::new();
    link.input.read_to_end(&mut rest).await.unwrap();
    let status = link.process.as_mut().unwrap().wait().await.unwrap();
    assert_eq!(status.code(), Some(255));
}

#[tokio::test]
async fn an_agent_ends_when_the_ssh_that_carries_it_is_killed() {
    let sshd = Sshd::start();
    let login = sshd.log_in().await.unwrap();
    let (mut link, _) = start(&login).await;
    link.process.as_mut().unwrap().start_kill().unwrap();
    until("the agent to end", || running(&cached(&sshd)).is_empty().then_some(()));
    // The login itself goes on, for whatever else it carries.
    assert!(login.is_alive());
}
