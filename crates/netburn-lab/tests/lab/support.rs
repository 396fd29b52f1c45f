//! What the lab's tests share: small labs, plain sockets, and a look at the kernel from outside.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use netburn_lab::{Host, Lab, LabSpec, RadioSpec, StationSpec};

/// A lab of radios (bit/s, queue) and stations (each the number of its radio).
pub(crate) fn lab(radios: &[(u64, Duration)], stations: &[usize]) -> Lab {
    let radios = radios.iter().map(|&(rate_bps, queue)| RadioSpec { name: "radio".into(), rate_bps, queue }).collect();
    let stations = stations.iter().map(|&radio| StationSpec { name: "station".into(), radio }).collect();
    Lab::build(&LabSpec { radios, stations }).expect("this test needs root and iproute2")
}

/// A socket that listens on `host`, and where.
pub(crate) fn listen(host: &Host) -> (TcpListener, SocketAddr) {
    let listener = host.run_in(|| TcpListener::bind((host.address(), 0))).unwrap().unwrap();
    let address = listener.local_addr().unwrap();
    (listener, address)
}

/// A connection from `host`.
pub(crate) fn connect(host: &Host, to: SocketAddr) -> TcpStream {
    let stream = host.run_in(|| TcpStream::connect(to)).unwrap().unwrap();
    stream.set_nodelay(true).unwrap();
    stream
}

/// A connected pair: the server's end, the station's end.
pub(crate) fn pair(lab: &Lab, station: usize) -> (TcpStream, TcpStream) {
    let (listener, address) = listen(lab.server());
    let theirs = connect(lab.station(station), address);
    let (ours, _) = listener.accept().unwrap();
    ours.set_nodelay(true).unwrap();
    (ours, theirs)
}

/// Moves `bytes` from the server to a station; returns when all have arrived.
pub(crate) fn download(lab: &Lab, station: usize, bytes: u32) {
    let (mut server, mut client) = pair(lab, station);
    thread::scope(|scope| {
        scope.spawn(move || server.write_all(&vec![0; bytes as usize]).unwrap());
        let received = io::copy(&mut client, &mut io::sink()).unwrap();
        assert_eq!(received, u64::from(bytes));
    });
}

/// Downloads to `station` over `connections` at once until `stop`.
pub(crate) fn flood(lab: &Lab, station: usize, connections: usize, stop: &AtomicBool) {
    thread::scope(|scope| {
        for _ in 0..connections {
            let (mut server, mut client) = pair(lab, station);
            scope.spawn(move || while server.write_all(&[0; 16 * 1024]).is_ok() {});
            scope.spawn(move || {
                let mut buffer = vec![0; 64 * 1024];
                while !stop.load(Ordering::Relaxed) && client.read(&mut buffer).unwrap() > 0 {}
                // Closed with data unread: the writer gets a reset and ends.
            });
        }
    });
}

/// Round trips of 32 bytes between a station and the server, one after the other, until `stop`.
pub(crate) fn round_trips(lab: &Lab, station: usize, stop: &AtomicBool) -> Vec<Duration> {
    let (mut server, mut client) = pair(lab, station);
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut message = [0; 32];
            while server.read_exact(&mut message).and_then(|()| server.write_all(&message)).is_ok() {}
        });
        let mut times = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let sent = Instant::now();
            client.write_all(&[1; 32]).unwrap();
            client.read_exact(&mut [0; 32]).unwrap();
            times.push(sent.elapsed());
        }
        drop(client);
        times
    })
}

/// The middle one of some times.
pub(crate) fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Waits until the kernel has done what it was going to do.
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !holds() {
        assert!(Instant::now() < deadline, "did not come true within 10 s: {what}");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Names of the interfaces in a namespace.
pub(crate) fn interfaces(namespace: &File) -> BTreeSet<String> {
    thread::scope(|scope| {
        let look = || {
            nix::sched::setns(namespace, nix::sched::CloneFlags::CLONE_NEWNET).unwrap();
            fs::read_to_string("/proc/thread-self/net/dev").unwrap()
        };
        let table = scope.spawn(look).join().unwrap();
        table.lines().filter_map(|line| Some(line.split_once(':')?.0.trim().to_owned())).collect()
    })
}

/// Identities (`net:[…]`) of the namespaces that a process holds by descriptors or lives in.
pub(crate) fn namespaces_of(pid: u32) -> BTreeSet<String> {
    let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten().map(|entry| entry.path());
    let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
    let homes = threads.map(|thread| thread.path().join("ns/net"));
    let targets =
        descriptors.chain(homes).filter_map(|path| fs::read_link(path).ok()?.into_os_string().into_string().ok());
    targets.filter(|target| target.starts_with("net:[")).collect()
}

/// All processes but this one that hold or inhabit one of these namespaces.
pub(crate) fn holders_of(namespaces: &BTreeSet<String>) -> Vec<u32> {
    let pids = fs::read_dir("/proc").unwrap().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    pids.filter(|&pid| pid != std::process::id() && !namespaces_of(pid).is_disjoint(namespaces)).collect()
}

/// Whether a process still runs; one that nobody has buried yet does not.
pub(crate) fn runs(pid: u32) -> bool {
    let state = fs::read_to_string(format!("/proc/{pid}/stat"));
    state.is_ok_and(|stat| !stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with(['Z', 'X'])))
}
