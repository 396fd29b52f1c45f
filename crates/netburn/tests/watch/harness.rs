//! A watch under way, and what it says.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The limit of a test that would otherwise hang.
const LIMIT: Duration = Duration::from_secs(120);

/// A second of exchanges that are over in time on any machine.
pub(crate) const EASY: &str = r#"
name = "small"
duration = "1 s"
warm_up = "0 s"

[[client]]
name = "phone"
run = ["exchange"]

[workload.exchange]
arrival = "constant"
objects = 1
object_size = "1000 B"
rate = "100/s"
in_flight = 100
deadline = "20 s"
drain = "100 ms"
[[workload.exchange.goal]]
metric = "failed_share"
good = 0.9
bad = 0.95
"#;

/// The same, asking for what no machine does: 64 MiB in a millisecond would be 537 Gbps.
pub(crate) fn hopeless() -> String {
    EASY.replace("1000 B", "64 MiB").replace("20 s", "1 ms").replace("in_flight = 100", "in_flight = 4")
}

/// A folder for one test, with a scenario in it.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn with(scenario: &str) -> Self {
        let place = Self { folder: TempDir::new().unwrap() };
        place.write(scenario);
        place
    }

    /// Replaces the scenario.
    pub(crate) fn write(&self, scenario: &str) {
        fs::write(self.path("s.toml"), scenario).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// `netburn watch` of the scenario, with further arguments.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_netburn"));
        command.arg("watch").arg(self.path("s.toml")).arg("--out").arg(self.path("runs")).args(args);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// A watch that runs every few seconds.
    pub(crate) fn watch(&self, args: &[&str]) -> Watching {
        let mut often = vec!["--every", "4s", "--confirm-after", "1s"];
        often.extend(args);
        Watching::start(&mut self.command(&often))
    }

    /// The names of the run files.
    pub(crate) fn runs(&self) -> Vec<String> {
        let names = fs::read_dir(self.path("runs")).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter_map(|name| name.into_string().ok()).filter(|name| name.ends_with(".netburn")).collect()
    }

    /// What the watch knows, as it was kept.
    pub(crate) fn ledger(&self) -> serde_json::Value {
        let files = fs::read_dir(self.path("runs/watch")).unwrap().map(|entry| entry.unwrap().path());
        let file = files.into_iter().find(|path| path.extension().is_some_and(|ending| ending == "json")).unwrap();
        serde_json::from_slice(&fs::read(file).unwrap()).unwrap()
    }
}

/// A watch under way; killed where a test ends early.
pub(crate) struct Watching {
    child: Child,
    lines: Receiver<String>,
    heard: Vec<String>,
}

impl Watching {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let (sender, lines) = channel();
        for stream in
            [Box::new(child.stdout.take().unwrap()) as Box<dyn Read + Send>, Box::new(child.stderr.take().unwrap())]
        {
            let sender = sender.clone();
            thread::spawn(move || {
                BufReader::new(stream).lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
            });
        }
        Self { child, lines, heard: Vec::new() }
    }

    /// Waits for a line, not heard before, that holds `text`.
    pub(crate) fn hear(&mut self, text: &str) -> String {
        let begun = Instant::now();
        loop {
            let Ok(line) = self.lines.recv_timeout(LIMIT.saturating_sub(begun.elapsed())) else {
                panic!("it never said {text:?}: {:#?}", self.heard);
            };
            self.heard.push(line.clone());
            if line.contains(text) {
                return line;
            }
        }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.pid().to_string()]).status().unwrap();
        assert!(status.success());
    }

    /// Waits for its end; all that it has said, and its exit code.
    pub(crate) fn end(mut self) -> (Vec<String>, Option<i32>) {
        let mut heard = std::mem::take(&mut self.heard);
        heard.extend(self.lines.iter());
        (heard, self.child.wait().unwrap().code())
    }

    /// Interrupts it and waits for its end, which is a good one.
    pub(crate) fn interrupt(self) -> Vec<String> {
        self.signal("INT");
        let (heard, code) = self.end();
        assert_eq!(code, Some(0), "{heard:#?}");
        heard
    }

    /// Where its figures are, of its first line.
    pub(crate) fn figures(&mut self) -> String {
        let line = self.hear("figures at http://");
        let (_, rest) = line.split_once("http://").unwrap();
        rest.split('/').next().unwrap().to_owned()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a program that ends by itself has said.
pub(crate) fn say(command: &mut Command) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = command.output().unwrap();
    (status.code(), String::from_utf8(stderr).unwrap())
}

/// `GET /metrics`: the head and the body.
pub(crate) fn scrape(address: &str) -> (String, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(LIMIT)).unwrap();
    stream.write_all(format!("GET /metrics HTTP/1.1\r\nHost: {address}\r\n\r\n").as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    let (head, body) = reply.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

/// Looks again and again until there is something to see.
pub(crate) fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(begun.elapsed() < LIMIT, "waited for {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A shell script that appends what it is told to files in this folder, as one `--on-change` program.
pub(crate) fn scribe(folder: &Path) -> String {
    let folder = folder.display();
    format!("cat >>{folder}/documents; printf '%s %s\\n' \"$NETBURN_CONDITION\" \"$NETBURN_SUMMARY\" >>{folder}/facts")
}
