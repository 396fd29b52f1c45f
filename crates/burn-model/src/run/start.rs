//! Did all clients start together? What is known of that, and how well.

use std::time::Duration;

use super::RunRecord;
use crate::record::{ClockRecord, Phase};
use crate::time::nanos;

/// The most that a kernel slews its clock where it is told to be right again (`ntp_adjtime`: 500 ppm, RFC 5905 §11.3).
/// Crystals themselves are off by some 50 ppm at most.
const GREATEST_DRIFT_PPM: u64 = 500;

/// How far apart the clients' loads began, on one clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StartSkew {
    /// From the first client's start to the last one's, each as late as it says itself.
    pub skew: Duration,
    /// The true skew lies within this of `skew`.
    pub uncertainty: Duration,
    /// How many clients started.
    pub clients: usize,
}

impl RunRecord {
    /// How far apart the clients' loads began; `None` with fewer than two clients that started, or where a clock was not
    /// compared before.
    ///
    /// Client i started at the agreed moment, plus its own lateness sᵢ, plus the error εᵢ of its clock's comparison, of
    /// which only a bound eᵢ is known. Of max(sᵢ + εᵢ) − min(sᵢ + εᵢ) the skew is max sᵢ − min sᵢ, and it is off by the sum of
    /// the two greatest eᵢ at most.
    #[must_use]
    pub fn start_skew(&self) -> Option<StartSkew> {
        let started =
            (0_u32..).zip(&self.clients).filter_map(|(number, client)| Some((number, client.start_lateness?)));
        let started: Vec<(u32, Duration)> = started.collect();
        let lateness = || started.iter().map(|(_, lateness)| *lateness);
        let (first, last) = (lateness().min()?, lateness().max()?);
        let mut errors: Vec<u64> =
            started.iter().map(|(number, _)| self.start_error(*number)).collect::<Option<_>>()?;
        errors.sort_unstable_by(|a, b| b.cmp(a));
        let [greatest, second, ..] = errors.as_slice() else { return None };
        Some(StartSkew {
            skew: last - first,
            uncertainty: Duration::from_nanos(greatest.saturating_add(*second)),
            clients: started.len(),
        })
    }

    /// How far off a client's idea of the agreed moment may be, in nanoseconds: the bound of the comparison before the
    /// start, and what its clock may have drifted since.
    fn start_error(&self, client: u32) -> Option<u64> {
        let of = |phase| self.clocks.iter().find(|clock| clock.client == client && clock.phase == phase);
        let before = of(Phase::Before)?;
        let age = before.from_start_ns.unwrap_or(0);
        let drift = match of(Phase::After) {
            Some(after) => drift_ppb(before, after),
            None => GREATEST_DRIFT_PPM * 1000,
        };
        let drifted = u128::from(age) * u128::from(drift) / 1_000_000_000;
        Some(nanos(before.uncertainty).saturating_add(u64::try_from(drifted).unwrap_or(u64::MAX)))
    }
}

/// A bound on how fast two clocks drifted apart between two comparisons, in parts per billion: what the comparisons allow
/// at most, but no more than a kernel would slew, unless they prove it.
fn drift_ppb(before: &ClockRecord, after: &ClockRecord) -> u64 {
    let span = before.from_start_ns.unwrap_or(0).saturating_add(after.from_start_ns.unwrap_or(0));
    let apart = after.offset_ns.abs_diff(before.offset_ns);
    let unsure = nanos(before.uncertainty).saturating_add(nanos(after.uncertainty));
    let rate = |nanoseconds: u64| {
        let rate = (u128::from(nanoseconds) * 1_000_000_000).checked_div(u128::from(span));
        rate.map_or(u64::MAX, |rate| u64::try_from(rate).unwrap_or(u64::MAX))
    };
    let (least, most) = (apart.saturating_sub(unsure), apart.saturating_add(unsure));
    let proven = if least == 0 { 0 } else { rate(least) };
    rate(most).min(GREATEST_DRIFT_PPM * 1000).max(proven)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(phase: Phase, offset_ns: i64, uncertainty_ns: u64, from_start_ns: u64) -> ClockRecord {
        let uncertainty = Duration::from_nanos(uncertainty_ns);
        ClockRecord { client: 0, offset_ns, uncertainty, phase, from_start_ns: Some(from_start_ns) }
    }

    const S: u64 = 1_000_000_000;

    #[test]
    fn a_drift_is_what_both_comparisons_allow_at_most() {
        // 300 µs more in 10 s, each known to 50 µs: between 200 and 400 µs in 10 s, so 40 ppm at most.
        let (before, after) = (clock(Phase::Before, 7, 50_000, S), clock(Phase::After, 300_007, 50_000, 9 * S));
        assert_eq!(drift_ppb(&before, &after), 40_000);
        // 20 ms each way tell nothing of 10 s: 4000 ppm would fit, but no kernel slews by more than 500.
        let (before, after) = (clock(Phase::Before, 7, 20_000_000, S), clock(Phase::After, 300_007, 20_000_000, 9 * S));
        assert_eq!(drift_ppb(&before, &after), 500_000);
        // A clock that is proven to run worse than that does: 20 ms in 10 s, known to 2 ms, is 1800 ppm at least.
        let (before, after) = (clock(Phase::Before, 0, S / 1000, S), clock(Phase::After, 20_000_000, S / 1000, 9 * S));
        assert_eq!(drift_ppb(&before, &after), 1_800_000);
    }
}
