//! How long queues, bursts and bundles are in bytes and frames, of what they are in time.

use std::time::Duration;

/// An Ethernet frame at an MTU of 1500 as a queue counts it: without preamble, checksum and gap.
const FULL_FRAME_BYTES: u64 = 1514;

/// What a shaper lets pass at once. It must outlast a late timer, else the radio loses rate while the machine is
/// busy; and it is about what a Wi-Fi sender may send in one go (TXOP, at most 5.484 ms of one PPDU, IEEE 802.11-2020).
const BURST: Duration = Duration::from_millis(4);

/// A sender hands frames to its interface in bundles, by itself of about 1 ms of its rate (tcp_output.c,
/// `sk_pacing_shift`) but up to 64 KiB. Here one lasts no longer than that on the slowest radio ahead, or is one frame: so a
/// queue fills, drains and overflows in small steps, and the shortest queue holds the longest bundle.
const BUNDLE: Duration = Duration::from_millis(1);
/// The kernel's bundles end at 64 KiB, 44 frames.
const MAX_BUNDLE_FRAMES: u64 = 44;

/// Bytes in a queue of this length; at least two full frames, else nothing at all would pass.
pub(crate) fn queue_bytes(rate_bps: u64, queue: Duration) -> u64 {
    bytes_in(rate_bps, queue).max(2 * FULL_FRAME_BYTES)
}

/// What a shaper of this rate lets pass at once, in bytes.
pub(crate) fn burst_bytes(rate_bps: u64) -> u64 {
    bytes_in(rate_bps, BURST).max(2 * FULL_FRAME_BYTES)
}

/// The most full frames that a sender hands on at once, where this is the slowest rate ahead.
pub(crate) fn bundle_frames(rate_bps: u64) -> u64 {
    (bytes_in(rate_bps, BUNDLE) / FULL_FRAME_BYTES).clamp(1, MAX_BUNDLE_FRAMES)
}

/// Bytes that pass at `rate_bps` in `time`, rounded down.
fn bytes_in(rate_bps: u64, time: Duration) -> u64 {
    let bit_nanos = u128::from(rate_bps).saturating_mul(time.as_nanos());
    u64::try_from(bit_nanos / 8_000_000_000).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_is_as_long_as_its_rate_drains_in_its_time() {
        // 156e6 bit/s · 0.3 s / 8 = 5.85e6 bytes.
        assert_eq!(queue_bytes(156_000_000, Duration::from_millis(300)), 5_850_000);
        // 100 kbit/s · 1 ms is 12.5 bytes: two full frames instead, 2 · 1514.
        assert_eq!(queue_bytes(100_000, Duration::from_millis(1)), 3028);
        assert_eq!(queue_bytes(u64::MAX, Duration::MAX), u64::MAX);
    }

    #[test]
    fn a_bundle_is_a_millisecond_of_the_radio_within_one_frame_and_64_kib() {
        // 1 ms at 5 Mbit/s is 625 bytes, less than a frame; at 156 Mbit/s 19 500 bytes, 12 frames of 1514; at 1 Gbit/s
        // 82, past 64 KiB.
        assert_eq!(bundle_frames(5_000_000), 1);
        assert_eq!(bundle_frames(156_000_000), 12);
        assert_eq!(bundle_frames(1_000_000_000), 44);
    }
}
