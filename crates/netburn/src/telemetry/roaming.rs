//! Which access point a station is at, from two kinds of news: what the kernel tells as it happens, and what it answers
//! once a second. A state machine without a clock or a socket.
//!
//! A roam shows in both, and each is recorded once. The event has the better time; the answer has the frequency. So
//! a roam waits for the other of the two, at most until the next answer.

use std::time::Duration;

use burn_model::record::{AccessPoint, RoamRecord, RoamSeen};
use burn_model::time::Moment;

/// Where a connection manager does the roaming, the old connection ends before the new one begins. A station that is at
/// an access point again within this time has roamed; later, it was away.
const ROAM: Duration = Duration::from_secs(2);

/// What the kernel tells as it happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum News {
    /// It is at this access point now.
    At {
        /// The access point's address.
        bssid: String,
    },
    /// It is at none.
    Gone,
}

/// Follows one station.
#[derive(Debug)]
pub(super) struct Roaming {
    client: u32,
    /// Where it is; the outer `None` until that is first known.
    current: Option<Option<AccessPoint>>,
    /// It left, and may be about to be somewhere else.
    left: Option<Left>,
    /// A roam that waits for the rest of what is to be known of it.
    pending: Option<RoamRecord>,
    told: Vec<RoamRecord>,
}

#[derive(Debug)]
struct Left {
    from: AccessPoint,
    at: Moment,
    seen: RoamSeen,
}

impl Roaming {
    pub(super) const fn new(client: u32) -> Self {
        Self { client, current: None, left: None, pending: None, told: Vec::new() }
    }

    /// The kernel told something.
    pub(super) fn on_news(&mut self, news: &News, at: Moment) {
        // Before the first answer nobody knows from where.
        let Some(current) = self.current.clone() else { return };
        match (news, current) {
            (News::At { bssid }, Some(current)) if *bssid == current.bssid && self.left.is_none() => {
                // The answer came first.
                self.pending.iter_mut().for_each(|roam| roam.seen = RoamSeen::Event);
            }
            (News::At { bssid }, current) => {
                let to = AccessPoint { bssid: bssid.clone(), frequency_mhz: None };
                self.arrive(current, to, at, RoamSeen::Event);
            }
            (News::Gone, Some(from)) if self.left.is_none() => match &mut self.pending {
                // The end of the old connection is heard after the answer that it is at the new one.
                Some(roam) if roam.seen == RoamSeen::Changed => roam.seen = RoamSeen::Event,
                _ => self.left = Some(Left { from, at, seen: RoamSeen::Event }),
            },
            // An answer may have said so a moment before.
            (News::Gone, _) => self.left.iter_mut().for_each(|left| left.seen = RoamSeen::Event),
        }
    }

    /// The kernel answered where the station is.
    pub(super) fn on_answer(&mut self, answer: Option<AccessPoint>, at: Moment) {
        let Some(current) = self.current.clone() else {
            self.current = Some(answer);
            return;
        };
        // What waited since the last answer has waited long enough, and may have its frequency now.
        if let Some(mut roam) = self.pending.take() {
            match (&mut roam.to, &answer) {
                (Some(to), Some(answer)) if to.bssid == answer.bssid => to.frequency_mhz = answer.frequency_mhz,
                _ => {}
            }
            self.told.push(roam);
        }
        match (answer, current) {
            (Some(to), Some(from)) if to.bssid == from.bssid && self.left.is_none() => self.current = Some(Some(to)),
            (Some(to), from) => {
                let is_known = to.frequency_mhz.is_some();
                self.arrive(from, to, at, RoamSeen::Changed);
                if self.pending.as_ref().is_some_and(|roam| is_known && roam.seen == RoamSeen::Event) {
                    self.told.extend(self.pending.take());
                }
            }
            (None, Some(from)) => {
                let left = self.left.get_or_insert(Left { from, at, seen: RoamSeen::Changed });
                if at.since(left.at) >= ROAM {
                    self.give_up();
                }
            }
            (None, None) => {}
        }
    }

