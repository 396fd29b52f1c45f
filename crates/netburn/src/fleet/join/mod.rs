//! `netburn join`: this device takes part in a run by itself, without anybody reaching into it.
//!
//! It dials the controller named in the link, and runs the same agent as `netburn agent --stdio` does. The connection
//! may be lost and come back while the load goes on; when to stop hoping, [`perseverance`] decides. The load ends with
//! this process in any case.

mod device;
pub mod dial;
pub mod perseverance;
mod verifier;

use std::fmt;
use std::time::{Duration, Instant};

use burn_model::time::nanos;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;
use tokio::time::{sleep_until, timeout};

use super::address::JoinLink;
use super::greeting::{self, Greeting, Note};
use super::resume::Broken;
use super::resume::conversation::{Conversation, Parted};
use crate::control::message;
use crate::facts;
use device::Device;
use dial::{Failed, Socket, Welcome, dial};
use perseverance::{Perseverance, Then};

/// How long leaving in order may take.
const FAREWELL: Duration = Duration::from_secs(1);

/// What a person at the device should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// The device takes part.
    Joined {
        /// As whom.
        name: String,
    },
    /// The run starts when so many others are there too.
    Waiting {
        /// How many are missing.
        missing: usize,
    },
    /// The run has begun.
    Running,
    /// The connection is gone; the load goes on for now.
    Lost {
        /// What was the matter.
        why: String,
    },
    /// The connection is back.
    Back,
}

impl fmt::Display for News {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Joined { name } => write!(f, "Joined as {name}. Ctrl-C leaves."),
            Self::Waiting { missing: 0 } => f.write_str("All are here: the run is about to start."),
            Self::Waiting { missing: 1 } => f.write_str("Waiting for 1 other."),
            Self::Waiting { missing } => write!(f, "Waiting for {missing} others."),
            Self::Running => f.write_str("The run has started; leave this device as it is."),
            Self::Lost { why } => write!(f, "The connection to the controller is lost ({why}); trying again."),
            Self::Back => f.write_str("The connection is back."),
        }
    }
}

/// How a device's part ended well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The run is over.
    Over,
    /// The person at the device has left it.
    Left,
}

/// Why a device could not do its part.
#[derive(Debug, thiserror::Error)]
pub enum JoinError {
    /// It never took part.
    #[error("cannot join: {0}")]
    NotJoined(String),
    /// The controller is gone, or has given it up.
    #[error("the controller is gone, so the load here has stopped: {0}")]
    ControllerGone(String),
    /// The two ends contradict each other.
    #[error("the stream to the controller is broken, so the load here has stopped: {0}")]
    Broken(#[from] Broken),
    /// Something is wrong with this device.
    #[error("this device cannot take part: {0}")]
    Device(#[from] std::io::Error),
}

/// Takes part in the run that the link names, until that is over or a signal ends it.
///
/// # Errors
/// Where the device is not let in, or the controller is gone before the run is over.
pub fn join(link: &JoinLink, name: Option<String>, mut tell: impl FnMut(News)) -> Result<Ended, JoinError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = runtime.block_on(take_part(link, name, &mut tell));
    // A name may still be being looked up, on a thread that nobody waits for.
    runtime.shutdown_background();
    ended
}

async fn take_part(link: &JoinLink, name: Option<String>, tell: &mut impl FnMut(News)) -> Result<Ended, JoinError> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    let mut hangup = signal(SignalKind::hangup())?;
    let mut greeting = Greeting {
        version: greeting::VERSION,
        control: message::VERSION,
        program: facts::PROGRAM.to_owned(),
        name,
        session: new_session()?,
        resumes_at: None,
    };
    let welcome = dial(link, &greeting).await.map_err(|failed| JoinError::NotJoined(printable(&failed.to_string())))?;
    tell(News::Joined { name: printable(&welcome.name) });

