//! The back-end server: bytes of any size over HTTP/1.1, with an honest account of what it cost to make them.
//!
//! It serves no file, starts no program, opens no connection, and sends nothing that was not asked for over a
//! completed TCP handshake. It never judges: [`crate::protocol::Witness`] is evidence for who does.
//!
//! A connection is one task over one `socket::Socket`; what a request asks for is one `match` in `connection`. TLS and
//! HTTP/2 would come as other sockets and other connection loops beside those, WebSocket as another arm of that
//! `match`. Why the loop is our own: docs/decisions/0003-server-loop.md.
//!
//! One worker thread of the runtime serves more than ten gigabits per second; more threads do not make a reply cheaper.

mod account;
mod arrival;
mod clock;
mod connection;
mod door;
mod effort;
mod input;
mod listen;
mod outgoing;
mod payload;
mod policy;
mod request;
mod socket;
mod tally;
mod tap;
mod witness;

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use nix::errno::Errno;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::{JoinError, JoinSet, coop};
use tokio::time::{MissedTickBehavior, interval_at, timeout};

pub use self::door::{Door, DoorKeeper, Taken};
pub use self::listen::BindError;
pub use self::policy::Policy;
pub use self::tally::Summary;

use self::clock::{Clock, Pulse};
use self::outgoing::{Head, Outgoing};
use self::payload::Pool;
use self::request::Refusal;
use self::socket::Socket;
use self::tally::Tally;
use self::witness::Witness;

/// How many witnesses' accounts may be on their way at once. All clients of a run ask in the same moment: the others wait.
const TELLING_AT_ONCE: usize = 4;
/// For how long they do. A client gives up a little later, and should hear why.
const TELLING_PATIENCE: Duration = Duration::from_secs(4);
/// How many connections may be told at once that there is no place; more are closed without a word.
const TURNING_AWAY_AT_ONCE: usize = 64;
/// How long the accept loop rests when the system has no more file descriptors or memory.
const REST: Duration = Duration::from_millis(50);
/// Files that the process needs beside its connections.
const OTHER_FILES: u64 = 128;
/// After so many connections in a row, others may run.
const ACCEPTS_IN_A_ROW: u32 = 64;

/// How to serve.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Where to listen; port 0 takes any free one.
    pub listen: SocketAddr,
    /// Bounds on what peers may do.
    pub policy: Policy,
    /// The congestion control of all connections, by the kernel's name; the system's own where absent.
    pub congestion: Option<String>,
    /// Program and version, for the greeting.
    pub program: String,
    /// What is known of the host, for the greeting.
    pub environment: BTreeMap<String, String>,
    /// Where connections go that begin with TLS; they are refused where absent.
    pub door: Option<Door>,
}

/// A server that listens, and answers once it runs.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    shared: Arc<Shared>,
}

/// A look at a server from outside its task.
#[derive(Clone, Debug)]
pub struct Live(Arc<Shared>);

/// What all connections share.
#[derive(Debug)]
struct Shared {
    policy: Policy,
    program: String,
    environment: BTreeMap<String, String>,
    door: Option<Door>,
    clock: Clock,
    pulse: Pulse,
    pool: Pool,
    witness: Witness,
    tally: Tally,
    places: Arc<Semaphore>,
    telling: Arc<Semaphore>,
    turning_away: Arc<Semaphore>,
}

impl Server {
    /// Listens. Connections wait in the kernel until [`Server::run`].
    ///
    /// Raises the process's soft limit of open files where the policy's connections need more.
    ///
    /// # Errors
    /// Where the address cannot be had, or what the options ask of it; and outside of a tokio runtime.
    pub fn bind(options: ServerOptions) -> Result<Self, BindError> {
        let ServerOptions { listen: address, policy, congestion, program, environment, door } = options;
        let _runtime = Handle::try_current().map_err(|_| BindError::NoRuntime)?;
        listen::allow_open_files(u64::from(policy.max_connections) + OTHER_FILES);
        let other = |source| BindError::Other { address, source };
        let listener = listen::listen(address, congestion.as_deref())?;
        let listener = TcpListener::from_std(listener).map_err(other)?;
        let address = listener.local_addr().map_err(other)?;
        let clock = Clock::start();
        let places = usize::try_from(policy.max_connections).unwrap_or(usize::MAX).min(Semaphore::MAX_PERMITS);
        let shared = Shared {
            pool: Pool::new().map_err(BindError::Random)?,
            pulse: Pulse::new(clock),
            witness: Witness::new(clock, &policy),
            tally: Tally::default(),
            places: Arc::new(Semaphore::new(places)),
            telling: Arc::new(Semaphore::new(TELLING_AT_ONCE)),
            turning_away: Arc::new(Semaphore::new(TURNING_AWAY_AT_ONCE)),
            policy,
            program,
            environment,
            door,
            clock,
        };
        Ok(Self { listener, address, shared: Arc::new(shared) })
    }

    /// Where it listens.
    #[must_use]
    pub const fn local_addr(&self) -> SocketAddr {
        self.address
    }

    /// A look at the server that outlives the call of [`Server::run`].
    #[must_use]
    pub fn live(&self) -> Live {
        Live(Arc::clone(&self.shared))
    }

