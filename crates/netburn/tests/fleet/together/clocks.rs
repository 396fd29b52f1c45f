//! Clocks that are hours apart.

use std::fs;

use super::Pair;

/// `CLOCK_MONOTONIC` and `CLOCK_BOOTTIME` of the device read ten hours more than this machine's (`time_namespaces(7)`).
const TEN_HOURS_AHEAD: &str = "
test \"$(id -u)\" = 0 || user='--user --map-root-user'
hours='--monotonic 36000 --boottime 36000'
unshare $user --time --fork $hours cat /proc/uptime >\"$HERE/there\"; cat /proc/uptime >\"$HERE/here\"
exec unshare $user --time --fork --kill-child $hours \"$REAL\" \"$@\"";

#[test]
fn a_device_whose_clock_is_ten_hours_ahead_begins_with_the_others() {
    let pair = Pair::with_agent(TEN_HOURS_AHEAD, "3 s");
    let run = pair.finish();
    let document = run.document();
    let uptime = |name| {
        let text = fs::read_to_string(pair.beside(name)).unwrap();
        text.split_whitespace().next().unwrap().parse::<f64>().unwrap()
    };
    // Or this test shows nothing. A busy machine may take its time between the two looks, but not an hour.
    assert!(uptime("there") - uptime("here") > 35_000.0 - 3600.0, "the clocks are not apart");
    for (application, client) in [(0, "tv"), (1, "laptop")] {
        let application = &document["applications"][application];
        assert_eq!(application["client"], client, "{}", run.told);
        // 3 s at 50 each second; on a machine this busy some may come too late, but most do not.
        assert!(application["operations"]["completed"].as_u64().unwrap() > 75, "{document:#}");
    }
    let start = &document["start"];
    let of = |key: &str| start[key].as_f64().unwrap_or_else(|| panic!("{key}: {document:#}"));
    assert_eq!(start["clients"], 2);
    // A clock taken for another is 36 000 000 ms off; a machine that is busy holds a start up by less than a minute.
    assert!(of("skew_ms") + of("uncertainty_ms") < 60_000.0, "{start}");
}
