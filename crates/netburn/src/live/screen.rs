//! The terminal while the live view is on it: a thread that draws frames and reads keys.
//!
//! The alternate screen is used, so that what stood in the terminal before is there again afterwards, and a changed size
//! spoils nothing: every frame is drawn whole. No frame clears what it does not overwrite at once, and the terminal is
//! asked to show each as one, so nothing flickers.

use std::io::{self, IsTerminal, Write, stderr, stdin};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, channel, sync_channel};
use std::thread::Builder;
use std::time::Duration;

use burn_report::layout::width;
use burn_report::live::{Line, Tone};
use crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use crossterm::style::{Attribute, Color, Print, ResetColor, SetAttribute, SetForegroundColor};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, DisableLineWrap, EnableLineWrap, EndSynchronizedUpdate,
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use crossterm::{cursor, queue};
use nix::sys::signal::{Signal, raise};
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::is_in_front;

/// How long a key or a frame may lie before it is taken.
const LOOK_EVERY: Duration = Duration::from_millis(100);
/// How long the terminal may take to be given back before the run goes on without.
const CLOSE_DEADLINE: Duration = Duration::from_secs(1);

/// Whether the terminal is ours at this moment. What is not ours is not given back: that would move the cursor.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// A key that means something, or a new size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// The run shall end.
    End(&'static str),
    Up,
    Down,
    Resized,
}

/// What is to be on the terminal.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) lines: Vec<Line>,
    /// How wide the terminal was when it was made.
    pub(super) columns: usize,
}

/// The terminal, while it is ours.
#[derive(Debug)]
pub(super) struct Screen {
    frames: SyncSender<Frame>,
    keys: Option<UnboundedReceiver<Key>>,
    closed: Receiver<()>,
}

impl Screen {
    /// Takes the terminal; with its keys, where stdin is one too.
    pub(super) fn open(with_keys: bool) -> io::Result<Self> {
        let (frames, incoming) = sync_channel(1);
        let (pressed, keys) = unbounded_channel();
        let (done, closed) = channel();
        give_back_on_panic();
        enter(with_keys)?;
        let thread = Builder::new().name("terminal".to_owned()).spawn(move || {
            serve(&incoming, with_keys.then_some(&pressed));
            leave(with_keys);
            let _ = done.send(());
        });
        match thread {
            Ok(_) => Ok(Self { frames, keys: with_keys.then_some(keys), closed }),
            Err(error) => {
                leave(with_keys);
                Err(error)
            }
        }
    }

    /// Shows a frame, unless the last one is not drawn yet: the next one will be newer than both.
    pub(super) fn show(&self, frame: Frame) {
        let _ = self.frames.try_send(frame);
    }

    pub(super) const fn has_keys(&self) -> bool {
        self.keys.is_some()
    }

    /// The next key; `None` where there will be none.
    pub(super) async fn key(&mut self) -> Option<Key> {
        self.keys.as_mut()?.recv().await
    }

    /// Gives the terminal back. Where that takes too long, what tells that it has happened.
    pub(super) fn close(self) -> Option<Receiver<()>> {
        let with_keys = self.keys.is_some();
        drop(self.frames);
        if self.closed.recv_timeout(CLOSE_DEADLINE) != Err(RecvTimeoutError::Timeout) {
            return None;
        }
        if with_keys {
            // The thread hangs in a write. Keys are given back all the same: that writes nothing.
            let _ = disable_raw_mode();
        }
        Some(self.closed)
    }
}

/// Draws and listens, until nobody sends frames any more.
fn serve(frames: &Receiver<Frame>, keys: Option<&UnboundedSender<Key>>) {
    loop {
        match keys {
            None => match frames.recv_timeout(LOOK_EVERY) {
                Ok(frame) => draw(&frame),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            },
            Some(keys) => {
                match frames.try_recv() {
                    Ok(frame) => draw(&frame),
                    Err(TryRecvError::Empty) => {}
                    Err(TryRecvError::Disconnected) => return,
                }
                if listen(keys).is_err() {
                    // The terminal is gone: there is nobody to draw for.
                    while frames.recv().is_ok() {}
                    return;
                }
            }
        }
    }
}

