//! `/metrics` of a watch under way.

use crate::harness::{Place, hopeless, scrape};

/// The value of a series, as it stands in the text.
fn value<'a>(text: &'a str, series: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(series)).map(str::trim)
}

#[test]
fn what_prometheus_scrapes_is_the_last_run_and_what_the_watch_knows() {
    let place = Place::with(&hopeless());
    let mut watch = place.watch(&["--metrics", "127.0.0.1:0"]);
    let address = watch.figures();
    let (head, before) = scrape(&address);
    assert!(head.contains("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8"), "{head}");
    assert_eq!(value(&before, "netburn_watch_running{scenario=\"small\"}"), Some("1"), "{before}");
    assert!(!before.contains("netburn_run_"), "there is no run yet: {before}");
    watch.hear("alarm: ");
    let (_, text) = scrape(&address);
    let of = |series: &str| value(&text, series).unwrap_or_else(|| panic!("no {series} in {text}"));
    assert_eq!(of("netburn_watch_runs_total{scenario=\"small\",result=\"fail\"}"), "2");
    assert_eq!(of("netburn_watch_runs_total{scenario=\"small\",result=\"pass\"}"), "0");
    assert_eq!(of("netburn_watch_alarms_total{scenario=\"small\"}"), "1");
    assert_eq!(
        of("netburn_watch_bad{scenario=\"small\",subject=\"application\",client=\"phone\",application=\"exchange\"}"),
        "1"
    );
    assert_eq!(of("netburn_run_verdict{scenario=\"small\",netburn_run_verdict=\"fail\"}"), "1");
    assert_eq!(of("netburn_run_failed_ratio{scenario=\"small\",client=\"phone\",application=\"exchange\"}"), "1");
    // Families stand together, each once, and the end is marked: what a strict reader of OpenMetrics demands.
    let families: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("# TYPE ")).collect();
    let mut names: Vec<&str> = families.iter().filter_map(|family| family.split(' ').next()).collect();
    names.sort_unstable();
    let all = names.len();
    names.dedup();
    assert_eq!(names.len(), all, "{families:?}");
    assert!(text.ends_with("\n# EOF\n"));
    watch.interrupt();

    // Counters go on over a restart, and the last run is there at once.
    let mut watch = place.watch(&["--metrics", "127.0.0.1:0"]);
    let (_, text) = scrape(&watch.figures());
    let failed = value(&text, "netburn_watch_runs_total{scenario=\"small\",result=\"fail\"}");
    assert!(failed.is_some_and(|n| n.parse::<u32>().unwrap() >= 2), "{text}");
    assert!(text.contains("netburn_run_verdict{"), "{text}");
    watch.interrupt();
}
