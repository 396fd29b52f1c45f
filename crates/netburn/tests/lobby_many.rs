//! What a lobby holds when many devices have come and gone. Alone in its process: it counts the process's files.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::net::SocketAddr;
use std::time::Duration;

use netburn::control::message;
use netburn::fleet::greeting::{self, Greeting};
use netburn::fleet::join::dial::dial;
use netburn::fleet::lobby::{Arrival, Lobby, Manners, Strangers, WayIn};

const DEVICES: u32 = 10_000;
/// Until then, allocators and tables have grown to what they need.
const SETTLED: u32 = 2_000;

fn open_files() -> usize {
    std::fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Memory of this process that is in use, in bytes: proc(5), statm.
fn memory() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
    pages.split(' ').nth(1).unwrap().parse::<u64>().unwrap() * 4096
}

fn greeting(device: u32) -> Greeting {
    Greeting {
        version: greeting::VERSION,
        control: message::VERSION,
        program: "test 1".to_owned(),
        name: None,
        session: format!("{device:032x}"),
        resumes_at: None,
    }
}

#[tokio::test]
async fn ten_thousand_devices_that_vanish_one_after_the_other_leave_nothing_behind() {
    let way_in = WayIn::listen(Some(SocketAddr::from(([127, 0, 0, 1], 0)))).await.unwrap();
    let host = format!("127.0.0.1:{}", way_in.port().unwrap());
    let manners = Manners { grace: Duration::ZERO, ..Manners::default() };
    let mut lobby = Lobby::open_with(vec!["tv".to_owned(), "phone".to_owned()], way_in, host, manners).unwrap();
    let mut links: Vec<_> = lobby.invitation().guests.into_iter().map(|guest| guest.link).collect();
    let files = open_files();
    let mut settled = 0;
    for device in 0..DEVICES {
        let slot = usize::from(device % 2 == 1);
        let welcome = dial(&links[slot], &greeting(device)).await.unwrap();
        let Arrival::Joined(joined) = lobby.next().await else { panic!("nobody has joined") };
        assert_eq!(joined.slot, slot);
        drop(welcome);
        let Arrival::Left { slot: left, .. } = lobby.next().await else { panic!("nobody has left") };
        assert_eq!(left, slot);
        links[slot] = lobby.invitation().guests.swap_remove(slot).link;
        if device == SETTLED {
            settled = memory();
        }
    }
    assert_eq!(lobby.missing(), ["tv", "phone"]);
    assert_eq!(lobby.strangers(), Strangers::default(), "right codes are never turned away");
    assert_eq!(open_files(), files);
    // A conversation alone holds buffers of 32 KiB and more: 8,000 of them would be 260 MB.
    let grown = memory().saturating_sub(settled);
    assert!(grown < 16 << 20, "{grown} bytes more");
}
