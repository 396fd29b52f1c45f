//! Waiting until all have come, and showing who is missing.

use std::io::{IsTerminal, Write, stderr};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::{Arrival, Joined, Lobby};

/// How long a run waits for devices that join by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// For all of them; past this time there is no run.
    ForAll(Duration),
    /// For whoever comes within this time, or for all where that is sooner.
    ForThoseWhoCome(Duration),
}

impl Default for Patience {
    /// Ten minutes, and then no run.
    fn default() -> Self {
        Self::ForAll(Duration::from_secs(600))
    }
}

impl Patience {
    const fn limit(self) -> Duration {
        match self {
            Self::ForAll(limit) | Self::ForThoseWhoCome(limit) => limit,
        }
    }
}

/// Somebody was waited for in vain.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} did not join within {} s; --start-anyway starts without those who are missing",
    .missing.join(", "), .waited.as_secs()
)]
pub struct NotGathered {
    /// Who.
    pub missing: Vec<String>,
    /// For how long.
    pub waited: Duration,
}

/// Devices on their way into a lobby.
#[derive(Debug)]
pub struct Gathering<'a> {
    lobby: &'a mut Lobby,
    here: Vec<Option<Joined>>,
    board: Board,
}

impl<'a> Gathering<'a> {
    /// A gathering of all slots of a lobby, shown on stderr where `shown`.
    pub fn new(lobby: &'a mut Lobby, shown: bool) -> Self {
        let here = lobby.missing().iter().map(|_| None).collect();
        Self { lobby, here, board: Board { shown, terminal: shown && stderr().is_terminal(), live: false } }
    }

    /// Waits for the devices. Those who came stand in the order of their slots; after this nobody new is let in.
    ///
    /// # Errors
    /// Where some are missing and the run should not start without them.
    pub async fn wait(mut self, patience: Patience) -> Result<Vec<Option<Joined>>, NotGathered> {
        let deadline = Instant::now() + patience.limit();
        self.board.invite(&self.lobby.invitation().text(self.board.terminal));
        loop {
            let missing = self.lobby.missing();
            if self.here.iter().all(Option::is_some) {
                break;
            }
            self.board.show(&self.here_names(), &missing);
            tokio::select! {
                arrival = self.lobby.next() => self.note(arrival),
                () = sleep_until(deadline) => {
                    self.board.clear();
                    if let Patience::ForAll(waited) = patience {
                        return Err(NotGathered { missing, waited });
                    }
                    self.board.say(&format!("Starting without {}.\n", missing.join(", ")));
                    break;
                }
            }
        }
        self.board.clear();
        self.lobby.close_to_newcomers();
        let strangers = self.lobby.strangers();
        let turned_away = strangers.turned_away + strangers.without_code;
        if turned_away > 0 {
            self.board.say(&format!("{turned_away} connections to the lobby had no right code.\n"));
        }
        Ok(self.here)
    }

    fn note(&mut self, arrival: Arrival) {
        self.board.clear();
        match arrival {
            Arrival::Joined(joined) => {
                let name = self.lobby.name(joined.slot);
                self.board.say(&format!("{name} has joined, from {}.\n", joined.from.ip().to_canonical()));
                if let Some(place) = self.here.get_mut(joined.slot) {
                    *place = Some(*joined);
                }
            }
            Arrival::Left { slot, why } => {
                let name = self.lobby.name(slot);
                if let Some(place) = self.here.get_mut(slot) {
                    *place = None;
                }
                let mut invitation = self.lobby.invitation();
                invitation.guests.retain(|guest| guest.name == name);
                let again = invitation.text(self.board.terminal);
                self.board.say(&format!("{name} is gone: {why}. Its link is used up; here is another.\n"));
                self.board.invite(&again);
            }
        }
    }

    fn here_names(&self) -> Vec<String> {
        let here = self.here.iter().flatten();
        here.map(|joined| self.lobby.name(joined.slot)).collect()
    }
}

/// What a person sees of it, on stderr.
#[derive(Debug)]
struct Board {
    shown: bool,
    terminal: bool,
    /// Whether the last line is one that is written over.
    live: bool,
}

impl Board {
    fn say(&self, text: &str) {
        if self.shown {
            self.invite(text);
        }
    }

    /// Says what nobody can do without, however quiet the run should be.
    fn invite(&self, text: &str) {
        // A terminal that went away must not end the run.
        let _ = write!(stderr(), "{text}");
    }

    fn show(&mut self, here: &[String], missing: &[String]) {
        let columns = terminal_size::terminal_size_of(stderr()).map_or(79, |(width, _)| usize::from(width.0));
        let line = line(here, missing, columns.saturating_sub(1).max(20));
        if self.terminal {
            self.say(&format!("\r\x1b[K{line}"));
            self.live = true;
        } else {
            self.say(&format!("{line}\n"));
        }
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.live) {
            self.say("\r\x1b[K");
        }
    }
}

/// Who is missing first, because that is what a person does something about; cut where it does not fit.
fn line(here: &[String], missing: &[String], columns: usize) -> String {
    let here = if here.is_empty() { "nobody".to_owned() } else { here.join(", ") };
    let line = format!("Waiting for {} (here: {here})", missing.join(", "));
    if line.chars().count() <= columns {
        return line;
    }
    line.chars().take(columns - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_line_tells_who_is_missing_and_who_is_here() {
        assert_eq!(line(&[], &names(&["tv", "phone"]), 79), "Waiting for tv, phone (here: nobody)");
        assert_eq!(line(&names(&["phone"]), &names(&["tv"]), 79), "Waiting for tv (here: phone)");
    }

    #[test]
    fn a_line_never_is_longer_than_the_terminal_is_wide() {
        let many = names(&["livingroom"; 40]);
        assert_eq!(line(&many, &many, 40).chars().count(), 40);
    }

    #[test]
    fn who_was_waited_for_in_vain_is_named() {
        let error = NotGathered { missing: names(&["tv", "phone"]), waited: Duration::from_secs(600) };
        assert!(error.to_string().starts_with("tv, phone did not join within 600 s"));
    }
}
