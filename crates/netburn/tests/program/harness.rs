//! Starting the program, looking at what it does, and ending it.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A scenario that loads nothing much, and is over soon: an exchange of 1000 bytes 50 times a second.
pub(crate) const LIGHT: &str = concat!(
    r#"
name = "light"
duration = "3 s"
warm_up = "1 s"

[[client]]
name = "phone"
run = ["exchange"]

"#,
    include_str!("../shared/exchange.toml")
);

/// The same, for a minute, by two clients: long enough for something to go wrong in the middle.
pub(crate) fn long() -> String {
    let two =
        "[[client]]\nname = \"phone\"\nrun = [\"exchange\"]\n\n[[client]]\nname = \"tablet\"\nrun = [\"exchange\"]\n";
    LIGHT.replace("3 s", "60 s").replace("[[client]]\nname = \"phone\"\nrun = [\"exchange\"]\n", two)
}

/// A folder for one test, with a scenario in it.
pub(crate) struct Place {
    folder: TempDir,
}

impl Place {
    pub(crate) fn with(scenario: &str) -> Self {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("s.toml"), scenario).unwrap();
        Self { folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn out(&self) -> PathBuf {
        self.path().join("runs")
    }

    /// `netburn run` of the scenario, with further arguments.
    pub(crate) fn run(&self, args: &[&str]) -> Command {
        let mut command = netburn(&["run"]);
        command.arg(self.path().join("s.toml")).arg("--out").arg(self.out()).args(args);
        command
    }

    /// The run files.
    pub(crate) fn run_files(&self) -> Vec<PathBuf> {
        run_files(&self.out())
    }

    /// The one run file.
    pub(crate) fn run_file(&self) -> PathBuf {
        let files = self.run_files();
        assert_eq!(files.len(), 1, "{files:?}");
        files[0].clone()
    }

    /// Waits until a run file holds this text.
    pub(crate) fn wait_for(&self, text: &str) {
        let holds = |file: &Path| fs::read_to_string(file).is_ok_and(|content| content.contains(text));
        until(&format!("a run file to hold {text}"), || {
            fs::read_dir(self.out()).ok()?.flatten().any(|entry| holds(&entry.path())).then_some(())
        });
    }
}

/// The run files of a folder: beside them is their index.
pub(crate) fn run_files(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files.filter(|file| file.extension().is_some_and(|ending| ending == "netburn")).collect()
}

pub(crate) fn netburn(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_netburn"));
    command.args(args).stdin(Stdio::null()).env_remove("NO_COLOR");
    command
}

/// What a finished program said.
pub(crate) struct Said {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Said {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", self.out, self.err))
    }
}

impl From<Output> for Said {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub(crate) fn say(command: &mut Command) -> Said {
    command.output().unwrap().into()
}

/// A program under way; killed where a test ends early.
pub(crate) struct UnderWay {
    child: Child,
    stderr: BufReader<ChildStderr>,
    heard: String,
}

impl UnderWay {
    pub(crate) fn start(command: &mut Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        Self { child, stderr, heard: String::new() }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, name: &str) {
        signal(self.pid(), name);
    }

    /// Waits until the program has said this on stderr.
    pub(crate) fn hear(&mut self, text: &str) {
        while !self.heard.contains(text) {
            assert_ne!(
                self.stderr.read_line(&mut self.heard).unwrap(),
                0,
                "it ended and never said {text}: {}",
                self.heard
            );
        }
    }

    /// The children whose command line holds `word`, in the order they were started.
    pub(crate) fn children(&self, word: &str) -> Vec<u32> {
        let mut children = children(self.pid());
        children.retain(|pid| command_line(*pid).contains(word));
        children.sort_unstable();
        children
    }

    pub(crate) fn end(mut self) -> Said {
        let mut out = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        self.stderr.read_to_string(&mut self.heard).unwrap();
        Said { code: self.child.wait().unwrap().code(), out, err: std::mem::take(&mut self.heard) }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) fn signal(pid: u32, name: &str) {
    assert!(Command::new("kill").args([&format!("-{name}"), &pid.to_string()]).status().unwrap().success());
}

fn children(pid: u32) -> Vec<u32> {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).unwrap();
    let listed = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("children")).ok());
    listed.flat_map(|list| list.split_whitespace().map(|pid| pid.parse().unwrap()).collect::<Vec<_>>()).collect()
}

fn command_line(pid: u32) -> String {
    fs::read(format!("/proc/{pid}/cmdline"))
        .map(|bytes| String::from_utf8_lossy(&bytes).replace('\0', " "))
        .unwrap_or_default()
}

/// Whether a process is there and not yet dead.
pub(crate) fn is_alive(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
}

/// Looks again and again until there is something to see. The limit is for a test that would otherwise hang.
pub(crate) fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(seen) = look() {
            return seen;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "waited a minute for {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}
