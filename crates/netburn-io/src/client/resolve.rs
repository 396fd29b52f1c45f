//! From what a person wrote to an address.

use std::io;
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::time::Duration;

/// How long each of several addresses of a name is given to accept a connection.
const TRY: Duration = Duration::from_secs(2);

/// A server cannot be made out.
#[derive(Debug, thiserror::Error)]
pub enum ResolveError {
    /// It asks for encryption.
    #[error("'{server}' asks for https, which netburn cannot do yet: use http://")]
    Encrypted {
        /// As it was written.
        server: String,
    },
    /// It is not of the form that is taken.
    #[error("'{server}' is not a server: {what}; write it like http://192.168.1.10:8080")]
    Malformed {
        /// As it was written.
        server: String,
        /// What is wrong.
        what: &'static str,
    },
    /// The name has no address.
    #[error("the name '{name}' does not resolve{}: check its spelling, or use the address itself",
        .source.as_ref().map_or_else(String::new, |source| format!(" ({source})")))]
    Unknown {
        /// The name.
        name: String,
        /// What the system said, where it said anything.
        source: Option<io::Error>,
    },
}

/// The address of a server written as `http://HOST[:PORT]`, and what belongs into the `Host` field.
///
/// `HOST` is a name, an IPv4 address or a bracketed IPv6 one; the port is 80 unless said. Of several addresses of a
/// name it is the first that accepts a connection, and the first of all where none does. Blocks.
///
/// # Errors
/// Where the text is not such a server, or its name has no address.
pub fn resolve(server: &str) -> Result<(SocketAddr, String), ResolveError> {
    let (authority, path) = split(server)?;
    if !matches!(path, "" | "/") {
        return Err(malformed(server, "it has a path"));
    }
    lookup(server, authority)
}

/// The address, the `Host` field and the path with query of a URL.
pub(crate) fn resolve_url(url: &str) -> Result<(SocketAddr, String, String), ResolveError> {
    let (authority, path) = split(url)?;
    // RFC 9110 §7.1: the fragment is the client's own business.
    let path = path.split('#').next().unwrap_or_default();
    let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
    let (address, host) = lookup(url, authority)?;
    Ok((address, host, path))
}

fn malformed(server: &str, what: &'static str) -> ResolveError {
    ResolveError::Malformed { server: server.to_owned(), what }
}

/// Authority and the rest.
fn split(server: &str) -> Result<(&str, &str), ResolveError> {
    let (scheme, rest) = server.split_once("://").ok_or_else(|| malformed(server, "it does not begin with http://"))?;
    if scheme.eq_ignore_ascii_case("https") {
        return Err(ResolveError::Encrypted { server: server.to_owned() });
    }
    if !scheme.eq_ignore_ascii_case("http") {
        return Err(malformed(server, "it does not begin with http://"));
    }
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    Ok(rest.split_at(end))
}

fn lookup(server: &str, authority: &str) -> Result<(SocketAddr, String), ResolveError> {
    let (name, port) = parse_authority(server, authority)?;
    let found = (name.trim_matches(['[', ']']), port).to_socket_addrs();
    let addresses: Vec<SocketAddr> =
        found.map_err(|source| ResolveError::Unknown { name: name.to_owned(), source: Some(source) })?.collect();
    let first = *addresses.first().ok_or_else(|| ResolveError::Unknown { name: name.to_owned(), source: None })?;
    let accepts = |address: &&SocketAddr| TcpStream::connect_timeout(address, TRY).is_ok();
    // One address needs no trying: the preflight will say what is wrong with it.
    let best = if addresses.len() > 1 { addresses.iter().find(accepts).copied().unwrap_or(first) } else { first };
    let host = if port == 80 { name.to_owned() } else { format!("{name}:{port}") };
    Ok((best, host))
}

/// Host, with its brackets where it has any, and port.
fn parse_authority<'a>(server: &str, authority: &'a str) -> Result<(&'a str, u16), ResolveError> {
    if authority.contains('@') {
        return Err(malformed(server, "it has a user name"));
    }
    // The colons of an IPv6 address stand within its brackets.
    let name_end = authority.find(']').map_or(0, |bracket| bracket + 1);
    let (name, port) = match authority[name_end..].find(':') {
        Some(colon) => {
            let (name, port) = authority.split_at(name_end + colon);
            (name, parse_port(server, &port[1..])?)
        }
        None => (authority, 80),
    };
    let is_bracketed = name.starts_with('[') && name.ends_with(']');
    if name.trim_matches(['[', ']']).is_empty() {
        return Err(malformed(server, "it has no host"));
    }
    if !is_bracketed && !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)) {
        return Err(malformed(server, "its host has characters that no name has"));
    }
    Ok((name, port))
}

fn parse_port(server: &str, port: &str) -> Result<u16, ResolveError> {
    match port.parse() {
        Ok(port) if port > 0 => Ok(port),
        _ => Err(malformed(server, "its port is not a number from 1 to 65535")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_taken_as_people_write_them() {
        for (server, address, host) in [
            ("http://127.0.0.1", "127.0.0.1:80", "127.0.0.1"),
            ("http://127.0.0.1:8080/", "127.0.0.1:8080", "127.0.0.1:8080"),
            ("HTTP://[::1]", "[::1]:80", "[::1]"),
            ("http://[::1]:9", "[::1]:9", "[::1]:9"),
        ] {
            assert_eq!(resolve(server).unwrap(), (address.parse().unwrap(), host.to_owned()), "{server}");
        }
    }

    #[test]
    fn a_url_keeps_its_query_and_loses_its_fragment() {
        for (url, path) in
            [("http://127.0.0.1", "/"), ("http://127.0.0.1:8080/a/b?c=d#e", "/a/b?c=d"), ("http://127.0.0.1?c", "/?c")]
        {
            assert_eq!(resolve_url(url).unwrap().2, path, "{url}");
        }
    }

    #[test]
    fn what_is_not_a_server_is_refused_with_the_reason() {
        for (server, reason) in [
            ("", "does not begin with http://"),
            ("127.0.0.1:8080", "does not begin with http://"),
            ("ftp://127.0.0.1", "does not begin with http://"),
            ("http://", "no host"),
            ("http://:80", "no host"),
            ("http://[]", "no host"),
            ("http://a@127.0.0.1", "a user name"),
            ("http://127.0.0.1:0", "port"),
            ("http://127.0.0.1:", "port"),
            ("http://127.0.0.1:65536", "port"),
            ("http://127.0.0.1:8 0", "port"),
            ("http://127.0.0.1/path", "has a path"),
            ("http://a b", "characters that no name has"),
            ("http://::1", "port"),
            ("https://127.0.0.1", "https, which netburn cannot do yet"),
        ] {
            let error = resolve(server).unwrap_err().to_string();
            assert!(error.contains(reason), "{server:?}: {error}");
        }
    }

    #[test]
    fn a_name_without_an_address_is_named_in_the_message() {
        // RFC 6761 §6.4: `invalid` never resolves.
        let error = resolve("http://nobody.invalid").unwrap_err().to_string();
        assert!(error.starts_with("the name 'nobody.invalid' does not resolve"), "{error}");
    }
}
