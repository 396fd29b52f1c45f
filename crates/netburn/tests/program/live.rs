//! The view of a run under way, on a real terminal, as its emulator shows it.

use std::fs;
use std::io::{Read, Write};
use std::num::NonZero;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Command, Stdio};

use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::pty::{Winsize, openpty};
use nix::sys::termios::{LocalFlags, tcgetattr};
use nix::unistd::ttyname;

use crate::harness::{Place, long, say, signal};

/// A program at a terminal of its own, and what is on that.
struct Terminal {
    keyboard: fs::File,
    own_end: OwnedFd,
    child: Child,
    emulator: vt100::Parser,
}

impl Terminal {
    fn running(mut command: Command) -> Self {
        let size = Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 };
        let pair = openpty(&size, None).unwrap();
        let here = || Stdio::from(OwnedFd::try_clone(&pair.slave).unwrap());
        command.env("TERM", "xterm-256color").stdin(here()).stderr(here()).stdout(Stdio::piped());
        let child = command.spawn().unwrap();
        let emulator = vt100::Parser::new(of(24), of(80), 0);
        Self { keyboard: pair.master.into(), own_end: pair.slave, child, emulator }
    }

    /// Takes what comes until the screen is so.
    fn sees(&mut self, what: &str, is_so: impl Fn(&vt100::Screen) -> bool) {
        let mut bytes = [0; 4096];
        while !is_so(self.emulator.screen()) {
            let mut waiting = [PollFd::new(self.keyboard.as_fd(), PollFlags::POLLIN)];
            // The limit is for a test that would otherwise hang.
            let there = poll(&mut waiting, PollTimeout::from(60_000_u16)).unwrap();
            let n = if there > 0 { self.keyboard.read(&mut bytes).unwrap_or(0) } else { 0 };
            assert_ne!(n, 0, "{what} was never seen: {}", self.emulator.screen().contents());
            self.emulator.process(&bytes[..n]);
        }
    }

    fn sees_text(&mut self, text: &str) {
        self.sees(text, |screen| screen.contents().contains(text));
    }

    fn types(&mut self, text: &str) {
        self.keyboard.write_all(text.as_bytes()).unwrap();
    }

    fn resizes(&mut self, rows: u16, columns: u16) {
        let name = ttyname(&self.own_end).unwrap();
        let size = [&rows.to_string(), "cols", &columns.to_string()].map(str::to_owned);
        assert!(Command::new("stty").arg("-F").arg(name).arg("rows").args(size).status().unwrap().success());
        self.emulator.screen_mut().set_size(of(rows), of(columns));
        // The kernel tells the foreground job of a controlling terminal only, which this one is not.
        signal(self.child.id(), "WINCH");
    }

    /// Writes blanks to it that nobody reads, until the kernel takes no more.
    fn fills_up(&self) {
        const O_NONBLOCK: i32 = 0o4000;
        let name = ttyname(&self.own_end).unwrap();
        let mut end = fs::File::options().write(true).custom_flags(O_NONBLOCK).open(name).unwrap();
        while end.write(b" ").is_ok() {}
    }

    /// Whether keys come one by one and unseen, as the view wants them, and not as a shell does.
    fn is_raw(&self) -> bool {
        !tcgetattr(&self.own_end).unwrap().local_flags.intersects(LocalFlags::ICANON | LocalFlags::ECHO)
    }

    /// Waits for the program's end; what was on stdout.
    fn ends(mut self) -> (Option<i32>, String, vt100::Parser) {
        let mut out = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        let code = self.child.wait().unwrap().code();
        assert!(!self.is_raw(), "the terminal is as it was");
        // With its last user gone, what is still in it can be read to its end.
        drop(self.own_end);
        let mut rest = Vec::new();
        let _ = self.keyboard.read_to_end(&mut rest);
        self.emulator.process(&rest);
        (code, out, self.emulator)
    }
}

const fn of(n: u16) -> NonZero<u16> {
    NonZero::new(n).unwrap()
}

/// The lines of a screen, without blanks at their ends.
fn lines(screen: &vt100::Screen) -> Vec<String> {
    screen.contents().lines().map(|line| line.trim_end().to_owned()).collect()
}

#[test]
fn a_terminal_shows_who_does_what_and_q_ends_it_and_gives_the_terminal_back() {
    let place = Place::with(&long());
    let mut terminal = Terminal::running(place.run(&["--json"]));
    terminal.sees_text("phone exchange   running");
    assert!(terminal.is_raw());
    assert!(terminal.emulator.screen().alternate_screen());
    terminal.sees_text("Mbps");
    let shown = lines(terminal.emulator.screen());
    assert!(shown[0].starts_with("light"), "{shown:#?}");
    assert!(shown.iter().any(|line| line.contains("tablet exchange  running")), "{shown:#?}");
    terminal.types("q");
    let (code, out, emulator) = terminal.ends();
    let document: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert!(matches!(code, Some(0 | 3)), "{code:?}");
    assert!(!document["applications"].as_array().unwrap().is_empty());
    assert!(!emulator.screen().alternate_screen());
    // What was said in the view is told again where it can be read.
    let left = emulator.screen().contents();
    assert!(left.contains("netburn: q: finishing what is under way; once more to stop at once"), "{left}");
    assert!(!left.contains("q ends it"), "{left}");
}

#[test]
fn a_terminal_that_changes_its_size_is_filled_anew() {
    let place = Place::with(&long());
    let mut terminal = Terminal::running(place.run(&["--json"]));
    terminal.sees_text("last 2");
    terminal.resizes(10, 40);
    // Forty columns have no room for a history, nor for a goal.
    terminal.sees("a narrow view", |screen| {
        let lines = lines(screen);
        lines[0].starts_with("light")
            && lines[0].ends_with(" s")
            && lines[0].len() == 40
            && !screen.contents().contains("last 2")
    });
    let shown = lines(terminal.emulator.screen());
    assert!(shown.iter().all(|line| line.chars().count() <= 40), "{shown:#?}");
    // Ctrl-C is a key here, and twice means at once.
    terminal.types("\u{3}\u{3}");
    let (_, out, _) = terminal.ends();
    assert!(!out.is_empty());
}

#[test]
fn a_terminal_that_nobody_reads_does_not_hold_the_run_up() {
    let place = Place::with(&long().replace("60 s", "4 s"));
    let mut terminal = Terminal::running(place.run(&["--json"]));
    terminal.sees_text("phone exchange   running");
    terminal.fills_up();
    // From here on whoever writes to the terminal waits. The run's own file tells that it went on.
    place.wait_for("\"event\":\"closed\"");
    terminal.sees("the terminal as it was before", |screen| !screen.alternate_screen());
    let (_, out, _) = terminal.ends();
    assert!(!out.is_empty());
}

#[test]
fn without_a_terminal_there_is_a_line_every_ten_seconds_and_no_escape() {
    let place = Place::with(&long().replace("60 s", "10 s"));
    let said = say(&mut place.run(&["--json"]));
    let line = said.err.lines().find(|line| line.starts_with("10/11 s")).unwrap_or_else(|| panic!("{}", said.err));
    assert!(line.contains("phone exchange"), "{line}");
    assert!(!said.err.contains('\u{1b}'), "{}", said.err);
}