/// Takes what was pressed within a moment.
fn listen(keys: &UnboundedSender<Key>) -> io::Result<()> {
    let mut patience = LOOK_EVERY;
    while event::poll(patience)? {
        patience = Duration::ZERO;
        let key = match event::read()? {
            Event::Key(key) if key.kind != KeyEventKind::Release => match meaning(key) {
                Meaning::Key(key) => key,
                Meaning::Suspend => {
                    suspend();
                    Key::Resized
                }
                Meaning::Nothing => continue,
            },
            Event::Resize(..) => Key::Resized,
            _ => continue,
        };
        let _ = keys.send(key);
    }
    Ok(())
}

enum Meaning {
    Key(Key),
    Suspend,
    Nothing,
}

/// In raw mode the terminal makes no signals of keys, so those that would be are read here.
fn meaning(key: KeyEvent) -> Meaning {
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    match key.code {
        KeyCode::Char('c') if control => Meaning::Key(Key::End("Ctrl-C")),
        KeyCode::Char('z') if control => Meaning::Suspend,
        KeyCode::Char('q' | 'Q') if !control => Meaning::Key(Key::End("q")),
        KeyCode::Up | KeyCode::Char('k') => Meaning::Key(Key::Up),
        KeyCode::Down | KeyCode::Char('j') => Meaning::Key(Key::Down),
        _ => Meaning::Nothing,
    }
}

/// Ctrl-Z: the shell gets its terminal as it was, and the view is back with `fg`. After `bg` the run goes on unseen until
/// it is in front again.
fn suspend() {
    leave(true);
    let _ = raise(Signal::SIGSTOP);
    while !is_in_front() {
        std::thread::sleep(LOOK_EVERY);
    }
    let _ = enter(true);
}

fn enter(with_keys: bool) -> io::Result<()> {
    if with_keys {
        enable_raw_mode()?;
    }
    let mut bytes = Vec::new();
    TAKEN.store(true, Ordering::SeqCst);
    queue!(bytes, EnterAlternateScreen, DisableLineWrap, cursor::Hide, Clear(ClearType::All))?;
    write(&bytes)
}

fn leave(with_keys: bool) {
    if !TAKEN.swap(false, Ordering::SeqCst) {
        return;
    }
    let mut bytes = Vec::new();
    if queue!(bytes, EnableLineWrap, cursor::Show, LeaveAlternateScreen).is_ok() {
        let _ = write(&bytes);
    }
    if with_keys {
        let _ = disable_raw_mode();
    }
}

/// What a panic says must stand in the terminal that the person is left with.
fn give_back_on_panic() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let tell = panic::take_hook();
        panic::set_hook(Box::new(move |panic| {
            leave(stdin().is_terminal());
            tell(panic);
        }));
    });
}

fn draw(frame: &Frame) {
    // A terminal that went away must not end the run.
    let _ = bytes(frame).and_then(|bytes| write(&bytes));
}

/// A frame as what a terminal is sent for it.
fn bytes(frame: &Frame) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    queue!(bytes, BeginSynchronizedUpdate, cursor::MoveTo(0, 0))?;
    for (number, line) in frame.lines.iter().enumerate() {
        if number > 0 {
            queue!(bytes, Print("\r\n"))?;
        }
        for span in line {
            tone(&mut bytes, span.tone)?;
            queue!(bytes, Print(&span.text))?;
        }
        queue!(bytes, SetAttribute(Attribute::Reset), ResetColor)?;
        // After the last column the cursor still stands on it, and clearing would take it away again.
        if line.iter().map(|span| width(&span.text)).sum::<usize>() < frame.columns {
            queue!(bytes, Clear(ClearType::UntilNewLine))?;
        }
    }
    queue!(bytes, Clear(ClearType::FromCursorDown), EndSynchronizedUpdate)?;
    Ok(bytes)
}

/// Colours are left out by the library where `NO_COLOR` is set; that is why none is a tone's only sign.
fn tone(bytes: &mut Vec<u8>, tone: Tone) -> io::Result<()> {
    queue!(bytes, SetAttribute(Attribute::Reset))?;
    match tone {
        Tone::Plain => Ok(()),
        Tone::Strong => queue!(bytes, SetAttribute(Attribute::Bold)),
        Tone::Faint => queue!(bytes, SetAttribute(Attribute::Dim)),
        Tone::Good => queue!(bytes, SetForegroundColor(Color::Green)),
        Tone::Warning => queue!(bytes, SetForegroundColor(Color::Yellow)),
        Tone::Bad => queue!(bytes, SetAttribute(Attribute::Bold), SetForegroundColor(Color::Red)),
    }
}

fn write(bytes: &[u8]) -> io::Result<()> {
    let mut out = stderr().lock();
    out.write_all(bytes)?;
    out.flush()
}