    /// What is known of roams, each once.
    pub(super) fn take(&mut self) -> Vec<RoamRecord> {
        std::mem::take(&mut self.told)
    }

    /// No more news will come.
    pub(super) fn finish(mut self) -> Vec<RoamRecord> {
        self.told.extend(self.pending.take());
        self.give_up();
        self.told
    }

    /// It is at another access point, or back at its own after it had left.
    fn arrive(&mut self, from: Option<AccessPoint>, to: AccessPoint, at: Moment, seen: RoamSeen) {
        self.told.extend(self.pending.take());
        if self.left.as_ref().is_some_and(|left| at.since(left.at) >= ROAM) {
            self.give_up();
        }
        let roam = match self.left.take() {
            // The break began when it left.
            Some(Left { from, at, seen }) => self.roam(at, seen, Some(from), Some(to.clone())),
            None => self.roam(at, seen, from.filter(|_| self.is_somewhere()), Some(to.clone())),
        };
        self.pending = Some(roam);
        self.current = Some(Some(to));
    }

    /// It has not come back in time.
    fn give_up(&mut self) {
        if let Some(Left { from, at, seen }) = self.left.take() {
            let roam = self.roam(at, seen, Some(from), None);
            self.told.push(roam);
            self.current = Some(None);
        }
    }

    const fn is_somewhere(&self) -> bool {
        matches!(self.current, Some(Some(_)))
    }

