//! `netburn fleet check`: the cause of a slow login, the table, and the command against a real SSH server.

mod causes;
mod live;
mod table;
