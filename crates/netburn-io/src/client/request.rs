//! What goes out: one `GET` per piece, head only.

use crate::protocol::{APPLICATION_HEADER, BYTES_PATH, Label, RUN_HEADER, RunToken};

use super::target::{RequestKind, Target};

/// What we call ourselves: some servers turn away those who do not say.
pub(crate) const USER_AGENT: &str = concat!("netburn/", env!("CARGO_PKG_VERSION"));

/// The request for a piece of `part_bytes` on behalf of an application.
pub(crate) fn for_part(target: &Target, label: Label, part_bytes: u64) -> Vec<u8> {
    match &target.request {
        RequestKind::Generated { token } => for_path(target, &format!("{BYTES_PATH}{part_bytes}"), *token, Some(label)),
        RequestKind::Url { path, .. } => for_url(&target.host, path),
    }
}

/// The request for one path of a netburn server.
pub(crate) fn for_path(target: &Target, path: &str, token: RunToken, label: Option<Label>) -> Vec<u8> {
    let host = &target.host;
    let application = label.map_or_else(String::new, |label| format!("{APPLICATION_HEADER}: {label}\r\n"));
    format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n{RUN_HEADER}: {token}\r\n{application}\r\n").into_bytes()
}

/// The request for one path of any web server. Coded forms are refused, so that every reply is of the same size and
/// nothing is unpacked.
pub(crate) fn for_url(host: &str, path: &str) -> Vec<u8> {
    format!(
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nUser-Agent: {USER_AGENT}\r\nAccept: */*\r\nAccept-Encoding: identity\r\n\r\n"
    )
    .into_bytes()
}
