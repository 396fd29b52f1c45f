//! Complete messages as the kernel sends them, composed by hand from `include/uapi/linux/nl80211.h`, `netlink.h` and
//! `genetlink.h`. Every number stands here a second time, with its name beside it, so that a slip in
//! [`numbers`](super::numbers) shows.

// As they came from the socket, in the byte order of that machine.
#[cfg(target_endian = "little")]
mod captured;
mod compose;
mod events;
mod hostile;
mod stations;
