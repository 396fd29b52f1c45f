//! How often strangers may knock.
//!
//! Every connection is charged before anything is spent on it, and the charge is given back where it turns out to
//! have a right code. So one rule bounds both the work that strangers cause and how many codes they can try.
//!
//! Pure: time is an argument.

use std::collections::HashMap;
use std::net::IpAddr;

/// Nanoseconds in which one charge is forgotten, for one address.
const ADDRESS_PERIOD: u64 = 1_000_000_000;
/// The same for all addresses together.
const TOTAL_PERIOD: u64 = 50_000_000;
/// Addresses that are remembered at once. Further ones share one account.
const MOST_ADDRESSES: usize = 1024;
/// Charges that an address may have at once, beside one for each slot and its retries.
const ADDRESS_CHARGES: u32 = 20;
/// The same for all addresses together.
const TOTAL_CHARGES: u32 = 200;

/// A leaky bucket: charges go in, and leak out with time.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    /// When all charges will have leaked out.
    empty_at: u64,
}

impl Bucket {
    /// Takes a charge, or says that there is no room for it.
    fn charge(&mut self, most: u32, period: u64, now: u64) -> bool {
        let from = self.empty_at.max(now);
        let fits = from - now <= u64::from(most.saturating_sub(1)) * period;
        if fits {
            self.empty_at = from.saturating_add(period);
        }
        fits
    }

    const fn refund(&mut self, period: u64) {
        self.empty_at = self.empty_at.saturating_sub(period);
    }
}

/// Charges of strangers.
#[derive(Debug)]
pub(super) struct Throttle {
    addresses: HashMap<IpAddr, Bucket>,
    /// For all addresses that found no place of their own.
    others: Bucket,
    total: Bucket,
    for_slots: u32,
}

impl Throttle {
    /// Room for the devices of so many slots, which may all sit behind one address, and come twice each.
    pub(super) fn for_slots(slots: usize) -> Self {
        let for_slots = u32::try_from(slots).unwrap_or(u32::MAX / 4).saturating_mul(2);
        Self { addresses: HashMap::new(), others: Bucket { empty_at: 0 }, total: Bucket { empty_at: 0 }, for_slots }
    }

    /// Charges an address for a connection, or says that it must be turned away.
    pub(super) fn charge(&mut self, address: IpAddr, now: u64) -> bool {
        let most = ADDRESS_CHARGES.saturating_add(self.for_slots);
        let total = TOTAL_CHARGES.saturating_add(self.for_slots);
        let bucket = self.bucket(address, now);
        let before = *bucket;
        if !bucket.charge(most, ADDRESS_PERIOD, now) {
            return false;
        }
        if self.total.charge(total, TOTAL_PERIOD, now) {
            return true;
        }
        *self.bucket(address, now) = before;
        false
    }

    /// Gives a charge back: the connection had a right code.
    pub(super) fn refund(&mut self, address: IpAddr, now: u64) {
        self.bucket(address, now).refund(ADDRESS_PERIOD);
        self.total.refund(TOTAL_PERIOD);
    }

    fn bucket(&mut self, address: IpAddr, now: u64) -> &mut Bucket {
        let address = network(address);
        if !self.addresses.contains_key(&address) && self.addresses.len() >= MOST_ADDRESSES {
            self.addresses.retain(|_, bucket| bucket.empty_at > now);
            if self.addresses.len() >= MOST_ADDRESSES {
                return &mut self.others;
            }
        }
        self.addresses.entry(address).or_insert(Bucket { empty_at: 0 })
    }
}

/// What one stranger can have many of counts as one: an IPv6 network of 64 bits, or an IPv4 address however written.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6((v6.to_bits() & !u128::from(u64::MAX)).into()),
        v4 => v4,
    }
}

#[cfg(test)]
mod tests {
    use std::net::{Ipv4Addr, Ipv6Addr};

    use super::*;

    const SECOND: u64 = 1_000_000_000;
    const HERE: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 168, 1, 7));

    fn other(n: u32) -> IpAddr {
        IpAddr::V4(Ipv4Addr::from_bits(0x0a00_0000 + n))
    }

    /// How many of `tries` are let in.
    fn let_in(throttle: &mut Throttle, tries: u32, address: impl Fn(u32) -> IpAddr, now: u64) -> u32 {
        (0..tries).map(|i| u32::from(throttle.charge(address(i), now))).sum()
    }

    #[test]
    fn one_address_may_knock_some_times_and_then_once_a_second() {
        // 20, and two for each of 4 slots.
        let mut throttle = Throttle::for_slots(4);
        assert_eq!(let_in(&mut throttle, 1000, |_| HERE, 0), 28);
        assert_eq!(let_in(&mut throttle, 1000, |_| HERE, 10 * SECOND), 10);
        assert!(throttle.charge(other(1), 10 * SECOND), "others are not hindered");
    }

    #[test]
    fn all_together_may_knock_200_times_and_then_20_times_a_second() {
        let mut throttle = Throttle::for_slots(0);
        assert_eq!(let_in(&mut throttle, 1000, other, 0), 200);
        assert_eq!(let_in(&mut throttle, 1000, |i| other(1000 + i), SECOND), 20);
    }

    #[test]
    fn right_codes_cost_nothing() {
        let mut throttle = Throttle::for_slots(1);
        for _ in 0..10_000 {
            assert!(throttle.charge(HERE, 5));
            throttle.refund(HERE, 5);
        }
        assert_eq!(let_in(&mut throttle, 1000, |_| HERE, 5), 22);
    }

    #[test]
    fn an_address_that_is_turned_away_by_the_total_is_not_charged_for_it() {
        let mut throttle = Throttle::for_slots(0);
        let_in(&mut throttle, 200, other, 0);
        assert!(!throttle.charge(HERE, 0));
        assert_eq!(let_in(&mut throttle, 1000, |_| HERE, SECOND), 20);
    }

    #[test]
    fn a_network_of_64_bits_is_one_stranger_and_so_is_an_address_written_in_two_ways() {
        let mut throttle = Throttle::for_slots(0);
        let v6 = |i: u32| IpAddr::V6(Ipv6Addr::from_bits((0x2001_0db8_u128 << 96) + u128::from(i)));
        assert_eq!(let_in(&mut throttle, 100, v6, 0), 20);
        let mapped = IpAddr::V6(Ipv4Addr::new(192, 168, 1, 7).to_ipv6_mapped());
        assert_eq!(let_in(&mut throttle, 100, |i| if i % 2 == 0 { HERE } else { mapped }, 0), 20);
    }

    #[test]
    fn however_many_addresses_come_few_are_remembered() {
        let mut throttle = Throttle::for_slots(0);
        for i in 0..100_000 {
            throttle.charge(other(i), u64::from(i) * SECOND / 20);
        }
        assert!(throttle.addresses.len() <= MOST_ADDRESSES);
    }
}
