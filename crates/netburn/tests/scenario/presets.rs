//! The workloads that ship, against the numbers of docs/METHOD.md, typed by hand.

use std::time::Duration;

use burn_model::goal::{Bound, Counts, Goal};
use burn_model::plan::{Arrival, ClientPlan, Media, Operation, Plan, Population, Rate};
use burn_model::units::BitRate;
use netburn::scenario::{Preset, presets};

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

const fn secs(secs: u64) -> Duration {
    Duration::from_secs(secs)
}

fn response_time(quantile: f64, good: u64, bad: u64, counts: Counts) -> Goal {
    Goal { bound: Bound::ResponseTime { quantile, good: ms(good), bad: ms(bad) }, counts }
}

fn verdict(bound: Bound) -> Goal {
    Goal { bound, counts: Counts::Verdict }
}

fn preset(name: &str) -> &'static Preset {
    presets().iter().find(|preset| preset.name == name).unwrap()
}

#[test]
fn four_workloads_ship_each_with_a_description_and_a_source() {
    let names: Vec<_> = presets().iter().map(|preset| preset.name.as_str()).collect();
    assert_eq!(names, ["browsing", "4kstream", "voip", "download"]);
    for preset in presets() {
        assert_eq!(preset.population.name, preset.name);
        assert!(!preset.description.is_empty(), "{}", preset.name);
        assert!(!preset.source.is_empty(), "{}", preset.name);
        assert!(!preset.source.contains('\n'), "{}: a source is a paragraph", preset.name);
    }
}

#[test]
fn every_preset_makes_a_valid_plan() {
    let plan = Plan {
        name: "all".into(),
        seed: 1,
        warm_up: secs(3),
        duration: secs(60),
        keep_operations: false,
        clients: vec![ClientPlan {
            name: "c".into(),
            populations: presets().iter().map(|preset| preset.population.clone()).collect(),
        }],
    };
    assert_eq!(plan.validate(), Ok(()));
}

#[test]
fn browsing_is_a_quick_clicker_on_pages_of_ten_objects() {
    let expected = Population {
        name: "browsing".into(),
        arrival: Arrival::Closed { people: 1, reading_time: ms(1500) },
        // 128 KiB = 131,072 bytes.
        operation: Operation { parts: 10, part_bytes: 131_072 },
        in_flight: 1,
        deadline: secs(30),
        drain: secs(5),
        goals: vec![
            response_time(0.95, 500, 2500, Counts::Verdict),
            response_time(0.99, 1000, 4000, Counts::Score),
            verdict(Bound::FailedShare { good: 0.0, bad: 0.02 }),
        ],
        media: None,
    };
    assert_eq!(preset("browsing").population, expected);
}

#[test]
fn the_4k_stream_is_a_film_at_25_mbps_in_mebibytes() {
    let mbps25 = BitRate::from_bps(25_000_000);
    let expected = Population {
        name: "4kstream".into(),
        // 1 MiB is 8,388,608 bits: 25,000,000 operations in 8,388,608 s, which is one every 335.54432 ms.
        arrival: Arrival::Constant {
            rate: Rate { operations: 25_000_000, per_ns: 8_388_608_000_000_000 },
            phase: Duration::ZERO,
        },
        operation: Operation { parts: 1, part_bytes: 1_048_576 },
        in_flight: 1,
        deadline: secs(60),
        drain: Duration::ZERO,
        goals: vec![
            verdict(Bound::WindowGoodput { window: secs(4), floor: BitRate::from_bps(20_000_000) }),
            verdict(Bound::StallRatio { good: 0.0, bad: 0.01 }),
            verdict(Bound::StartupTime { good: secs(2), bad: secs(10) }),
        ],
        media: Some(Media { bit_rate: mbps25, start: secs(2), resume: secs(2), cap: secs(30) }),
    };
    assert_eq!(preset("4kstream").population, expected);
}

#[test]
fn a_call_sends_2500_bytes_every_20_ms_with_at_most_500_on_their_way() {
    let expected = Population {
        name: "voip".into(),
        arrival: Arrival::Constant { rate: Rate { operations: 1, per_ns: 20_000_000 }, phase: Duration::ZERO },
        operation: Operation { parts: 1, part_bytes: 2500 },
        in_flight: 500,
        deadline: secs(10),
        drain: secs(5),
        goals: vec![response_time(0.95, 150, 400, Counts::Verdict), response_time(0.99, 200, 500, Counts::Verdict)],
        media: None,
    };
    assert_eq!(preset("voip").population, expected);
}

#[test]
fn a_download_takes_ten_mebibytes_after_the_other_and_is_cut_at_the_end() {
    let expected = Population {
        name: "download".into(),
        arrival: Arrival::Closed { people: 1, reading_time: Duration::ZERO },
        operation: Operation { parts: 1, part_bytes: 10_485_760 },
        in_flight: 1,
        deadline: secs(600),
        drain: Duration::ZERO,
        goals: vec![],
        media: None,
    };
    assert_eq!(preset("download").population, expected);
}

#[test]
fn what_is_judged_on_its_time_drains_for_longer_than_its_largest_bad_bound() {
    for preset in presets() {
        for goal in preset.goals() {
            if let Bound::ResponseTime { bad, .. } = goal.bound {
                assert!(preset.population.drain > bad, "{}", preset.name);
            }
        }
    }
}
