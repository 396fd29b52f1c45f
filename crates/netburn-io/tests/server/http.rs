//! What is asked for is what comes.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::OnceLock;
use std::time::Duration;

use netburn_io::protocol::{Hello, RunToken, VERSION};
use netburn_io::server::Policy;
use proptest::prelude::*;

use crate::support::{Running, get, get_with, start};

#[test]
fn replies_have_exactly_the_size_asked_for() {
    let server = start(Policy::default());
    let mut client = server.connect();
    let sizes = [0, 1, 15, 16, 17, 2500, 131_072, 1_048_576, 10_485_760];
    for size in sizes {
        let reply = client.get(format_args!("bytes/{size}"));
        assert_eq!((reply.status, reply.body.len()), (200, size));
        assert_eq!(reply.field("Content-Type"), Some("application/octet-stream"));
        assert_eq!(reply.field("Cache-Control"), Some("no-store, no-transform"));
        assert_eq!(reply.field("Connection"), None);
    }
    drop(client);
    let summary = server.stop();
    assert_eq!(summary.payload_bytes, sizes.iter().sum::<usize>() as u64);
    assert_eq!((summary.requests, summary.connections, summary.broken), (9, 1, 0));
}

#[test]
fn head_is_the_head_alone() {
    let server = start(Policy::default());
    let mut client = server.connect();
    client.send("HEAD /netburn/v1/bytes/5000 HTTP/1.1\r\nHost: h\r\n\r\n");
    let reply = client.head();
    assert_eq!((reply.status, reply.field("Content-Length")), (200, Some("5000")));
    // Were there a body, it would be read as the next reply.
    assert_eq!(client.get("bytes/10").body.len(), 10);
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let server = start(Policy::default());
    let mut client = server.connect();
    // More than one write's worth of replies, and one that is larger than a write among them.
    let sizes: Vec<usize> = (0..200).map(|i| if i == 100 { 1_000_000 } else { i * 7 }).collect();
    client.send(sizes.iter().map(|size| get(format_args!("bytes/{size}"))).collect::<String>());
    let answered: Vec<_> = sizes.iter().map(|_| client.reply().body.len()).collect();
    assert_eq!(answered, sizes);
}

#[test]
fn requests_may_come_in_any_pieces() {
    let server = start(Policy::default());
    let mut client = server.connect();
    for byte in format!("{}{}", get("bytes/3"), get("bytes/4")).bytes() {
        client.send([byte]);
    }
    assert_eq!([client.reply().body.len(), client.reply().body.len()], [3, 4]);
}

#[test]
fn a_valid_token_comes_back_and_nothing_else_does() {
    let server = start(Policy::default());
    let mut client = server.connect();
    let token = RunToken::from_bits(0x0123_4567_89ab_cdef);
    for (sent, back) in [(token.to_string(), Some(token.to_string())), ("abc".to_owned(), None)] {
        for path in ["bytes/5", "hello", "nothing"] {
            client.send(get_with(path, format_args!("Netburn-Run: {sent}\r\n")));
            let reply = client.reply();
            assert_eq!(reply.field("Netburn-Run"), back.as_deref(), "{path}");
        }
    }
}

#[test]
fn the_greeting_names_the_server_and_its_bounds() {
    let server = start(Policy { max_reply_bytes: 5, max_connections: 7, ..Policy::default() });
    let mut client = server.connect();
    let reply = client.get("hello");
    let hello: Hello = serde_json::from_slice(&reply.body).unwrap();
    assert_eq!(reply.field("Content-Type"), Some("application/json"));
    assert_eq!((hello.program.as_str(), hello.protocol), ("test 1", VERSION));
    assert_eq!((hello.max_reply_bytes, hello.max_connections), (5, 7));
    assert_eq!(hello.environment["kernel"], "test");
    let later: Hello = serde_json::from_slice(&client.get("hello").body).unwrap();
    assert!(later.now_ns > hello.now_ns);
}

#[test]
fn what_cannot_be_answered_is_told_why_and_the_connection_goes_on() {
    let server = start(Policy { max_reply_bytes: 1000, ..Policy::default() });
    let mut client = server.connect();
    for (request, status, says) in [
        (get("bytes/1001"), 413, "1000"),
        (get("nothing"), 404, "hello"),
        (get("witness"), 404, "token"),
        (get_with("witness", "Netburn-Run: 00000000000000000000000000000001\r\n"), 404, "knows"),
        ("DELETE /netburn/v1/hello HTTP/1.1\r\nHost: h\r\n\r\n".to_owned(), 405, "GET"),
    ] {
        client.send(&request);
        let reply = client.reply();
        assert_eq!(reply.status, status, "{request}");
        assert!(reply.text().contains(says), "{request}: {}", reply.text());
    }
    assert_eq!(client.get("bytes/1000").body.len(), 1000);
}

