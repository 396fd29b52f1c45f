//! Mains or battery: what is on its battery slows its processor and its radio down.

use std::fs;
use std::path::Path;

/// Where Linux tells of power supplies (Documentation/ABI/testing/sysfs-class-power).
pub(super) const SUPPLIES: &str = "/sys/class/power_supply";

/// What this host lives on, in words: `mains`, `mains (battery 80 %)` or `battery, 80 % left`. Nothing where it has neither
/// a battery nor a supply that can be asked, like most desktops.
pub(super) fn source(supplies: &Path) -> Option<String> {
    let supplies: Vec<_> = fs::read_dir(supplies).ok()?.flatten().map(|entry| entry.path()).collect();
    let value = |supply: &Path, key: &str| fs::read_to_string(supply.join(key)).map(|text| text.trim().to_owned()).ok();
    let is = |supply: &Path, kind: &str| value(supply, "type").as_deref() == Some(kind);
    // The battery of a mouse has the scope "Device".
    let own = |supply: &&Path| value(supply, "scope").as_deref() != Some("Device");
    let battery = supplies.iter().map(AsRef::as_ref).filter(own).find(|supply| is(supply, "Battery"));
    let plugged = supplies
        .iter()
        .any(|supply| (is(supply, "Mains") || is(supply, "USB")) && value(supply, "online").as_deref() == Some("1"));
    let Some(battery) = battery else { return plugged.then(|| "mains".to_owned()) };
    let charge = value(battery, "capacity").filter(|charge| charge.parse::<u8>().is_ok());
    let discharges = value(battery, "status").as_deref() == Some("Discharging");
    Some(match (discharges, charge) {
        (true, Some(charge)) => format!("battery, {charge} % left"),
        (true, None) => "battery".to_owned(),
        (false, Some(charge)) => format!("mains (battery {charge} %)"),
        (false, None) => "mains (with a battery)".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(supplies: &[(&str, &[(&str, &str)])]) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, values) in supplies {
            let supply = folder.path().join(name);
            fs::create_dir(&supply).unwrap();
            values.iter().for_each(|(key, value)| fs::write(supply.join(key), format!("{value}\n")).unwrap());
        }
        source(folder.path())
    }

    #[test]
    fn a_laptop_is_on_its_battery_while_that_is_discharged() {
        let mains = |online| ("AC", [("type", "Mains"), ("online", online)]);
        let battery = |status| ("BAT0", [("type", "Battery"), ("status", status), ("capacity", "80")]);
        let laptop =
            |online, status| of(&[(mains(online).0, &mains(online).1), (battery(status).0, &battery(status).1)]);
        assert_eq!(laptop("0", "Discharging").as_deref(), Some("battery, 80 % left"));
        assert_eq!(laptop("1", "Charging").as_deref(), Some("mains (battery 80 %)"));
        // A supply that is too weak, under load.
        assert_eq!(laptop("1", "Discharging").as_deref(), Some("battery, 80 % left"));
    }

    #[test]
    fn a_mouse_with_a_battery_makes_no_laptop_and_no_supply_says_nothing() {
        let mouse: &[_] = &[("type", "Battery"), ("scope", "Device"), ("status", "Discharging"), ("capacity", "5")];
        assert_eq!(of(&[("hid-mouse", mouse)]), None);
        assert_eq!(
            of(&[("hid-mouse", mouse), ("AC", &[("type", "Mains"), ("online", "1")])]).as_deref(),
            Some("mains")
        );
        assert_eq!(of(&[]), None);
    }
}
