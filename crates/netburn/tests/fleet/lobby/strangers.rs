//! Who has no code learns nothing, and does not keep others out.

use std::sync::Arc;
use std::time::{Duration, Instant};

use netburn::fleet::lobby::{Lobby, Manners};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, SignatureScheme};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::support::{Device, joined, link_for, lobby, soon};

/// What a stranger gets, whatever he asks.
const NOTHING: &str =
    "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n";

/// Takes any certificate: a stranger has no link that names one.
#[derive(Debug)]
struct Anybody;

impl ServerCertVerifier for Anybody {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn verify_tls13_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        Ok(HandshakeSignatureValid::assertion())
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        vec![SignatureScheme::ECDSA_NISTP256_SHA256]
    }
}

async fn tcp(host: &str) -> TcpStream {
    TcpStream::connect(host).await.unwrap()
}

async fn tls(host: &str) -> std::io::Result<TlsStream<TcpStream>> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap();
    let config = config.dangerous().with_custom_certificate_verifier(Arc::new(Anybody)).with_no_client_auth();
    TlsConnector::from(Arc::new(config)).connect(ServerName::try_from("x").unwrap(), tcp(host).await).await
}

/// Says something over TLS; returns all that comes until the lobby closes the connection, however it does.
async fn asked(host: &str, what: &[u8]) -> String {
    let mut stream = tls(host).await.unwrap();
    let _ = stream.write_all(what).await;
    let mut reply = Vec::new();
    let _ = soon("the lobby to close", stream.read_to_end(&mut reply)).await;
    String::from_utf8_lossy(&reply).into_owned()
}

fn upgrade(path: &str) -> Vec<u8> {
    let head = "HTTP/1.1\r\nHost: tv:1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    format!("GET {path} {head}").into_bytes()
}

/// The lobby is as it was: the one who has the code comes in.
async fn lets_in(mut lobby: Lobby) {
    let _device = Device::join(&link_for(&lobby, "tv").to_string(), &[]);
    joined(&mut lobby).await;
}

#[tokio::test]
async fn whatever_a_stranger_asks_he_gets_the_same_nothing() {
    let lobby = lobby(&["tv"], Manners::default()).await;
    let link = link_for(&lobby, "tv");
    let right = format!("/j/{}", link.code);
    let questions = [
        b"GET / HTTP/1.1\r\nHost: tv:1\r\n\r\n".to_vec(),
        upgrade("/"),
        upgrade("/j/"),
        upgrade("/j/ZZZZZZZZZZ"),
        upgrade(&format!("{right}0")),
        upgrade(&right[..right.len() - 1]),
        // The right code alone is no key to a browser.
        format!("GET {right} HTTP/1.1\r\nHost: tv:1\r\n\r\n").into_bytes(),
        format!("POST {right} HTTP/1.1\r\nHost: tv:1\r\nContent-Length: 0\r\n\r\n").into_bytes(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_vec(),
        vec![0; 4096],
    ];
    for (question, n) in questions.iter().zip(1..) {
        assert_eq!(asked(&link.host, question).await, NOTHING, "{}", String::from_utf8_lossy(question));
        assert_eq!((lobby.strangers().without_code, lobby.missing().len()), (n, 1));
    }
    lets_in(lobby).await;
}

#[tokio::test]
async fn a_head_without_end_is_not_read_to_its_end() {
    let lobby = lobby(&["tv"], Manners::default()).await;
    let mut endless = b"GET /j/0123456789 HTTP/1.1\r\nX: ".to_vec();
    endless.resize(1 << 20, b'a');
    let reply = asked(&link_for(&lobby, "tv").host, &endless).await;
    // The kernel may drop the reply where bytes come after the lobby has closed.
    assert!(reply == NOTHING || reply.is_empty(), "{reply}");
    lets_in(lobby).await;
}

#[tokio::test]
async fn who_is_slow_is_not_waited_for() {
    let manners = Manners { handshake: Duration::from_millis(500), ..Manners::default() };
    let lobby = lobby(&["tv"], manners).await;
    let link = link_for(&lobby, "tv");
    let silent = tcp(&link.host).await;
    let mut begun = tcp(&link.host).await;
    begun.write_all(&[0x16, 3, 1]).await.unwrap();
    for mut stream in [silent, begun] {
        let mut rest = Vec::new();
        let _ = soon("the lobby to close", stream.read_to_end(&mut rest)).await;
        assert!(rest.is_empty());
    }
    assert_eq!(asked(&link.host, b"GET /j/").await, "");
    // With a right code, but without a greeting.
    let reply = asked(&link.host, &upgrade(&format!("/j/{}", link.code))).await;
    assert!(reply.starts_with("HTTP/1.1 101 "), "{reply}");
    assert_eq!(lobby.strangers().without_code, 4);
    assert_eq!(lobby.missing(), ["tv"], "the code is still good");
}

#[tokio::test]
async fn who_tries_codes_is_soon_turned_away_and_others_are_not() {
    let mut lobby = lobby(&["tv"], Manners::default()).await;
    let link = link_for(&lobby, "tv");
    let begun = Instant::now();
    let mut answered = 0;
    // Turned away, he gets no TLS.
    while let Ok(mut stream) = tls(&link.host).await {
        stream.write_all(&upgrade("/j/ZZZZZZZZZZ")).await.unwrap();
        let mut reply = String::new();
        soon("a reply", stream.read_to_string(&mut reply)).await.unwrap();
        assert_eq!(reply, NOTHING);
        answered += 1;
    }
    // 20 and two for the one slot, and one more for each second that this took.
    assert!((22..=23 + begun.elapsed().as_secs()).contains(&answered), "{answered}");
    assert_eq!(lobby.strangers().turned_away, 1);
    // From another address, 127.0.0.2, all is well.
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.2:0".parse().unwrap()).unwrap();
    let from_elsewhere = socket.connect(link.host.parse().unwrap()).await.unwrap();
    let relay = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let by_relay = super::support::by_way_of(&link, relay.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut near, mut far) = (relay.accept().await.unwrap().0, from_elsewhere);
        let _ = tokio::io::copy_bidirectional(&mut near, &mut far).await;
    });
    let _device = Device::join(&by_relay.to_string(), &[]);
    assert_eq!(joined(&mut lobby).await.from.ip().to_string(), "127.0.0.2");
}

