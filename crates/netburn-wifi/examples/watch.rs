//! Prints what a Wi-Fi interface is connected to, each second, and what happens to the connection, as it happens:
//! `watch INTERFACE [SECONDS]`.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use std::time::{Duration, Instant};

use netburn_wifi::{Events, Radio};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let interface = arguments.next().ok_or("which interface? watch INTERFACE [SECONDS]")?;
    let seconds = arguments.next().map_or(Ok(u64::MAX), |text| text.parse())?;
    let mut radio = Radio::open(&interface)?;
    let mut events = Events::open(&interface)?;
    println!("{:?}", radio.beacon()?);
    for _ in 0..seconds {
        println!("{:?}", radio.station()?);
        let next = Instant::now() + Duration::from_secs(1);
        loop {
            let left = next.saturating_duration_since(Instant::now());
            match events.wait(left)? {
                Some(event) => println!("{event:?}"),
                None => break,
            }
        }
    }
    Ok(())
}
