//! What happens on a device beside the load, once a second: its interface, and its radio where it has one.
//!
//! On a thread of its own, never the one that measures, and cheap: it reads what the kernel counts anyway, never scans and
//! never changes a setting. Nothing here judges. What cannot be read is absent; no failure to read stops anything.

mod interface;
mod radio;
mod roaming;

use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use burn_model::record::{RoamRecord, RunEvent, TelemetryRecord, WifiRecord};
use burn_model::time::Moment;

use interface::InterfaceMeter;
use radio::RadioMeter;

/// A sample that comes this late counts more than its second, and is thrown away: the device slept, say.
const TOO_LATE: Duration = Duration::from_millis(500);

/// While news of the radio is waited for, whether the run is over is looked at this often.
const GLANCE: Duration = Duration::from_millis(100);

/// The counting begins this long before the load does: reading counters at that very moment would take the processor from
/// the load, and where one machine plays many devices, from all of them at once. The first second counts that much more.
const AHEAD: Duration = Duration::from_millis(50);

/// Whom to watch, and for how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    /// Number of the device's first client in the run.
    pub(crate) client: u32,
    /// Where its load goes.
    pub(crate) server: std::net::SocketAddr,
    /// The moment that the plan calls [`Moment::START`].
    pub(crate) start: Instant,
    /// Nothing of the load is left after this.
    pub(crate) until: Moment,
}

impl Watch {
    /// Posts what each second of the run brought, until the run is over or nobody holds the other end of `ended` any more.
    pub(crate) fn keep(self, ended: &Receiver<()>, post: &mut dyn FnMut(RunEvent)) {
        let mut interface = InterfaceMeter::towards(self.server);
        let mut radio = Antenna::new(self.client);
        radio.follow(interface.name(), self.now());
        if !self.wait_until(self.start.checked_sub(AHEAD).unwrap_or(self.start), &mut radio.meter, ended) {
            return;
        }
        // What was before is no part of the run.
        interface.take();
        radio.take(self.now());
        radio.follow(interface.name(), self.now());
        let mut second = 0;
        while second < self.until.second() {
            let due = Moment::from_secs(second + 1);
            if !self.wait_until(self.start + due.since_start(), &mut radio.meter, ended) {
                break;
            }
            let counted = interface.take();
            let (wifi, roams) = radio.take(self.now());
            roams.into_iter().for_each(|roam| post(RunEvent::Roam(roam)));
            let now = self.now();
            if now.since(due) < TOO_LATE {
                let record =
                    TelemetryRecord { client: self.client, second, interface: counted, connections: None, wifi };
                post(RunEvent::Telemetry(Box::new(record)));
            }
            radio.follow(interface.name(), now).into_iter().for_each(|roam| post(RunEvent::Roam(roam)));
            second = now.second().max(second + 1);
        }
        radio.finish().into_iter().for_each(|roam| post(RunEvent::Roam(roam)));
    }

    /// Whether that moment came before the end did. Meanwhile news of the radio is heard.
    fn wait_until(self, moment: Instant, radio: &mut Option<RadioMeter>, ended: &Receiver<()>) -> bool {
        let left = || moment.saturating_duration_since(Instant::now());
        if let Some(radio) = radio {
            while !left().is_zero() && radio.listen(left().min(GLANCE), || self.now()) {
                if matches!(ended.try_recv(), Err(TryRecvError::Disconnected)) {
                    return false;
                }
            }
        }
        matches!(ended.recv_timeout(left()), Err(RecvTimeoutError::Timeout))
    }

    fn now(self) -> Moment {
        Moment::START + Instant::now().saturating_duration_since(self.start)
    }
}

/// The radio of whatever interface leads to the server now, where it has one.
#[derive(Debug)]
struct Antenna {
    client: u32,
    interface: Option<String>,
    meter: Option<RadioMeter>,
}

impl Antenna {
    const fn new(client: u32) -> Self {
        Self { client, interface: None, meter: None }
    }

    /// Turns to this interface. Gives what was still known of roams of the one before. While there is no way to the server,
    /// as in the middle of a roam, the last interface stays the one to watch.
    fn follow(&mut self, interface: Option<&str>, now: Moment) -> Vec<RoamRecord> {
        if interface.is_none() || self.interface.as_deref() == interface {
            return Vec::new();
        }
        self.interface = interface.map(str::to_owned);
        let meter = interface.and_then(|interface| RadioMeter::open(self.client, interface, now));
        let before = std::mem::replace(&mut self.meter, meter);
        before.map_or_else(Vec::new, RadioMeter::finish)
    }

    /// Gives what is still known of roams.
    fn finish(self) -> Vec<RoamRecord> {
        self.meter.map_or_else(Vec::new, RadioMeter::finish)
    }

    fn take(&mut self, now: Moment) -> (Option<WifiRecord>, Vec<RoamRecord>) {
        self.meter.as_mut().map_or_else(Default::default, |meter| meter.take(now))
    }
}

#[cfg(test)]
mod tests {
    use std::net::{TcpListener, TcpStream};
    use std::sync::mpsc::channel;

    use super::*;

    fn watch(until: Moment) -> Watch {
        let server = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        Watch { client: 7, server, start: Instant::now(), until }
    }

    #[test]
    fn each_second_is_told_of_once_and_nothing_after_the_last() {
        let (_held, ended) = channel();
        let mut told = Vec::new();
        watch(Moment::from_millis(2500)).keep(&ended, &mut |event| match event {
            RunEvent::Telemetry(record) => told.push(*record),
            other => panic!("no telemetry: {other:?}"),
        });
        // Two whole seconds. On a machine that stands still for half a second one is left out, but none comes twice.
        assert!(told.iter().all(|record| record.client == 7 && record.second < 2), "{told:?}");
        assert!(told.is_sorted_by(|a, b| a.second < b.second), "{told:?}");
        assert!(told.iter().all(|record| record.interface.as_ref().is_none_or(|interface| interface.name == "lo")));
    }

    #[test]
    fn it_ends_with_the_run_and_not_a_second_later() {
        let (held, ended) = channel();
        drop(held);
        let far = watch(Moment::from_secs(1_000_000));
        far.keep(&ended, &mut |event| panic!("the run is over, and yet: {event:?}"));
        assert!(TcpStream::connect(far.server).is_err(), "nothing was sent to anybody");
    }
}
