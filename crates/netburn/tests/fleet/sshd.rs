//! A real SSH server for one test: its own keys, its own config, its own home folder, and every connection in the test's
//! hands.
//!
//! The test listens and hands each connection to an `sshd -i` of its own. So the port is never guessed, logins are
//! counted where they happen, and a connection can be kept waiting or cut. Nothing of this machine's users is read or written:
//! the client has its own config, and the sessions have a `HOME` of the test's.

use std::fmt::Write as _;
use std::fs;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use netburn::fleet::ssh::{Destination, Login, LoginError, LoginOptions, Sockets};
use nix::unistd::{User, getegid, geteuid};
use tempfile::TempDir;

/// Where Debian and others put it; `PATH` of ordinary users does not lead there.
const SSHD: &str = "/usr/sbin/sshd";

/// `sshd` as root wants this folder, which a machine where it is no service lacks.
const PRIVILEGE_SEPARATION: &str = "/run/sshd";

/// How the server differs from an ordinary one.
#[derive(Clone, Debug)]
pub(crate) struct Manner {
    /// Lines of its config, before all others: the first value of a keyword counts.
    pub(crate) config: Vec<String>,
    /// Variables of its sessions, beside `HOME`.
    pub(crate) variables: Vec<(&'static str, String)>,
    /// What protects the user's key.
    pub(crate) passphrase: &'static str,
    /// What becomes of a connection.
    pub(crate) greeting: Greeting,
    /// Mounts a file system of its own on the sessions' cache folder, with these options.
    pub(crate) mount: Option<&'static str>,
}

/// What becomes of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Greeting {
    /// It is served.
    Serve,
    /// It is taken, and nothing ever said.
    Silence,
}

impl Default for Manner {
    fn default() -> Self {
        Self { config: Vec::new(), variables: Vec::new(), passphrase: "", greeting: Greeting::Serve, mount: None }
    }
}

/// The server, and all that a client needs to log in to it as `device`.
pub(crate) struct Sshd {
    folder: TempDir,
    connections: Arc<Mutex<Vec<Connection>>>,
    pub(crate) port: u16,
}

struct Connection {
    stream: TcpStream,
    server: Option<Child>,
}

impl Sshd {
    pub(crate) fn start() -> Self {
        Self::start_in(Manner::default())
    }

    pub(crate) fn start_in(manner: Manner) -> Self {
        let folder = TempDir::new().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let sshd = Self { folder, connections: Arc::default(), port };
        fs::create_dir(sshd.home()).unwrap();
        make_key(&sshd.path("host"), "");
        make_key(&sshd.path("user"), manner.passphrase);
        fs::copy(sshd.path("user.pub"), sshd.path("authorized")).unwrap();
        fs::write(sshd.path("sshd_config"), sshd.server_config(&manner)).unwrap();
        sshd.know(&sshd.path("host.pub"));
        sshd.configure("");
        let (connections, config) = (Arc::clone(&sshd.connections), sshd.path("sshd_config"));
        let mount = manner.mount.map(|options| {
            let cache = sshd.home().join(".cache");
            fs::create_dir(&cache).unwrap();
            format!("mount -t tmpfs -o {options} none {}", cache.display())
        });
        thread::spawn(move || {
            for stream in listener.incoming() {
                let stream = stream.unwrap();
                let server = (manner.greeting == Greeting::Serve).then(|| serve(&config, mount.as_deref(), &stream));
                connections.lock().unwrap().push(Connection { stream, server });
            }
        });
        sshd
    }

    /// A file of this server.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The home folder of its sessions.
    pub(crate) fn home(&self) -> PathBuf {
        self.path("home")
    }

    /// Writes the client's config: `extra` lines first, then how to reach the server.
    pub(crate) fn configure(&self, extra: &str) {
        let user = user();
        let config = format!(
            "{extra}\nHost *\n HostName 127.0.0.1\n Port {}\n User {user}\n IdentityFile {}\n IdentitiesOnly yes\n \
             IdentityAgent none\n UserKnownHostsFile {}\n GlobalKnownHostsFile /dev/null\n StrictHostKeyChecking yes\n",
            self.port,
            self.path("user").display(),
            self.path("known_hosts").display(),
        );
        fs::write(self.path("ssh_config"), config).unwrap();
    }