    /// Serves until `shutdown`. Then takes no more connections, finishes replies under way for up to
    /// [`Policy::shutdown_grace`], and closes.
    pub async fn run(self, shutdown: impl Future<Output = ()>) -> Summary {
        let Self { listener, shared, .. } = self;
        // Both end with this call, also where it is dropped.
        let mut upkeep = JoinSet::new();
        upkeep.spawn(beat(Arc::clone(&shared)));
        upkeep.spawn(keep_seconds(Arc::clone(&shared)));

        let mut tasks = JoinSet::new();
        let (stop, stopping) = watch::channel(false);
        serve_until(shutdown, listener, &shared, &mut tasks, &stopping).await;

        stop.send_replace(true);
        let all_ended = async {
            while let Some(ended) = tasks.join_next().await {
                note_broken(&shared.tally, &ended);
            }
        };
        if timeout(shared.policy.shutdown_grace, all_ended).await.is_err() {
            Tally::add(&shared.tally.interrupted, tasks.len() as u64);
            tasks.shutdown().await;
        }
        shared.tally.summary()
    }
}

impl Live {
    /// Connections that are open now.
    #[must_use]
    pub fn open_connections(&self) -> u32 {
        let free = u32::try_from(self.0.places.available_permits()).unwrap_or(u32::MAX);
        self.0.policy.max_connections.saturating_sub(free)
    }

    /// What was done so far.
    #[must_use]
    pub fn so_far(&self) -> Summary {
        self.0.tally.summary()
    }
}

/// The accept loop. The listener closes with it.
async fn serve_until(
    shutdown: impl Future<Output = ()>,
    listener: TcpListener,
    shared: &Arc<Shared>,
    tasks: &mut JoinSet<()>,
    stopping: &watch::Receiver<bool>,
) {
    let mut shutdown = std::pin::pin!(shutdown);
    let mut empty_at = shared.clock.now();
    let mut in_a_row = 0;
    loop {
        tokio::select! {
            biased;
            () = &mut shutdown => return,
            Some(ended) = tasks.join_next(), if !tasks.is_empty() => note_broken(&shared.tally, &ended),
            accepted = accept(&listener, shared.clock, &mut empty_at) => match accepted {
                Ok(stream) => {
                    admit(stream, empty_at, shared, tasks, stopping);
                    in_a_row += 1;
                    if in_a_row == ACCEPTS_IN_A_ROW {
                        in_a_row = 0;
                        tokio::task::yield_now().await;
                    }
                }
                Err(error) => {
                    Tally::add(&shared.tally.accept_errors, 1);
                    if !concerns_one_connection(&error) {
                        tokio::time::sleep(REST).await;
                    }
                }
            }
        }
    }
}

/// Accepts the next connection, and notes when there was last none: what a connection sent came after that.
async fn accept(listener: &TcpListener, clock: Clock, empty_at: &mut u64) -> io::Result<TcpStream> {
    // Without `unconstrained`, "pending" could also mean that it is others' turn.
    coop::unconstrained(poll_fn(|context| {
        let before = clock.now();
        let accepted = listener.poll_accept(context);
        if accepted.is_pending() {
            *empty_at = before;
        }
        accepted.map_ok(|(stream, _)| stream)
    }))
    .await
}

/// Gives a connection a place, or tells it that there is none.
fn admit(
    stream: TcpStream,
    empty_at: u64,
    shared: &Arc<Shared>,
    tasks: &mut JoinSet<()>,
    stopping: &watch::Receiver<bool>,
) {
    let socket = Socket::new(stream, shared.clock, empty_at);
    if let Ok(place) = Arc::clone(&shared.places).try_acquire_owned() {
        Tally::add(&shared.tally.connections, 1);
        let (shared, stopping) = (Arc::clone(shared), stopping.clone());
        tasks.spawn(async move {
            connection::serve(socket, shared, stopping).await;
            drop(place);
        });
    } else {
        Tally::add(&shared.tally.turned_away, 1);
        if let Ok(permit) = Arc::clone(&shared.turning_away).try_acquire_owned() {
            tasks.spawn(turn_away(socket, permit));
        }
    }
}

/// Says 503 without waiting for the request.
async fn turn_away(socket: Socket, _permit: OwnedSemaphorePermit) {
    let head = Head { run: None, server_time: 0, close: true, head_only: false };
    let mut outgoing = Outgoing::default();
    outgoing.refusal(&head, Refusal::Busy, 0);
    if socket.writable().await.is_ok() && socket.send(&[io::IoSlice::new(outgoing.text())]).is_ok() {
        socket.close_after_last_words().await;
    }
}

/// Whether an error of `accept` is over with the one connection it came with (accept(2), "Error handling").
fn concerns_one_connection(error: &io::Error) -> bool {
    use Errno::{
        ECONNABORTED, EHOSTDOWN, EHOSTUNREACH, EINTR, ENETDOWN, ENETUNREACH, ENONET, ENOPROTOOPT, EOPNOTSUPP, EPROTO,
    };
    let one =
        [ECONNABORTED, EHOSTDOWN, EHOSTUNREACH, EINTR, ENETDOWN, ENETUNREACH, ENONET, ENOPROTOOPT, EOPNOTSUPP, EPROTO];
    error.raw_os_error().is_some_and(|code| one.contains(&Errno::from_raw(code)))
}

fn note_broken(tally: &Tally, ended: &Result<(), JoinError>) {
    if ended.as_ref().is_err_and(JoinError::is_panic) {
        Tally::add(&tally.broken, 1);
    }
}

async fn beat(shared: Arc<Shared>) {
    shared.pulse.beat().await;
}

async fn keep_seconds(shared: Arc<Shared>) {
    const SECOND: Duration = Duration::from_secs(1);
    let mut seconds = interval_at(tokio::time::Instant::now() + SECOND, SECOND);
    seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        seconds.tick().await;
        shared.witness.end_second(shared.pulse.take_longest()).await;
    }
}

/// Locks, whether or not another thread broke while it held the lock: what is locked here is counters.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
