//! A run while it goes on: a view that fills a terminal, and one line for where there is none.
//!
//! Both are pure functions of the same fold that the report is made of, so that what is seen on the way and what is reported
//! in the end cannot differ.

mod history;
mod line;
mod row;
mod span;
mod view;

pub use line::line;
pub use span::{Line, Span, Tone};
pub use view::{Size, State, view};