    let device = Device::start()?;
    let conversation = Conversation::default();
    let served = async {
        let line = Line { link, greeting: &mut greeting, conversation: &conversation, tell };
        line.serve(welcome).await
    };
    let left = async {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hangup.recv() => {}
        }
        conversation.part();
        // Long enough to say so, where anybody hears it.
        tokio::time::sleep(FAREWELL).await;
    };
    let ended = tokio::select! {
        ended = served => ended,
        () = left => Ok(Ended::Left),
        () = device.speak(&conversation) => Ok(Ended::Over),
    };
    device.end().await;
    ended
}

/// The connections to the lobby, one after the other.
struct Line<'a, T> {
    link: &'a JoinLink,
    greeting: &'a mut Greeting,
    conversation: &'a Conversation,
    tell: &'a mut T,
}

impl<T: FnMut(News)> Line<'_, T> {
    async fn serve(mut self, welcome: Welcome) -> Result<Ended, JoinError> {
        let Welcome { mut socket, mut heard, .. } = welcome;
        loop {
            let parted = self.carry(socket, heard).await;
            let why = match parted {
                Parted::Over => return Ok(Ended::Over),
                Parted::Closed if self.conversation.is_parting() => return Ok(Ended::Left),
                Parted::Closed => return Err(JoinError::ControllerGone("it has closed the connection".to_owned())),
                Parted::Broken(broken) => return Err(broken.into()),
                Parted::Lost(_) if self.conversation.is_parting() => return Ok(Ended::Left),
                Parted::Lost(why) => why,
            };
            (self.tell)(News::Lost { why });
            Welcome { socket, heard, .. } = self.come_back().await?;
            (self.tell)(News::Back);
        }
    }

    async fn carry(&mut self, socket: Socket, heard: u64) -> Parted {
        let tell = &mut *self.tell;
        let mut last = None;
        let on_text = |text: &str| {
            // What a later version says beside the stream is no concern of this one.
            let Ok(note) = serde_json::from_str::<Note>(text) else { return };
            if last.replace(note) != Some(note) {
                tell(match note {
                    Note::Waiting { missing } => News::Waiting { missing },
                    Note::Running => News::Running,
                });
            }
        };
        self.conversation.carry(socket, heard, watch::Sender::new(String::new()).subscribe(), on_text).await
    }

    /// Dials until the lobby answers, or there is no hope.
    async fn come_back(&mut self) -> Result<Welcome, JoinError> {
        let epoch = Instant::now();
        let now = || nanos(epoch.elapsed());
        let mut perseverance = Perseverance::since(0);
        let end = epoch + Duration::from_nanos(perseverance.until());
        loop {
            self.greeting.resumes_at = Some(self.conversation.heard());
            let left = end.saturating_duration_since(Instant::now());
            let failed = match timeout(left, dial(self.link, self.greeting)).await {
                Ok(Ok(welcome)) => return Ok(welcome),
                Ok(Err(failed)) => failed,
                Err(_) => Failed::NoAnswer { host: self.link.host.clone(), why: "no answer".to_owned() },
            };
            match perseverance.after(&failed, now()) {
                Then::Again(at) => sleep_until((epoch + Duration::from_nanos(at)).into()).await,
                Then::GiveUp => return Err(JoinError::ControllerGone(printable(&failed.to_string()))),
            }
        }
    }
}

fn new_session() -> Result<String, JoinError> {
    let secret: [u8; 16] = super::lobby::random().map_err(|error| JoinError::NotJoined(error.to_string()))?;
    Ok(data_encoding::HEXLOWER.encode(&secret))
}

/// What another host says, or has a part in, for a terminal.
fn printable(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(500).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_controller_cannot_send_escape_sequences_to_the_devices_terminal() {
        assert_eq!(printable("tv\x1b[2J\r\n"), "tv[2J");
        assert_eq!(printable(&"x".repeat(1000)).len(), 500);
    }

    #[test]
    fn others_are_counted_as_a_person_does() {
        let line = |missing| News::Waiting { missing }.to_string();
        assert_eq!((line(1).as_str(), line(2).as_str()), ("Waiting for 1 other.", "Waiting for 2 others."));
        assert!(line(0).contains("about to start"));
    }
}
