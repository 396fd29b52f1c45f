//! Whether netburn recorded what happened: its record of a call held against what `iw` saw of it.
//!
//! No check depends on how fast this machine is. What is demanded of times follows from what must be so: without an access
//! point nothing can arrive, and what falls due meanwhile is late by at least the rest of that time.

use std::time::Duration;

use super::recorded::{Operation, Radio, Recorded, Roam};
use super::truth::{Event, Link};

/// An access point as it was set up in the guest.
pub(crate) struct AccessPoint {
    pub(crate) bssid: &'static str,
    pub(crate) frequency_mhz: u64,
    pub(crate) channel: u64,
    pub(crate) width_mhz: u64,
}

/// The network's name.
pub(crate) const SSID: &str = "Netburn Lab";

/// guest/ap-2.4ghz.conf.
pub(crate) const AP_24: AccessPoint =
    AccessPoint { bssid: "02:00:00:00:00:00", frequency_mhz: 2437, channel: 6, width_mhz: 20 };
/// guest/ap-5ghz.conf.
pub(crate) const AP_5: AccessPoint =
    AccessPoint { bssid: "02:00:00:00:01:00", frequency_mhz: 5180, channel: 36, width_mhz: 80 };

/// A call during which the station changed its access point.
pub(crate) struct Call {
    /// What its folder is called, and how the station changed.
    pub(crate) name: &'static str,
    pub(crate) from: &'static AccessPoint,
    pub(crate) to: &'static AccessPoint,
    /// How long nothing can have arrived: the station surely had no access point, or netburn did not run.
    pub(crate) without: Duration,
    /// How netburn can have seen the change: `event`, or `changed`.
    pub(crate) seen: &'static str,
}

/// What `iw` and netburn tell of a call.
pub(crate) struct Evidence {
    pub(crate) before: Link,
    pub(crate) after: Link,
    pub(crate) events: Vec<Event>,
    pub(crate) recorded: Recorded,
}

/// How far the agent may be behind with noting what the kernel told it. Generous: the emulated machine is slow, and the host may be busy.
const NOTED_LATE: Duration = Duration::from_secs(1);

/// One thing that was checked.
pub(crate) struct Finding {
    pub(crate) holds: bool,
    pub(crate) what: String,
}

/// Checks all that a call should show.
pub(crate) fn judge(call: &Call, evidence: &Evidence) -> Vec<Finding> {
    let Evidence { before, after, events, recorded } = evidence;
    let mut findings = vec![
        truth(before, call.from, "before"),
        truth(after, call.to, "after"),
        truth_of_change(events, call),
        one_roam(&recorded.roams, call),
    ];
    if let Some(roam) = recorded.roams.last() {
        findings.push(bands(&recorded.radio, roam, call));
        findings.push(details(&recorded.radio, call));
        findings.extend(lateness(&recorded.operations, roam, call));
    }
    findings
}

/// The set-up itself: `iw` saw the station where it was sent.
fn truth(link: &Link, at: &AccessPoint, when: &str) -> Finding {
    Finding {
        holds: link.bssid == at.bssid && link.frequency_mhz == at.frequency_mhz && link.ssid == SSID,
        what: format!("iw: {when} the call at {} on {} MHz ('{}')", link.bssid, link.frequency_mhz, link.ssid),
    }
}

/// The set-up itself: `iw` saw one change, to where it should go.
fn truth_of_change(events: &[Event], call: &Call) -> Finding {
    let arrivals: Vec<&Event> = events.iter().filter(|event| **event != Event::Disconnected).collect();
    let arrived = |event: &Event| match event {
        Event::Connected(bssid) | Event::Roamed(bssid) => bssid == call.to.bssid,
        Event::Disconnected => false,
    };
    Finding {
        holds: matches!(arrivals.as_slice(), [only] if arrived(only)),
        what: format!("iw: one arrival, at the other access point: {events:?}"),
    }
}

/// The run file shows one way from the one access point to the other: in one record, or with a stop at none.
fn one_roam(roams: &[Roam], call: &Call) -> Finding {
    let (from, to) = (Some(call.from.bssid), Some(call.to.bssid));
    let shown: Vec<(Option<&str>, Option<&str>)> =
        roams.iter().map(|roam| (roam.from.as_deref(), roam.to.as_deref())).collect();
    let mut what = "netburn: one roam:".to_owned();
    for Roam { at, seen, from, to } in roams {
        let place = |bssid: &Option<String>| bssid.clone().unwrap_or_else(|| "none".to_owned());
        what += &format!(" at {} ({seen}) from {} to {};", seconds(*at), place(from), place(to));
    }
    let ways = shown == [(from, to)] || shown == [(from, None), (None, to)];
    let seen = roams.iter().all(|roam| roam.seen == call.seen);
    Finding { holds: ways && seen, what }
}

