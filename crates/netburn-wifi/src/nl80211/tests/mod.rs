//! Complete messages as the kernel sends them, composed by hand from `include/uapi/linux/nl80211.h`, `netlink.h` and
//! `genetlink.h`. Every number stands here a second time, with its name beside it, so that a slip in
//! [`numbers`](super::numbers) shows.

mod compose;
mod events;
mod hostile;
mod stations;
