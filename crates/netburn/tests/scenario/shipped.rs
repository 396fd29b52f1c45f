//! The scenarios in the repository: the two of `netburn demo`, and the examples.

use std::time::Duration;

use burn_model::plan::{Arrival, Population};
use burn_model::units::BitRate;
use netburn::scenario::{Scenario, Via, parse};

const ONE_RADIO: &str = include_str!("../../../../scenarios/household-one-radio.toml");
const TWO_RADIOS: &str = include_str!("../../../../scenarios/household-two-radios.toml");
const FLEET: &str = include_str!("../../../../scenarios/fleet.toml");
const OFFICE: &str = include_str!("../../../../scenarios/office.toml");

fn good(file: &str, text: &str) -> Scenario {
    let scenario = parse(file, text).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(scenario.warnings, [], "{file}");
    scenario
}

#[test]
fn the_demo_is_four_devices_on_two_radios_and_only_the_download_moves() {
    let one = good("one", ONE_RADIO);
    let two = good("two", TWO_RADIOS);
    let devices: Vec<_> = one
        .plan
        .clients
        .iter()
        .map(|client| (client.name.as_str(), client.populations[0].name.as_str(), client.populations.len()))
        .collect();
    let expected = [("laptop", "browsing", 1), ("tv", "4kstream", 1), ("phone", "voip", 1), ("desktop", "download", 1)];
    assert_eq!(devices, expected);
    assert_eq!(one.plan.clients, two.plan.clients);
    let radios_of = |scenario: &Scenario| -> Vec<Option<usize>> {
        let radio = |via: &Via| if let Via::Lab { radio } = via { Some(*radio) } else { None };
        scenario.devices.iter().map(|device| radio(&device.via)).collect()
    };
    assert_eq!(radios_of(&one), [Some(0), Some(0), Some(0), Some(0)]);
    assert_eq!(radios_of(&two), [Some(0), Some(0), Some(0), Some(1)]);
    assert_eq!(one.lab, two.lab);
    let radios = one.lab.unwrap().radios;
    let rates: Vec<_> = radios.iter().map(|radio| (radio.name.as_str(), radio.rate, radio.queue)).collect();
    let queue = Duration::from_millis(300);
    assert_eq!(rates, [("5ghz", BitRate::from_mbps(156), queue), ("2.4ghz", BitRate::from_mbps(80), queue)]);
    assert_eq!((one.plan.duration, one.plan.warm_up), (Duration::from_secs(50), Duration::from_secs(4)));
}

#[test]
fn the_demo_gives_browsing_a_hundred_pages_for_25_mbps_at_most() {
    let plan = good("one", ONE_RADIO).plan;
    let browsing: &Population = &plan.clients[0].populations[0];
    let Arrival::Closed { people, reading_time } = browsing.arrival else { unreachable!("browsing is closed") };
    let pages_a_second = |page: Duration| f64::from(people) / (reading_time + page).as_secs_f64();
    // When nothing is wrong a page of 1.25 MiB takes about 0.1 s over what a stream leaves of 156 Mbps.
    let pages = pages_a_second(Duration::from_millis(100)) * plan.duration.as_secs_f64();
    assert!(pages >= 100.0, "{pages} pages");
    // It can be no faster than the radio alone carries it: 1,310,720 × 8 / 156 Mbps = 67 ms.
    let mbps = pages_a_second(Duration::from_millis(67)) * 1_310_720.0 * 8.0 / 1e6;
    assert!(mbps <= 25.0, "{mbps} Mbps");
    // Where every page takes a second, p95 must still be told: 59 pages.
    let slow = pages_a_second(Duration::from_secs(1)) * plan.duration.as_secs_f64();
    assert!(slow >= 55.0, "{slow} pages");
}

#[test]
fn the_office_runs_as_it_stands() {
    let office = good("office", OFFICE);
    assert_eq!(office.plan.clients.len(), 4);
    assert!(office.devices.iter().all(|device| device.via == Via::Local));
}

#[test]
fn the_fleet_is_two_devices_over_ssh_and_two_that_join_and_one_plays_twenty_people() {
    let fleet = good("fleet", FLEET);
    assert_eq!(fleet.plan.clients.len(), 23);
    let devices: Vec<_> = fleet.devices.iter().map(|device| (device.name.as_str(), device.clients.len())).collect();
    assert_eq!(devices, [("meeting-room", 1), ("phone", 20), ("laptop", 1), ("tablet", 1)]);
    let [screen, phones, laptop, tablet] = &fleet.devices[..] else { panic!("four devices") };
    assert!(matches!(&screen.via, Via::Ssh(destination) if destination.to_string() == "me@meeting-room"));
    assert!(matches!(&phones.via, Via::Ssh(destination) if destination.to_string() == "pi@office-pi:22"));
    assert_eq!((&laptop.via, &tablet.via), (&Via::Join, &Via::Join));
}
