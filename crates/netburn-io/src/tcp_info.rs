//! What the kernel knows of one TCP connection: `TCP_INFO` of Linux.
//!
//! The structure is written out here because C libraries differ in how much of it they declare. The kernel fills as much
//! as it knows and says how much that was; what it did not fill reads as absent, never as zero.

use std::io;
use std::mem::{offset_of, size_of};
use std::os::fd::{AsFd, AsRawFd};
use std::time::Duration;

/// A snapshot of one connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TcpInfo {
    raw: Raw,
    /// How many bytes of `raw` the kernel filled.
    filled: usize,
}

impl TcpInfo {
    /// Asks the kernel.
    ///
    /// # Errors
    /// Where `socket` is not a TCP socket, or the kernel refuses.
    pub(crate) fn of(socket: &impl AsFd) -> io::Result<Self> {
        let mut raw = Raw::default();
        let mut filled = libc::socklen_t::try_from(size_of::<Raw>()).unwrap_or(0);
        let fd = socket.as_fd().as_raw_fd();
        #[expect(unsafe_code, reason = "no safe wrapper declares the whole structure")]
        // SAFETY: `raw` is plain old data of `filled` bytes that lives through the call, and the kernel writes at most
        // `filled` bytes into it. Every bit pattern is a valid `Raw`. `fd` is open: `socket` is borrowed.
        let answer =
            unsafe { libc::getsockopt(fd, libc::IPPROTO_TCP, libc::TCP_INFO, (&raw mut raw).cast(), &raw mut filled) };
        if answer != 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(Self { raw, filled: usize::try_from(filled).unwrap_or(0) })
    }

    /// How long the connection had data to send or to be acknowledged, in all (Linux 4.10).
    pub(crate) fn busy(&self) -> Option<Duration> {
        self.micros(offset_of!(Raw, busy_time), self.raw.busy_time)
    }

    /// The part of [`TcpInfo::busy`] in which the peer's receive window held it up (Linux 4.10).
    pub(crate) fn rwnd_limited(&self) -> Option<Duration> {
        self.micros(offset_of!(Raw, rwnd_limited), self.raw.rwnd_limited)
    }

    /// The part of [`TcpInfo::busy`] in which our own send buffer held it up (Linux 4.10).
    pub(crate) fn sndbuf_limited(&self) -> Option<Duration> {
        self.micros(offset_of!(Raw, sndbuf_limited), self.raw.sndbuf_limited)
    }

    /// Bytes that the peer has acknowledged, in all (Linux 4.1).
    pub(crate) fn bytes_acked(&self) -> Option<u64> {
        self.has(offset_of!(Raw, bytes_acked), size_of::<u64>()).then_some(self.raw.bytes_acked)
    }

    /// The smoothed round-trip time, in microseconds; absent before the first measurement.
    pub(crate) fn rtt_us(&self) -> Option<u64> {
        self.known(offset_of!(Raw, rtt), self.raw.rtt).filter(|&rtt| rtt > 0)
    }

    /// The receiver's own estimate of the round-trip time, in microseconds; absent before it has one.
    pub(crate) fn receiver_rtt_us(&self) -> Option<u64> {
        self.known(offset_of!(Raw, rcv_rtt), self.raw.rcv_rtt).filter(|&rtt| rtt > 0)
    }

    /// The least round-trip time of the last minutes, in microseconds (Linux 4.6); all ones stand for none.
    pub(crate) fn min_rtt_us(&self) -> Option<u64> {
        self.known(offset_of!(Raw, min_rtt), self.raw.min_rtt).filter(|&rtt| rtt < u64::from(u32::MAX))
    }

    /// Segments that were sent again, in all.
    pub(crate) fn retransmits(&self) -> Option<u64> {
        self.known(offset_of!(Raw, total_retrans), self.raw.total_retrans)
    }

    /// Segments with data that were sent, those sent again included, in all (Linux 4.6).
    pub(crate) fn data_segments_sent(&self) -> Option<u64> {
        self.known(offset_of!(Raw, data_segs_out), self.raw.data_segs_out)
    }

    /// The congestion window, in segments.
    pub(crate) fn cwnd(&self) -> Option<u64> {
        self.known(offset_of!(Raw, snd_cwnd), self.raw.snd_cwnd)
    }