/// Each second's record of the radio says the one access point before the roam and the other one after it.
fn bands(radio: &[Radio], roam: &Roam, call: &Call) -> Finding {
    let agrees = |radio: &&Radio, at: &AccessPoint| {
        radio.bssid == at.bssid
            && radio.frequency_mhz == at.frequency_mhz
            && radio.ssid == SSID
            && radio.channel == Some(at.channel)
    };
    // A second's record is made at its end, so that of the second before the roam could be late and tell of the time after it. From the
    // next second on there is none, or that of the new access point.
    let before: Vec<&Radio> = radio.iter().filter(|r| r.second + 1 < roam.at.as_secs()).collect();
    let after: Vec<&Radio> = radio.iter().filter(|r| r.second > roam.at.as_secs()).collect();
    let holds = !before.is_empty()
        && !after.is_empty()
        && before.iter().all(|radio| agrees(radio, call.from))
        && after.iter().all(|radio| agrees(radio, call.to));
    let name = |radios: &[&Radio]| {
        let mut names: Vec<String> = radios
            .iter()
            .map(|r| format!("{} MHz, channel {:?}, '{}' at {}", r.frequency_mhz, r.channel, r.ssid, r.bssid))
            .collect();
        names.dedup();
        format!("{} s of {}", radios.len(), names.join(" then "))
    };
    Finding { holds, what: format!("netburn: the band before and after: {}; {}", name(&before), name(&after)) }
}

/// Width, signal and kind of bit rate were told too, and the width is what the access point was set to.
fn details(radio: &[Radio], call: &Call) -> Finding {
    let at = |access_point: &AccessPoint| {
        let mut there = radio.iter().filter(|r| r.bssid == access_point.bssid).peekable();
        there.peek().is_some() && there.all(|r| r.width_mhz == Some(access_point.width_mhz) && r.signal_dbm.is_some())
    };
    let kinds = radio.iter().filter_map(|r| r.tx_kind.clone()).collect::<std::collections::BTreeSet<_>>();
    let widths = radio.iter().filter_map(|r| r.width_mhz).collect::<std::collections::BTreeSet<_>>();
    Finding {
        holds: at(call.from) && at(call.to) && !kinds.is_empty(),
        what: format!("netburn: widths {widths:?} MHz, a signal in each second, sent as {kinds:?}"),
    }
}

/// The call felt the roam: nothing arrived while the station changed, and what fell due meanwhile was late.
fn lateness(operations: &[Operation], roam: &Roam, call: &Call) -> Vec<Finding> {
    let Some((from, to)) = silence_at(operations, roam.at) else {
        return vec![Finding { holds: false, what: "netburn: the roam lies within the call".to_owned() }];
    };
    let silence = to.saturating_sub(from);
    let due: Vec<&Operation> = operations.iter().filter(|o| from < o.scheduled && o.scheduled < to).collect();
    let worst = due.iter().map(|o| o.response_time()).max().unwrap_or_default();
    // Due within the time surely without access point, and not in its last 150 ms, which a call may take.
    let goal = Duration::from_millis(150);
    let late = due.iter().filter(|o| o.response_time() > goal).count();
    // 25 of them fall due in a second, so one every 40 ms; one more or less at either end.
    let least = call.without.saturating_sub(goal).as_millis() / 40;
    let least = usize::try_from(least).unwrap_or_default().saturating_sub(1);
    let mut calm: Vec<Duration> = operations
        .iter()
        .filter(|o| o.ended < from && o.scheduled >= Duration::from_secs(1))
        .map(|o| o.response_time())
        .collect();
    calm.sort_unstable();
    let median = calm.get(calm.len() / 2).copied();
    vec![
        Finding {
            holds: silence >= call.without,
            what: format!(
                "netburn: nothing arrived from {} to {}, {} ms, and nothing can have for at least {} ms",
                seconds(from),
                seconds(to),
                silence.as_millis(),
                call.without.as_millis()
            ),
        },
        Finding {
            // The first of them waits until the silence is over, on however slow a machine. The median before is only told: where the
            // host is too busy to emulate a radio, everything is late.
            holds: late >= least && due.first().is_some_and(|first| worst >= to.saturating_sub(first.scheduled)),
            what: format!(
                "netburn: {late} of the {} exchanges due meanwhile were later than {} ms, at least {least} had to be; the worst {} ms, \
                 the median before {} ms",
                due.len(),
                goal.as_millis(),
                worst.as_millis(),
                median.map_or_else(|| "–".to_owned(), |median| median.as_millis().to_string())
            ),
        },
    ]
}

