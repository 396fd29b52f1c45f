//! A controller with a lobby, and devices that join it.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use netburn::control::frame::{self, Decoder};
use netburn::control::message::{FromAgent, ToAgent};
use netburn::fleet::address::JoinLink;
use netburn::fleet::link::Link;
use netburn::fleet::lobby::{Arrival, Joined, Lobby, Manners, WayIn};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A test that waits for longer than this hangs.
pub(crate) const HANGS: Duration = Duration::from_secs(60);

pub(crate) const ANY_PORT: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 0);

/// Waits for what must come.
pub(crate) async fn soon<T>(what: &str, future: impl Future<Output = T>) -> T {
    tokio::time::timeout(HANGS, future).await.unwrap_or_else(|_| panic!("waited a minute for {what}"))
}

/// Looks again and again until this is so.
pub(crate) async fn until_it_is(what: &str, is: impl Fn() -> bool) {
    let looking = async {
        while !is() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    soon(what, looking).await;
}

/// A lobby on a port of its own.
pub(crate) async fn lobby(names: &[&str], manners: Manners) -> Lobby {
    let way_in = WayIn::listen(Some(ANY_PORT)).await.unwrap();
    let host = format!("127.0.0.1:{}", way_in.port().unwrap());
    let names = names.iter().map(ToString::to_string).collect();
    Lobby::open_with(names, way_in, host, manners).unwrap()
}

/// The link for a slot that is free.
pub(crate) fn link_for(lobby: &Lobby, name: &str) -> JoinLink {
    lobby.invitation().guests.into_iter().find(|guest| guest.name == name).unwrap().link
}

/// The same link by another way, such as through a relay.
pub(crate) fn by_way_of(link: &JoinLink, address: SocketAddr) -> JoinLink {
    JoinLink { host: address.to_string(), ..link.clone() }
}

pub(crate) async fn joined(lobby: &mut Lobby) -> Joined {
    match soon("a device to join", lobby.next()).await {
        Arrival::Joined(joined) => *joined,
        Arrival::Left { why, .. } => panic!("a device left: {why}"),
    }
}

pub(crate) async fn left(lobby: &mut Lobby) -> (usize, String) {
    match soon("a device to leave", lobby.next()).await {
        Arrival::Left { slot, why } => (slot, why),
        Arrival::Joined(joined) => panic!("a device joined: {joined:?}"),
    }
}

/// `netburn join` as a process; killed where a test ends early.
pub(crate) struct Device(Child);

/// How a device's process ended.
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) said: String,
}

impl Device {
    pub(crate) fn join(link: &str, more: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_netburn"));
        command.args(["join", link]).args(more).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        Self(command.spawn().unwrap())
    }

    pub(crate) fn pid(&self) -> u32 {
        self.0.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        let pid = self.pid().to_string();
        assert!(Command::new("kill").args([&format!("-{name}"), &pid]).status().unwrap().success());
    }

    /// Waits until it has ended.
    pub(crate) async fn end(self) -> Ended {
        let mut this = self;
        let stderr = this.0.stderr.take().unwrap();
        let read = tokio::task::spawn_blocking(move || {
            let said = std::io::read_to_string(stderr).unwrap();
            (this.0.wait().unwrap().code(), said)
        });
        let (code, said) = soon("a device to end", read).await.unwrap();
        Ended { code, said }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The controller's side of an agent, by hand.
pub(crate) struct Agent {
    link: Link,
    decoder: Decoder,
}

impl Agent {
    pub(crate) fn new(link: Link) -> Self {
        Self { link, decoder: Decoder::default() }
    }

    /// The next thing that it says; `None` when its stream ends.
    pub(crate) async fn hear(&mut self) -> Option<FromAgent> {
        let mut buffer = vec![0; 64 << 10];
        loop {
            if let Some(message) = self.decoder.poll().unwrap() {
                return Some(message);
            }
            match soon("the agent to speak", self.link.input.read(&mut buffer)).await.unwrap() {
                0 => return None,
                read => self.decoder.push(&buffer[..read]),
            }
        }
    }

    pub(crate) async fn say(&mut self, message: &ToAgent) {
        self.link.output.write_all(&frame::encode(message).unwrap()).await.unwrap();
    }

    /// Waits for its hello.
    pub(crate) async fn hello(&mut self) {
        assert!(matches!(self.hear().await, Some(FromAgent::Hello { .. })));
    }

    /// Compares clocks once: the stream works in both directions.
    pub(crate) async fn probe(&mut self, id: u64) {
        self.say(&ToAgent::Probe { id }).await;
        loop {
            match self.hear().await {
                Some(FromAgent::Reading { id: answered, .. }) => break assert_eq!(answered, id),
                Some(FromAgent::Events { .. }) => {}
                other => panic!("{other:?}"),
            }
        }
    }
}
