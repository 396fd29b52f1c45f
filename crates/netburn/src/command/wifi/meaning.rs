//! What a figure of the radio means to a person.

use netburn_wifi::Band;
use netburn_wifi::beacon::Beacon;

/// What a signal allows. -67 dBm is what voice over Wi-Fi is planned for (Cisco, "Enterprise Mobility Design Guide",
/// voice over WLAN); the other steps are ours, and rough: noise and radios differ.
pub(super) const fn signal(dbm: i32) -> &'static str {
    match dbm {
        -50.. => "very strong",
        -60..-50 => "strong: full rates",
        -67..-60 => "good: enough for calls and video",
        -75..-67 => "weak: rates fall, calls may suffer",
        -82..-75 => "very weak: slow, with many repeats",
        ..-82 => "at the edge: it may drop at any moment",
    }
}

pub(super) const fn band(band: Band) -> &'static str {
    match band {
        Band::Ghz2 => "reaches far, is slow and crowded",
        Band::Ghz5 => "fast, weaker behind walls",
        Band::Ghz6 => "fast and free of old devices, weakest behind walls",
        Band::Other => "not one that homes and offices use",
    }
}

/// An amendment to 802.11 that concerns roaming: its name, whether it is on, and what that means.
pub(super) fn amendments(beacon: &Beacon) -> [(&'static str, bool, &'static str); 4] {
    [
        (
            "802.11k",
            beacon.k,
            if beacon.k {
                "it tells devices which access points are near, so that they find the next one without searching \
                 every channel"
            } else {
                "devices must search channel by channel for the next access point, which takes longer"
            },
        ),
        (
            "802.11v",
            beacon.v,
            if beacon.v {
                "it may ask a device to move to a better access point; the device decides"
            } else {
                "it cannot ask devices to move: each stays until it lets go by itself, often late"
            },
        ),
        (
            "802.11r",
            beacon.r.is_some(),
            if beacon.r.is_some() {
                "devices that know it take their keys along when they move, so that the gap is shortest"
            } else {
                "every move is a new log-in: a gap in calls, longest with personal accounts (802.1X)"
            },
        ),
        (
            "802.11s",
            beacon.s,
            if beacon.s {
                "this network is itself a mesh between access points: each hop on one radio halves what is left"
            } else {
                "this network is no mesh; access points may still be joined by a hidden one, or by cable"
            },
        ),
    ]
}
