//! Counters of the interface towards the server, second by second.
//!
//! They come from `/proc/thread-self/net/dev`, which shows the network namespace that the thread is in; `/sys/class/net`
//! shows the one in which it was mounted, which in a lab is another.

use std::fs;
use std::net::{IpAddr, SocketAddr};

use burn_model::record::InterfaceRecord;

use crate::{addresses, facts};

/// Turns running totals into differences.
#[derive(Debug)]
pub(super) struct InterfaceMeter {
    server: SocketAddr,
    /// The address that traffic to the server leaves from, and the interface that has it.
    route: Option<(IpAddr, String)>,
    before: Option<InterfaceRecord>,
}

impl InterfaceMeter {
    /// Begins to count on whatever interface leads to the server now.
    pub(super) fn towards(server: SocketAddr) -> Self {
        let mut meter = Self { server, route: None, before: None };
        meter.take();
        meter
    }

    /// The name of the interface, as of the last time.
    pub(super) fn name(&self) -> Option<&str> {
        self.route.as_ref().map(|(_, name)| name.as_str())
    }

    /// What was counted since the last time. Absent where it cannot be known: there is no way to the server, it goes by
    /// another interface than the last time, or a counter ran back.
    pub(super) fn take(&mut self) -> Option<InterfaceRecord> {
        self.follow_route();
        let now = self.name().and_then(|name| parse(&fs::read_to_string("/proc/thread-self/net/dev").ok()?, name));
        if now.is_none() {
            // Its address may have moved to another interface.
            self.route = None;
        }
        let before = std::mem::replace(&mut self.before, now);
        difference(self.before.as_ref()?, &before?)
    }

    /// Asks the kernel's routing table, and for an interface's name only where the answer is a new one.
    fn follow_route(&mut self) {
        let own = addresses::towards(self.server);
        if self.route.as_ref().map(|(own, _)| *own) != own {
            self.route = own.and_then(|own| Some((own, facts::interface_of(own)?)));
        }
    }
}

/// An interface's line of `/proc/net/dev`: eight counters of what was received (bytes, packets, errors, dropped, …), then
/// eight of what was sent (proc_net(5)). Received packets that were missed for want of room count as dropped there.
fn parse(text: &str, name: &str) -> Option<InterfaceRecord> {
    let counters = text.lines().find_map(|line| {
        let (of, counters) = line.trim_start().split_once(':')?;
        (of == name).then_some(counters)
    })?;
    let counters: Vec<u64> = counters.split_ascii_whitespace().map(str::parse).collect::<Result<_, _>>().ok()?;
    let [rx_bytes, rx_packets, rx_errors, rx_dropped, _, _, _, _, tx_bytes, tx_packets, tx_errors, tx_dropped, ..] =
        counters[..]
    else {
        return None;
    };
    let name = name.to_owned();
    Some(InterfaceRecord {
        name,
        rx_bytes,
        tx_bytes,
        rx_packets,
        tx_packets,
        rx_errors,
        tx_errors,
        rx_dropped,
        tx_dropped,
    })
}

/// What was counted between two readings of one interface. One that was taken down and up may begin anew, and then nobody
/// knows.
fn difference(now: &InterfaceRecord, before: &InterfaceRecord) -> Option<InterfaceRecord> {
    if now.name != before.name {
        return None;
    }
    Some(InterfaceRecord {
        name: now.name.clone(),
        rx_bytes: now.rx_bytes.checked_sub(before.rx_bytes)?,
        tx_bytes: now.tx_bytes.checked_sub(before.tx_bytes)?,
        rx_packets: now.rx_packets.checked_sub(before.rx_packets)?,
        tx_packets: now.tx_packets.checked_sub(before.tx_packets)?,
        rx_errors: now.rx_errors.checked_sub(before.rx_errors)?,
        tx_errors: now.tx_errors.checked_sub(before.tx_errors)?,
        rx_dropped: now.rx_dropped.checked_sub(before.rx_dropped)?,
        tx_dropped: now.tx_dropped.checked_sub(before.tx_dropped)?,
    })
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};

    use super::*;

    const TABLE: &str = "Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
wlan0:100 200 3 4 0 0 0 0 900 1000 1 2 0 0 0 0
";

    fn wlan() -> InterfaceRecord {
        parse(TABLE, "wlan0").unwrap()
    }

    #[test]
    fn each_counter_is_taken_from_its_column() {
        let expected = InterfaceRecord {
            name: "wlan0".into(),
            rx_bytes: 100,
            tx_bytes: 900,
            rx_packets: 200,
            tx_packets: 1000,
            rx_errors: 3,
            tx_errors: 1,
            rx_dropped: 4,
            tx_dropped: 2,
        };
        assert_eq!(wlan(), expected);
        assert_eq!(parse(TABLE, "lo").map(|lo| (lo.rx_bytes, lo.tx_bytes)), Some((1, 9)));
    }

    #[test]
    fn a_table_of_another_form_says_nothing() {
        for (text, name) in [(TABLE, "eth0"), ("", "lo"), ("lo: 1 2 3", "lo"), ("lo: a b", "lo"), (TABLE, "")] {
            assert_eq!(parse(text, name), None, "{name} in {text:?}");
        }
    }

    #[test]
    fn a_second_is_the_difference_and_absent_where_a_counter_ran_back_or_the_interface_is_another() {
        let later = InterfaceRecord { rx_bytes: 150, rx_dropped: 5, ..wlan() };
        let expected = InterfaceRecord { name: "wlan0".into(), rx_bytes: 50, rx_dropped: 1, ..Default::default() };
        assert_eq!(difference(&later, &wlan()), Some(expected));
        assert_eq!(difference(&InterfaceRecord { tx_packets: 999, ..later.clone() }, &wlan()), None);
        assert_eq!(difference(&InterfaceRecord { name: "eth0".into(), ..later }, &wlan()), None);
    }

    #[test]
    fn what_went_through_this_hosts_own_interface_is_counted() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut meter = InterfaceMeter::towards(address);
        assert_eq!(meter.name(), Some("lo"));
        let mut near = TcpStream::connect(address).unwrap();
        let (mut far, _) = listener.accept().unwrap();
        near.write_all(&[7; 100_000]).unwrap();
        far.read_exact(&mut vec![0; 100_000]).unwrap();
        let second = meter.take().unwrap();
        assert!(second.rx_bytes >= 100_000 && second.tx_bytes >= 100_000, "{second:?}");
    }
}
