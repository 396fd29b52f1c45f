//! The one page that a watch serves: `/metrics`, and a plain `/` that says where it is.
//!
//! Whoever connects is bounded in all that he can do: so many connections at once, so long for all of one, so large a head.
//! Nothing that is sent is stored, shown or acted on.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use burn_report::openmetrics::CONTENT_TYPE as OPENMETRICS;
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

/// How many connections there may be at once; further ones wait unanswered.
const PLACES: usize = 32;
/// How long one may last, from its first byte to its last.
const LIMIT: Duration = Duration::from_secs(10);
/// How long a head may take to arrive.
const HEAD_LIMIT: Duration = Duration::from_secs(3);
/// The longest head, in bytes: what hyper takes as its least.
const LONGEST_HEAD: usize = 8192;
/// How many header fields it may have.
const MOST_FIELDS: usize = 64;

const ROOT: &str = "netburn watch: the figures are at /metrics\n";

/// The document that is served, as it stands now.
pub(crate) type Document = watch::Receiver<Arc<str>>;

/// Listens where figures are served.
///
/// # Errors
/// Where the address cannot be listened on.
pub(crate) async fn listen(address: SocketAddr) -> std::io::Result<TcpListener> {
    TcpListener::bind(address).await
}

/// Serves for as long as it is awaited.
pub(crate) async fn serve(listener: TcpListener, document: Document) {
    let places = Arc::new(Semaphore::new(PLACES));
    loop {
        // A place first: those who come while none is free wait in the kernel's queue, which is bounded too.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
        match listener.accept().await {
            Ok((stream, _)) => {
                let document = document.clone();
                tokio::spawn(async move {
                    let _place = place;
                    attend(stream, document).await;
                });
            }
            // Too many open files, say: they become fewer with time alone.
            Err(_) => sleep(Duration::from_millis(200)).await,
        }
    }
}

async fn attend(stream: TcpStream, document: Document) {
    let service = service_fn(move |request| {
        let reply = reply(&request, &document);
        async move { Ok::<_, Infallible>(reply) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_LIMIT)
        .max_buf_size(LONGEST_HEAD)
        .max_headers(MOST_FIELDS)
        .keep_alive(false)
        .serve_connection(TokioIo::new(stream), service);
    // What goes wrong on a connection is its own end, and nobody else's concern.
    let _ = timeout(LIMIT, connection).await;
}

fn reply(request: &Request<Incoming>, document: &Document) -> Response<Full<Bytes>> {
    answer(request.method(), request.uri().path(), document)
}

fn answer(method: &Method, path: &str, document: &Document) -> Response<Full<Bytes>> {
    if method != Method::GET && method != Method::HEAD {
        let mut reply = text(StatusCode::METHOD_NOT_ALLOWED, "only GET and HEAD\n");
        reply.headers_mut().insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return reply;
    }
    match path {
        "/metrics" => {
            // A HEAD gets the length that a GET would have; hyper leaves the body out.
            let body = Bytes::copy_from_slice(document.borrow().as_bytes());
            with_type(StatusCode::OK, body, OPENMETRICS)
        }
        "/" => text(StatusCode::OK, ROOT),
        _ => text(StatusCode::NOT_FOUND, "nothing here; the figures are at /metrics\n"),
    }
}

fn text(status: StatusCode, body: &'static str) -> Response<Full<Bytes>> {
    with_type(status, Bytes::from_static(body.as_bytes()), "text/plain; charset=utf-8")
}

fn with_type(status: StatusCode, body: Bytes, media_type: &'static str) -> Response<Full<Bytes>> {
    let mut reply = Response::new(Full::new(body));
    *reply.status_mut() = status;
    reply.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
    reply.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    reply
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// What one who sends these bytes, and then no more, gets back.
    fn exchange(sent: &[u8]) -> String {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let (_sender, document) = watch::channel(Arc::from("a 1\n# EOF\n"));
            let listener = listen("127.0.0.1:0".parse().unwrap()).await.unwrap();
            let address = listener.local_addr().unwrap();
            let server = tokio::spawn(serve(listener, document));
            let mut stream = TcpStream::connect(address).await.unwrap();
            // The server may have hung up before it has read it all.
            let _ = stream.write_all(sent).await;
            let mut got = Vec::new();
            let _ = stream.read_to_end(&mut got).await;
            server.abort();
            String::from_utf8(got).unwrap()
        })
    }

    fn get(line: &str) -> String {
        exchange(format!("{line} HTTP/1.1\r\nHost: h\r\n\r\n").as_bytes())
    }

    #[test]
    fn the_figures_come_under_the_media_type_that_prometheus_asks_for() {
        let reply = get("GET /metrics");
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n"), "{reply}");
        assert!(
            reply.contains("content-type: application/openmetrics-text; version=1.0.0; charset=utf-8\r\n"),
            "{reply}"
        );
        assert!(reply.ends_with("\r\n\r\na 1\n# EOF\n"), "{reply}");
        assert!(get("GET /metrics?x=y").starts_with("HTTP/1.1 200 OK\r\n"));
    }

    #[test]
    fn a_head_is_answered_without_a_body() {
        let reply = get("HEAD /metrics");
        assert!(reply.starts_with("HTTP/1.1 200 OK\r\n") && reply.ends_with("\r\n\r\n"), "{reply}");
        // "a 1\n# EOF\n" has 4 + 6 bytes.
        assert!(reply.contains("content-length: 10\r\n"), "{reply}");
    }

    #[test]
    fn there_is_one_other_page_and_nothing_else() {
        assert!(get("GET /").ends_with(ROOT));
        for path in ["/x", "/metrics/", "//metrics", "/../etc/passwd", "http://h/x"] {
            assert!(get(&format!("GET {path}")).starts_with("HTTP/1.1 404 "), "{path}");
        }
        for method in ["POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"] {
            let reply = get(&format!("{method} /metrics"));
            assert!(reply.starts_with("HTTP/1.1 405 ") && reply.contains("allow: GET, HEAD\r\n"), "{reply}");
        }
    }

    #[test]
    fn garbage_and_heads_without_end_are_cut_off() {
        for sent in [&b"\x16\x03\x01\x00\xa5\x01\x00\x00"[..], b"\r\n\r\n\r\n\0\0\0\0", b"GET\r\n\r\n"] {
            let reply = exchange(sent);
            assert!(reply.is_empty() || reply.starts_with("HTTP/1.1 400 "), "{reply}");
        }
        // It says no more: it is not waited for.
        assert!(!exchange(b"GET /metrics HTTP/1.1\r\nHost: ").contains(" 200 "));
        let long = format!("GET /metrics HTTP/1.1\r\nHost: h\r\nX: {}\r\n\r\n", "x".repeat(64 << 10));
        assert!(!exchange(long.as_bytes()).contains(" 200 "));
        let many = format!("GET /metrics HTTP/1.1\r\nHost: h\r\n{}\r\n", "X: y\r\n".repeat(200));
        assert!(!exchange(many.as_bytes()).contains(" 200 "));
    }
}
