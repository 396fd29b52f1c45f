//! Which server is loaded, as a scenario says it.

use super::ServerChoice;
use super::diagnostic::{Problems, quoted};
use super::fields::Entry;
use super::quantity::{check_authority, server_url};

/// Whom the clients load. A server that is wrong stands for the local one: it was reported, so nothing is run.
pub(super) fn server(entry: Entry<'_>, problems: &mut Problems) -> ServerChoice {
    const NEITHER: &str = "write \"local\" or an address such as \"http://192.168.1.10:4040\"";
    const ADDRESS: &str = "write \"local:HOST\" or \"local:HOST:PORT\", by which the devices reach this machine";
    let local = |address| ServerChoice::Local { address };
    let Some(text) = entry.text("http://192.168.1.10:4040", problems) else { return local(None) };
    let hint = match text.split_once(':') {
        None if text == "local" => return local(None),
        Some(("local", address)) => match check_authority(address) {
            Ok(()) => return local(Some(address.to_owned())),
            Err(_) if address.is_empty() => ADDRESS,
            Err(hint) => hint,
        },
        _ => match server_url(text) {
            Ok(url) => return ServerChoice::Url(url),
            // What is no address at all may have been meant for the word.
            Err(hint) => {
                if text.contains("://") {
                    hint
                } else {
                    NEITHER
                }
            }
        },
    };
    problems.report_with(entry.span(), format!("server: {} is no server", quoted(text)), hint);
    local(None)
}
