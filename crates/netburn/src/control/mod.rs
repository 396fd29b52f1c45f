//! How a controller and its agents talk: framed messages over any stream of bytes.
//!
//! An agent opens no port and knows no address but the server's in its plan. Whoever starts it holds the two
//! ends of its stream: the stdin and stdout of a child process today, a connection through `ssh` or a
//! WebSocket later. Everything here is pure: [`frame`] turns bytes into frames, [`message`] says what stands in
//! one, and [`session`] is the controller's side as a state machine that a test
//! drives with virtual time.

pub mod frame;
pub mod message;
pub mod session;
pub(crate) mod testimony;
