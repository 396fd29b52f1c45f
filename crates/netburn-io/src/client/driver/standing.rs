//! How a client's connections stand, once a second, as its own kernel sees them.
//!
//! The driver asks itself, for it alone knows which sockets live; a copy of a descriptor in other hands would keep a
//! connection open that the driver has closed. Asking costs about a microsecond for each socket, so only a few are asked
//! in one turn of the loop, and [`MOST`] in all: sends never wait for this.

use burn_model::record::{ConnectionsRecord, RunEvent, TelemetryRecord};
use burn_model::time::Moment;

use super::connection::Connections;
use crate::tcp_figures::{Counters, TcpFigures};
use crate::tcp_info::TcpInfo;

/// Connections that are asked at most.
const MOST: u32 = 64;
/// Connections that are asked in one turn of the driver's loop.
const IN_ONE_TURN: u32 = 8;

/// Asks the connections once a second.
#[derive(Debug)]
pub(super) struct Standing {
    client: u32,
    /// The second that is told of next, once it is over.
    second: u64,
    /// Where in the list of places to go on, while a round is under way.
    round: Option<Round>,
}

/// One round of asking.
#[derive(Debug, Default)]
struct Round {
    place: usize,
    asked: u32,
    figures: TcpFigures,
    /// The sum over those asked.
    counted: Counters,
}

impl Standing {
    pub(super) const fn new(client: u32, now: Moment) -> Self {
        Self { client, second: now.second(), round: None }
    }

    /// When there is something to do next.
    pub(super) const fn due(&self) -> Moment {
        match self.round {
            Some(_) => Moment::START,
            None => Moment::from_secs(self.second.saturating_add(1)),
        }
    }

    /// Asks some more. Gives the record of a second once all are asked.
    pub(super) fn advance(&mut self, connections: &mut Connections, now: Moment) -> Option<RunEvent> {
        if now < self.due() {
            return None;
        }
        let mut round = self.round.take().unwrap_or_default();
        if round.advance(connections) {
            self.round = Some(round);
            return None;
        }
        let second = self.second;
        self.second = now.second().max(second.saturating_add(1));
        let connections = round.record()?;
        let record =
            TelemetryRecord { client: self.client, second, connections: Some(connections), ..Default::default() };
        Some(RunEvent::Telemetry(Box::new(record)))
    }
}

impl Round {
    /// Whether there are more.
    fn advance(&mut self, connections: &mut Connections) -> bool {
        let until = self.asked.saturating_add(IN_ONE_TURN).min(MOST);
        while let Some(connection) = connections.place_mut(self.place) {
            if self.asked == until && until < MOST {
                return true;
            }
            self.place += 1;
            let Some(connection) = connection.filter(|connection| !connection.is_connecting) else { continue };
            if self.asked == MOST {
                self.figures.pass();
                continue;
            }
            self.asked += 1;
            match TcpInfo::of(&connection.socket) {
                Ok(info) => {
                    let counters = Counters::of(&info);
                    self.counted.add(counters.since(std::mem::replace(&mut connection.counters, counters)));
                    self.figures.take(&info);
                }
                Err(_) => self.figures.pass(),
            }
        }
        false
    }

    /// The record, where any connection was open.
    fn record(self) -> Option<ConnectionsRecord> {
        (!self.figures.is_empty()).then(|| self.figures.record(self.counted))
    }
}