/// The longest time without any arrival that a roam noted at `at` can belong to.
fn silence_at(operations: &[Operation], at: Duration) -> Option<(Duration, Duration)> {
    let mut ends: Vec<Duration> = operations.iter().map(|operation| operation.ended).collect();
    ends.sort_unstable();
    let gaps = ends.windows(2).filter_map(|pair| Some((*pair.first()?, *pair.last()?)));
    // It is noted in the silence; but two threads note the roam and the arrivals, and either may be behind.
    let near = |(from, to): &(Duration, Duration)| {
        *from <= at.saturating_add(NOTED_LATE) && at <= to.saturating_add(NOTED_LATE)
    };
    gaps.filter(near).max_by_key(|(from, to)| to.saturating_sub(*from))
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL: Call = Call { name: "rejoin", from: &AP_5, to: &AP_24, without: Duration::from_secs(1), seen: "event" };

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    /// A call of 13 s with an exchange every 40 ms that takes 10 ms, except that nothing arrives from 5 s to 6.2 s; the
    /// roam is noted at 6.1 s, and the records of seconds 0 to 5 say the old access point, of 6 to 12 the new one.
    fn evidence() -> Evidence {
        let link = |at: &AccessPoint| Link {
            bssid: at.bssid.to_owned(),
            ssid: SSID.to_owned(),
            frequency_mhz: at.frequency_mhz,
        };
        let radio = |second: u64| {
            let at = if second < 6 { CALL.from } else { CALL.to };
            Radio {
                second,
                ssid: SSID.to_owned(),
                bssid: at.bssid.to_owned(),
                frequency_mhz: at.frequency_mhz,
                channel: Some(at.channel),
                width_mhz: Some(at.width_mhz),
                signal_dbm: Some(-30),
                tx_kind: Some("VHT-MCS 0, 2 streams".to_owned()),
            }
        };
        let operation = |i: u64| {
            let scheduled = ms(40 * i);
            let ended = scheduled + ms(10);
            let silent = ms(5000) < ended && ended < ms(6200);
            Operation { scheduled, ended: if silent { ms(6200) } else { ended } }
        };
        let roam = Roam {
            at: ms(6100),
            seen: "event".to_owned(),
            from: Some(CALL.from.bssid.to_owned()),
            to: Some(CALL.to.bssid.to_owned()),
        };
        Evidence {
            before: link(CALL.from),
            after: link(CALL.to),
            events: vec![Event::Disconnected, Event::Connected(CALL.to.bssid.to_owned())],
            recorded: Recorded {
                roams: vec![roam],
                radio: (0..13).map(radio).collect(),
                operations: (0..325).map(operation).collect(),
            },
        }
    }

    /// Which findings do not hold once `spoil` has changed the evidence.
    fn fails(spoil: impl FnOnce(&mut Evidence)) -> Vec<usize> {
        let mut evidence = evidence();
        spoil(&mut evidence);
        let findings = judge(&CALL, &evidence);
        findings.iter().enumerate().filter(|(_, finding)| !finding.holds).map(|(i, _)| i).collect()
    }

    #[test]
    fn a_true_record_holds_in_every_point() {
        assert_eq!(fails(|_| ()), [0; 0]);
        assert_eq!(judge(&CALL, &evidence()).len(), 8);
    }

    #[test]
    fn a_roam_may_be_two_steps_with_none_between_but_not_two_arrivals() {
        let step = |from: Option<&str>, to: Option<&str>| Roam {
            at: ms(6100),
            seen: "event".to_owned(),
            from: from.map(str::to_owned),
            to: to.map(str::to_owned),
        };
        let (from, to) = (Some(CALL.from.bssid), Some(CALL.to.bssid));
        assert_eq!(fails(|e| e.recorded.roams = vec![step(from, None), step(None, to)]), [0; 0]);
        assert_eq!(fails(|e| e.recorded.roams = vec![step(from, to), step(from, to)]), [3]);
        assert_eq!(fails(|e| e.recorded.roams = vec![step(to, from)]), [3]);
        assert_eq!(fails(|e| e.recorded.roams.clear()), [3]);
        assert_eq!(fails(|e| e.recorded.roams[0].seen = "changed".to_owned()), [3]);
    }

    #[test]
    fn a_record_that_differs_from_what_happened_is_found() {
        assert_eq!(fails(|e| e.before.frequency_mhz = 2437), [0]);
        assert_eq!(fails(|e| e.events.push(Event::Connected(CALL.to.bssid.to_owned()))), [2]);
        assert_eq!(fails(|e| e.recorded.radio[1].frequency_mhz = 2437), [4]);
        assert_eq!(fails(|e| e.recorded.radio[10].ssid = "another".to_owned()), [4]);
        assert_eq!(fails(|e| e.recorded.radio[1].width_mhz = Some(40)), [5]);
        assert_eq!(fails(|e| e.recorded.radio.clear()), [4, 5]);
    }

    #[test]
    fn a_call_that_did_not_feel_the_roam_is_found() {
        // Every exchange takes 10 ms: no silence, nobody late.
        assert_eq!(fails(|e| e.recorded.operations.iter_mut().for_each(|o| o.ended = o.scheduled + ms(10))), [6, 7]);
        // A roam noted long before the silence belongs to no time without arrivals, and the radio's records gainsay it.
        assert_eq!(fails(|e| e.recorded.roams[0].at = ms(3000)), [4, 6, 7]);
    }
}