#[test]
fn where_the_frame_is_in_doubt_the_connection_ends_after_the_reply() {
    let server = start(Policy::default());
    for (request, status) in [
        ("POST /netburn/v1/hello HTTP/1.1\r\nHost: h\r\nContent-Length: 3\r\n\r\nabc".to_owned(), 413),
        ("GET /netburn/v1/hello HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".to_owned(), 413),
        ("GET /netburn/v1/hello HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n".to_owned(), 400),
        ("GET /netburn/v1/hello HTTP/1.1\r\n\r\n".to_owned(), 400),
        ("\u{16}\u{3}\u{1}\u{0}\u{5} a TLS greeting".to_owned(), 400),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(), 505),
        (get_with("hello", format_args!("X: {}\r\n", "x".repeat(9000))), 431),
        (get_with("hello", "X: y\r\n".repeat(100)), 431),
        // Of this one the end never comes.
        (format!("GET /netburn/v1/hello HTTP/1.1\r\nX: {}", "x".repeat(9000)), 431),
    ] {
        let mut client = server.connect();
        client.send(&request);
        let reply = client.reply();
        assert_eq!(reply.status, status, "{request}");
        assert_eq!(reply.field("Connection"), Some("close"));
        assert!(client.is_closed());
    }
}

/// A server that closes with unread bytes resets the connection, and the reply may be lost with it.
#[test]
fn a_peer_that_is_still_sending_reads_why_it_is_refused_and_then_a_clean_end() {
    let server = start(Policy::default());
    let mut client = server.connect();
    let head = "POST /netburn/v1/hello HTTP/1.1\r\nHost: h\r\nContent-Length: 100000\r\n\r\n";
    client.send([head.as_bytes(), &[b'x'; 100_000]].concat());
    assert_eq!(client.reply().status, 413);
    assert!(client.ends_cleanly());
}

#[test]
fn a_connection_ends_when_the_peer_asks_for_that_or_speaks_http_1_0() {
    let server = start(Policy::default());
    for request in [get_with("bytes/9", "Connection: close\r\n"), "GET /netburn/v1/bytes/9 HTTP/1.0\r\n\r\n".to_owned()]
    {
        let mut client = server.connect();
        client.send(&request);
        let reply = client.reply();
        assert_eq!((reply.status, reply.body.len(), reply.field("Connection")), (200, 9, Some("close")));
        assert!(client.is_closed());
    }
}

#[test]
fn a_peer_that_stops_sending_still_gets_its_replies() {
    let server = start(Policy::default());
    let mut client = server.connect();
    client.send(get("bytes/3000000"));
    client.stream().shutdown(Shutdown::Write).unwrap();
    assert_eq!(client.reply().body.len(), 3_000_000);
    assert!(client.is_closed());
}

/// No compressor with a window up to two replies finds anything: each of the 256 byte values is about equally frequent
/// (n/256 = 4096 of each in 1 MiB, with a standard deviation of 64; ten of them never occur by chance), and no 16 bytes
/// come twice.
#[test]
fn replies_do_not_compress_and_do_not_repeat() {
    let server = start(Policy::default());
    let mut client = server.connect();
    let one = client.get("bytes/1048576").body;
    let two = client.get("bytes/1048576").body;
    for reply in [&one, &two] {
        let mut counts = [0_i64; 256];
        reply.iter().for_each(|&byte| counts[usize::from(byte)] += 1);
        assert!(counts.iter().all(|count| (count - 4096).abs() < 640), "{counts:?}");
    }
    let seen: HashSet<&[u8]> = one.chunks_exact(16).collect();
    assert_eq!(seen.len(), 65_536);
    assert!(two.windows(16).all(|window| !seen.contains(window)));
}

#[test]
fn even_replies_of_one_size_on_many_connections_differ() {
    let server = start(Policy::default());
    let replies: HashSet<_> = (0..50).map(|_| server.connect().get("bytes/64").body).collect();
    assert_eq!(replies.len(), 50);
}

fn shared() -> &'static Running {
    static SERVER: OnceLock<Running> = OnceLock::new();
    SERVER.get_or_init(|| start(Policy::default()))
}

/// Sends bytes, says that no more will come, and waits for the end.
fn throw_at_the_server(bytes: &[u8]) {
    let mut stream = TcpStream::connect(shared().address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    // The server may have closed by now: then these fail, as they should.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    if let Err(error) = stream.read_to_end(&mut Vec::new()) {
        assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset, "neither a reply nor an end");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_at_all_lead_to_a_reply_or_an_end(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        throw_at_the_server(&bytes);
    }

    #[test]
    fn any_damage_to_pipelined_requests_leads_to_replies_or_an_end(
        at in 0_usize..150, byte in any::<u8>(), length in "[ -~]{0,12}"
    ) {
        let field = format!("Content-Length: {length}\r\n");
        let mut bytes = [get("bytes/10"), get_with("bytes/2", field), get("hello")].concat().into_bytes();
        bytes[at] = byte;
        throw_at_the_server(&bytes);
    }
}