    /// How fast data was delivered most recently, in bits per second (Linux 4.9); absent before it is known.
    pub(crate) fn delivery_rate_bps(&self) -> Option<u64> {
        let known = self.has(offset_of!(Raw, delivery_rate), size_of::<u64>()).then_some(self.raw.delivery_rate);
        known.filter(|&rate| rate > 0).map(|bytes| bytes.saturating_mul(8))
    }

    fn known(&self, offset: usize, value: u32) -> Option<u64> {
        self.has(offset, size_of::<u32>()).then_some(u64::from(value))
    }

    fn micros(&self, offset: usize, value: u64) -> Option<Duration> {
        self.has(offset, size_of::<u64>()).then_some(Duration::from_micros(value))
    }

    const fn has(&self, offset: usize, size: usize) -> bool {
        offset + size <= self.filled
    }
}

/// `struct tcp_info` of `include/uapi/linux/tcp.h`, as of Linux 6.7 (later fields are cut off by the kernel).
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
struct Raw {
    state: u8,
    ca_state: u8,
    retransmits: u8,
    probes: u8,
    backoff: u8,
    options: u8,
    /// Two times four bits: send and receive window scale.
    wscale: u8,
    /// One bit: delivery rate is application-limited; two bits: fast open failed.
    rate_flags: u8,
    rto: u32,
    ato: u32,
    snd_mss: u32,
    rcv_mss: u32,
    unacked: u32,
    sacked: u32,
    lost: u32,
    retrans: u32,
    fackets: u32,
    last_data_sent: u32,
    last_ack_sent: u32,
    last_data_recv: u32,
    last_ack_recv: u32,
    pmtu: u32,
    rcv_ssthresh: u32,
    rtt: u32,
    rttvar: u32,
    snd_ssthresh: u32,
    snd_cwnd: u32,
    advmss: u32,
    reordering: u32,
    rcv_rtt: u32,
    rcv_space: u32,
    total_retrans: u32,
    pacing_rate: u64,
    max_pacing_rate: u64,
    bytes_acked: u64,
    bytes_received: u64,
    segs_out: u32,
    segs_in: u32,
    notsent_bytes: u32,
    min_rtt: u32,
    data_segs_in: u32,
    data_segs_out: u32,
    delivery_rate: u64,
    busy_time: u64,
    rwnd_limited: u64,
    sndbuf_limited: u64,
    delivered: u32,
    delivered_ce: u32,
    bytes_sent: u64,
    bytes_retrans: u64,
    dsack_dups: u32,
    reord_seen: u32,
    rcv_ooopack: u32,
    snd_wnd: u32,
    rcv_wnd: u32,
    rehash: u32,
    total_rto: u16,
    total_rto_recoveries: u16,
    total_rto_time: u32,
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::{TcpListener, TcpStream};

    use super::*;

    /// Offsets as `pahole` prints them for the kernel's own structure.
    #[test]
    fn fields_lie_where_the_kernel_puts_them() {
        assert_eq!(offset_of!(Raw, rto), 8);
        assert_eq!(offset_of!(Raw, pacing_rate), 104);
        assert_eq!(offset_of!(Raw, rtt), 68);
        assert_eq!(offset_of!(Raw, total_retrans), 100);
        assert_eq!(offset_of!(Raw, bytes_acked), 120);
        assert_eq!(offset_of!(Raw, delivery_rate), 160);
        assert_eq!(offset_of!(Raw, busy_time), 168);
        assert_eq!(offset_of!(Raw, sndbuf_limited), 184);
        assert_eq!(offset_of!(Raw, bytes_sent), 200);
        assert_eq!(size_of::<Raw>(), 248);
    }

    #[test]
    fn acknowledged_bytes_are_those_that_the_peer_has_read() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut near = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (mut far, _) = listener.accept().unwrap();
        near.write_all(&[7; 1000]).unwrap();
        far.read_exact(&mut [0; 1000]).unwrap();
        // The peer's answer carries the acknowledgement, so no timer decides whether it is here yet.
        far.write_all(b"!").unwrap();
        near.read_exact(&mut [0; 1]).unwrap();
        // The sequence number of SYN counts as one byte where the connection was opened from this side.
        assert!((1000..=1001).contains(&TcpInfo::of(&near).unwrap().bytes_acked().unwrap()));
    }

    #[test]
    fn what_an_old_kernel_does_not_fill_is_absent() {
        let info = TcpInfo { raw: Raw { bytes_acked: 5, busy_time: 5, ..Raw::default() }, filled: 168 };
        assert_eq!(info.bytes_acked(), Some(5));
        assert_eq!(info.busy(), None);
    }
}