#[tokio::test]
async fn no_more_than_64_strangers_and_one_for_each_slot_are_in_the_doorway_at_once() {
    let manners = Manners { handshake: Duration::from_secs(3600), ..Manners::default() };
    // So many slots that the throttle has nothing to say.
    let names: Vec<String> = (0..100).map(|i| format!("d{i}")).chain(["tv".to_owned()]).collect();
    let lobby = lobby(&names.iter().map(String::as_str).collect::<Vec<_>>(), manners).await;
    let host = link_for(&lobby, "tv").host;
    let mut strangers = Vec::new();
    for _ in 0..64 + 101 {
        strangers.push(tcp(&host).await);
    }
    let mut rest = Vec::new();
    let _ = soon("one more to be turned away", tcp(&host).await.read_to_end(&mut rest)).await;
    assert_eq!((rest.len(), lobby.strangers().turned_away), (0, 1));
    drop(strangers);
    let gone = async {
        while lobby.strangers().without_code < 64 + 101 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    soon("all of them to be gone", gone).await;
    lets_in(lobby).await;
}

#[test]
fn no_bytes_at_any_stage_break_the_lobby_or_take_a_slot() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let names: Vec<String> = (0..100).map(|i| format!("d{i}")).chain(["tv".to_owned()]).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let lobby = runtime.block_on(lobby(&names, Manners::default()));
    let link = link_for(&lobby, "tv");
    let right = upgrade(&format!("/j/{}", link.code));
    let mut runner = TestRunner::new(ProptestConfig::with_cases(24));
    let cases = runner.run(&(0..3, prop::collection::vec(any::<u8>(), 1..300)), |(stage, bytes)| {
        runtime.block_on(async {
            if stage == 0 {
                let mut stream = tcp(&link.host).await;
                let _ = stream.write_all(&bytes).await;
                let _ = stream.shutdown().await;
                let _ = soon("the lobby to close", stream.read_to_end(&mut Vec::new())).await;
                return;
            }
            let mut stream = tls(&link.host).await.unwrap();
            if stage == 2 {
                stream.write_all(&right).await.unwrap();
                let mut head = [0; 12];
                stream.read_exact(&mut head).await.unwrap();
                assert_eq!(&head, b"HTTP/1.1 101");
            }
            let _ = stream.write_all(&bytes).await;
            let _ = stream.shutdown().await;
            let _ = soon("the lobby to close", stream.read_to_end(&mut Vec::new())).await;
        });
        prop_assert_eq!(lobby.missing().len(), 101);
        Ok(())
    });
    cases.unwrap();
    runtime.block_on(lets_in(lobby));
}
