//! What is seen of a run while it goes on: a view of its own on a terminal, a line now and then where there is none.
//!
//! Everything goes to stderr: stdout is the result's alone. Drawing happens on a thread of its own behind a queue of one
//! frame, so that a terminal that does not take what is written to it holds up nothing but its own view.

mod screen;

use std::env;
use std::io::{IsTerminal, Write, stderr, stdin};
use std::sync::mpsc::Receiver;
use std::time::Duration;

use burn_model::run::RunRecord;
use burn_report::live::{Size, State, line, view};
use nix::unistd::{getpgrp, tcgetpgrp};

use screen::{Frame, Key, Screen};

/// Where there is no terminal, one line in so many seconds.
const LINE_EVERY: u64 = 10;
/// How wide such a line is.
const LINE_COLUMNS: usize = 79;
/// The most notes that are kept to be told again after the view.
const MOST_NOTES: usize = 1000;

/// What is seen of a run.
#[derive(Debug)]
pub(crate) struct Live {
    way: Way,
    screen: Option<Screen>,
    /// A view that could not be taken away yet, because the terminal takes no bytes.
    stuck: Option<Receiver<()>>,
    /// What was said while the view was up: it goes with it, and is told again when it has gone.
    notes: Vec<String>,
    scrolled: usize,
    last_line: u64,
}

/// How a run is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// Not at all.
    Silent,
    /// A line now and then.
    Lines,
    /// A view that fills the terminal.
    View,
}

/// What somebody pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pressed {
    /// The run shall end.
    End(&'static str),
    /// Something else is to be seen now.
    Elsewhere,
}

impl Live {
    /// Shown where it is wanted, in the way that fits where stderr goes.
    pub(crate) fn new(wanted: bool) -> Self {
        let way = match (wanted, can_draw()) {
            (false, _) => Way::Silent,
            (true, false) => Way::Lines,
            (true, true) => Way::View,
        };
        Self { way, screen: None, stuck: None, notes: Vec::new(), scrolled: 0, last_line: 0 }
    }

    /// Shows where the run stands, `since_start` nanoseconds into its load.
    pub(crate) fn show(&mut self, run: &RunRecord, since_start: Option<u64>) {
        let since_start = since_start.map(Duration::from_nanos);
        match self.way {
            Way::Silent => {}
            Way::Lines => self.show_line(run, since_start),
            Way::View => self.draw(run, since_start),
        }
    }

    /// What somebody pressed next; never, where nobody can.
    pub(crate) async fn pressed(&mut self) -> Pressed {
        let Some(screen) = &mut self.screen else { return std::future::pending().await };
        match screen.key().await {
            Some(Key::End(by)) => Pressed::End(by),
            Some(Key::Up) => {
                self.scrolled = self.scrolled.saturating_sub(1);
                Pressed::Elsewhere
            }
            Some(Key::Down) => {
                self.scrolled = self.scrolled.saturating_add(1);
                Pressed::Elsewhere
            }
            Some(Key::Resized) => Pressed::Elsewhere,
            None => std::future::pending().await,
        }
    }

    /// Says something that a person should know now.
    pub(crate) fn note(&mut self, text: &str) {
        if self.screen.is_some() || self.stuck.is_some() {
            if self.notes.len() < MOST_NOTES {
                self.notes.push(text.to_owned());
            }
        } else if self.way != Way::Silent {
            say(text);
        }
    }

    /// Takes the view away, and leaves what was noted.
    pub(crate) fn finish(&mut self) {
        if let Some(screen) = self.screen.take() {
            self.stuck = screen.close();
            if self.stuck.is_some() {
                self.way = Way::Silent;
            } else {
                std::mem::take(&mut self.notes).iter().for_each(|note| say(note));
            }
        }
        self.last_line = 0;
    }

    fn show_line(&mut self, run: &RunRecord, since_start: Option<Duration>) {
        let seconds = since_start.map_or(0, |since| since.as_secs());
        if seconds / LINE_EVERY > self.last_line {
            self.last_line = seconds / LINE_EVERY;
            // Whoever closed the pipe does not want it, and that must not end the run.
            let _ = writeln!(stderr(), "{}", line(run, since_start, LINE_COLUMNS));
        }
    }

    fn draw(&mut self, run: &RunRecord, since_start: Option<Duration>) {
        let screen = match &mut self.screen {
            Some(screen) => screen,
            None => match Screen::open(stdin().is_terminal()) {
                Ok(screen) => self.screen.insert(screen),
                // No thread or no raw mode: a line will do.
                Err(_) => {
                    self.way = Way::Lines;
                    return;
                }
            },
        };
        let size = terminal_size::terminal_size_of(stderr());
        let (columns, rows) = size.map_or((80, 24), |(width, height)| (usize::from(width.0), usize::from(height.0)));
        let state = State { since_start, scrolled: self.scrolled, notes: &self.notes, keys: screen.has_keys() };
        let size = Size { columns: columns.max(1), rows: rows.max(1) };
        screen.show(Frame { lines: view(run, state, size), columns: size.columns });
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.finish();
        // The record is whole by now. Whatever is told next would wait for the terminal too, and must not be told into the view.
        if let Some(stuck) = self.stuck.take() {
            let _ = stuck.recv();
            std::mem::take(&mut self.notes).iter().for_each(|note| say(note));
        }
    }
}

fn say(text: &str) {
    let _ = writeln!(stderr(), "netburn: {text}");
}

/// Whether stderr is a terminal that draws, and ours to draw on: a job in the background has no right to it.
fn can_draw() -> bool {
    let dumb = env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty());
    stderr().is_terminal() && !dumb && is_in_front()
}

/// Whether this process is the terminal's foreground job. A terminal that is not our controlling one has no jobs.
pub(crate) fn is_in_front() -> bool {
    tcgetpgrp(stderr()).map_or(true, |front| front == getpgrp())
}