    const fn roam(&self, at: Moment, seen: RoamSeen, from: Option<AccessPoint>, to: Option<AccessPoint>) -> RoamRecord {
        RoamRecord { client: self.client, at, seen, from, to }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn point(bssid: &str, frequency_mhz: u32) -> AccessPoint {
        AccessPoint { bssid: bssid.into(), frequency_mhz: Some(frequency_mhz) }
    }

    fn a() -> AccessPoint {
        point("a", 2412)
    }

    fn b() -> AccessPoint {
        point("b", 5180)
    }

    fn at(bssid: &str) -> News {
        News::At { bssid: bssid.into() }
    }

    fn roam(ms: u64, seen: RoamSeen, from: Option<AccessPoint>, to: Option<AccessPoint>) -> RoamRecord {
        RoamRecord { client: 3, at: Moment::from_millis(ms), seen, from, to }
    }

    enum Step {
        News(u64, News),
        Answer(u64, Option<AccessPoint>),
    }
    use Step::{Answer, News as Told};

    /// All roams of a station that was at `a` when it was first asked, at 0 s.
    fn roams(steps: Vec<Step>) -> Vec<RoamRecord> {
        let mut roaming = Roaming::new(3);
        roaming.on_answer(Some(a()), Moment::START);
        for step in steps {
            match step {
                Told(ms, news) => roaming.on_news(&news, Moment::from_millis(ms)),
                Answer(ms, answer) => roaming.on_answer(answer, Moment::from_millis(ms)),
            }
        }
        roaming.finish()
    }

    #[test]
    fn a_station_that_stays_does_not_roam() {
        assert_eq!(roams(vec![Answer(1000, Some(a())), Told(1500, at("a")), Answer(2000, Some(a()))]), []);
    }

    #[test]
    fn a_roam_that_was_told_and_then_answered_is_one_with_the_events_time_and_the_answers_frequency() {
        let expected = [roam(1500, RoamSeen::Event, Some(a()), Some(b()))];
        assert_eq!(roams(vec![Told(1500, at("b")), Answer(1501, Some(b())), Answer(2000, Some(b()))]), expected);
    }

    #[test]
    fn a_roam_that_was_answered_before_the_event_was_heard_is_one_too() {
        let expected = [roam(2000, RoamSeen::Event, Some(a()), Some(b()))];
        assert_eq!(roams(vec![Answer(2000, Some(b())), Told(2001, at("b")), Answer(3000, Some(b()))]), expected);
        let apart = vec![Answer(2000, Some(b())), Told(2001, News::Gone), Told(2002, at("b")), Answer(3000, Some(b()))];
        assert_eq!(roams(apart), expected);
    }

    #[test]
    fn a_roam_that_nobody_told_of_shows_as_another_access_point() {
        let expected = [roam(2000, RoamSeen::Changed, Some(a()), Some(b()))];
        assert_eq!(roams(vec![Answer(1000, Some(a())), Answer(2000, Some(b())), Answer(3000, Some(b()))]), expected);
    }

    #[test]
    fn an_end_and_a_beginning_within_two_seconds_are_one_roam_from_when_it_left() {
        let expected = [roam(1400, RoamSeen::Event, Some(a()), Some(b()))];
        let steps = vec![Told(1400, News::Gone), Answer(2000, None), Told(2300, at("b")), Answer(2301, Some(b()))];
        assert_eq!(roams(steps), expected);
        // The same where the beginning is not told of.
        assert_eq!(roams(vec![Told(1400, News::Gone), Answer(2000, Some(b()))]), expected);
        // And back to where it was: the connection broke all the same.
        let back = [roam(1400, RoamSeen::Event, Some(a()), Some(a()))];
        assert_eq!(roams(vec![Told(1400, News::Gone), Told(1900, at("a")), Answer(1901, Some(a()))]), back);
    }

    #[test]
    fn a_station_that_stays_away_is_at_no_access_point_and_comes_from_none() {
        let expected = [roam(1400, RoamSeen::Event, Some(a()), None), roam(5000, RoamSeen::Event, None, Some(b()))];
        let steps = vec![
            Told(1400, News::Gone),
            Answer(2000, None),
            Answer(3000, None),
            Answer(4000, None),
            Told(5000, at("b")),
            Answer(5001, Some(b())),
        ];
        assert_eq!(roams(steps), expected);
        assert_eq!(roams(vec![Told(1400, News::Gone)]), expected[..1]);
        // Where only answers tell.
        let seen = [roam(2000, RoamSeen::Changed, Some(a()), None), roam(6000, RoamSeen::Changed, None, Some(b()))];
        let steps = vec![Answer(2000, None), Answer(3000, None), Answer(4000, None), Answer(6000, Some(b()))];
        assert_eq!(roams(steps), seen);
    }

    #[test]
    fn an_end_that_was_answered_before_it_was_heard_is_heard_all_the_same() {
        // As a busy machine had it, with the radio emulated: the question is under way when the connection ends.
        let back = [roam(2000, RoamSeen::Event, Some(a()), Some(b()))];
        let steps = vec![Answer(2000, None), Told(2001, News::Gone), Told(3500, at("b")), Answer(3501, Some(b()))];
        assert_eq!(roams(steps), back);
        let away = [roam(2000, RoamSeen::Event, Some(a()), None), roam(4700, RoamSeen::Event, None, Some(b()))];
        let steps = vec![
            Answer(2000, None),
            Told(2001, News::Gone),
            Answer(3000, None),
            Answer(4000, None),
            Told(4700, at("b")),
            Answer(4701, Some(b())),
        ];
        assert_eq!(roams(steps), away);
    }

    #[test]
    fn two_roams_within_a_second_are_two_and_the_frequency_in_between_is_not_known() {
        let between = AccessPoint { bssid: "b".into(), frequency_mhz: None };
        let expected = [
            roam(1100, RoamSeen::Event, Some(a()), Some(between.clone())),
            roam(1600, RoamSeen::Event, Some(between), Some(point("c", 5500))),
        ];
        assert_eq!(
            roams(vec![Told(1100, at("b")), Told(1600, at("c")), Answer(2000, Some(point("c", 5500)))]),
            expected
        );
    }

    #[test]
    fn nothing_is_said_before_it_is_known_where_the_station_is() {
        let mut roaming = Roaming::new(3);
        roaming.on_news(&at("b"), Moment::START);
        roaming.on_news(&News::Gone, Moment::START);
        roaming.on_answer(None, Moment::START);
        assert_eq!(roaming.take(), []);
        assert_eq!(roaming.finish(), []);
    }
}