    /// Lets the client know the server by this public key, and by no other.
    pub(crate) fn know(&self, public: &Path) {
        let key = fs::read_to_string(public).unwrap();
        fs::write(self.path("known_hosts"), format!("[127.0.0.1]:{} {key}", self.port)).unwrap();
    }

    /// How to log in here without asking anybody.
    pub(crate) fn options(&self) -> LoginOptions {
        LoginOptions {
            interactive: false,
            extra: vec!["-F".into(), self.path("ssh_config").to_str().unwrap().into()],
            connect_timeout: Duration::from_secs(20),
        }
    }

    /// A folder for control sockets, of this test alone.
    pub(crate) fn sockets(&self) -> Sockets {
        Sockets::open_in(&self.path("nb")).unwrap()
    }

    pub(crate) async fn log_in(&self) -> Result<Login, LoginError> {
        Login::open(&device(), &self.sockets(), &self.options()).await
    }

    /// How many connections there have been.
    pub(crate) fn connections(&self) -> usize {
        self.connections.lock().unwrap().len()
    }

    /// Cuts every connection there is.
    pub(crate) fn cut(&self) {
        for connection in self.connections.lock().unwrap().iter() {
            let _ = connection.stream.shutdown(Shutdown::Both);
        }
    }

    /// What the servers have logged.
    pub(crate) fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    fn server_config(&self, manner: &Manner) -> String {
        let path = |name| self.path(name).display().to_string();
        let mut config = manner.config.join("\n");
        let mut line = |line: String| writeln!(config, "\n{line}").unwrap();
        line(format!("HostKey {}", path("host")));
        line(format!("AuthorizedKeysFile {}", path("authorized")));
        let mut variables = format!("SetEnv \"HOME={}\"", self.home().display());
        for (name, value) in &manner.variables {
            write!(variables, " \"{name}={value}\"").unwrap();
        }
        line(variables);
        for fixed in [
            "UsePAM no",
            "StrictModes no",
            "PermitRootLogin yes",
            "PasswordAuthentication no",
            "KbdInteractiveAuthentication no",
            "PidFile none",
            "UseDNS no",
            "LogLevel VERBOSE",
            "MaxSessions 20",
        ] {
            line(fixed.to_owned());
        }
        config
    }
}

impl Drop for Sshd {
    fn drop(&mut self) {
        self.cut();
        for connection in self.connections.lock().unwrap().iter_mut() {
            if let Some(server) = &mut connection.server {
                let _ = server.kill();
                let _ = server.wait();
            }
        }
    }
}

/// The name under which every client config here knows the server.
pub(crate) fn device() -> Destination {
    Destination::parse("device").unwrap()
}

pub(crate) fn make_key(file: &Path, passphrase: &str) {
    let mut command = Command::new("ssh-keygen");
    command.args(["-q", "-t", "ed25519", "-N", passphrase, "-C", "test", "-f"]).arg(file);
    assert!(command.status().expect("ssh-keygen is installed (openssh-client)").success());
}

fn user() -> String {
    User::from_uid(geteuid()).unwrap().expect("who runs this test has a name").name
}

/// One server for one connection, in a mount namespace of its own: the machine's folders stay as they are.
fn serve(config: &Path, mount: Option<&str>, stream: &TcpStream) -> Child {
    assert!(Path::new(SSHD).exists(), "{SSHD} is not there: install openssh-server");
    let mut preparations: Vec<String> = mount.into_iter().map(ToOwned::to_owned).collect();
    if geteuid().is_root() && !Path::new(PRIVILEGE_SEPARATION).exists() {
        preparations.push(format!("mount -t tmpfs none /run && mkdir {PRIVILEGE_SEPARATION}"));
    }
    let mut command = Command::new("unshare");
    if !geteuid().is_root() {
        // Only root mounts, if in a namespace; and the server is to log in the user who really runs this.
        command.args(["--user", "--map-root-user"]);
        let ids = (geteuid(), getegid());
        preparations.push(format!("exec unshare --user --map-user={} --map-group={} \"$@\"", ids.0, ids.1));
    }
    preparations.push("exec \"$@\"".to_owned());
    command.args(["--mount", "sh", "-c", &preparations.join(" && "), "sh", SSHD]);
    let socket = || Stdio::from(OwnedFd::from(stream.try_clone().unwrap()));
    let log = config.with_file_name("log");
    command.arg("-i").arg("-f").arg(config).arg("-E").arg(log).stdin(socket()).stdout(socket()).stderr(Stdio::null());
    command.spawn().unwrap()
}
