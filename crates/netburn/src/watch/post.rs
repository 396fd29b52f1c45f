//! Alarms to a URL: one POST of the document over HTTP/1.1, plain or over TLS.
//!
//! Redirects are not followed and no proxy is used: the alarm goes to the host that was named, or nowhere. What is in the URL
//! may be a secret, so that only its scheme and host are ever shown.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use data_encoding::BASE64;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::Bytes;
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST, USER_AGENT};
use hyper::{Request, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_rustls::TlsConnector;

use crate::facts::PROGRAM;

/// How long a delivery may take, from the name's look-up to the reply.
const LIMIT: Duration = Duration::from_secs(20);
/// How much of a reply's body is read, in bytes.
const LONGEST_REPLY: usize = 64 << 10;

/// Where alarms go.
#[derive(Clone)]
pub(crate) struct Target {
    host: String,
    port: u16,
    /// As the header `Host` and messages name it.
    authority: String,
    path: String,
    credentials: Option<String>,
    tls: Option<(TlsConnector, ServerName<'static>)>,
}

/// No URL that alarms can be sent to. Says nothing of what is in it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub(crate) struct TargetError(String);

/// An alarm was not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PostError {
    /// The host could not be reached.
    #[error("cannot connect: {0}")]
    Connect(std::io::Error),
    /// The connection is not the one that was wanted.
    #[error("no TLS connection: {0}")]
    Tls(std::io::Error),
    /// It broke off.
    #[error("the connection broke: {0}")]
    Broken(hyper::Error),
    /// The receiver does not want it.
    #[error("the receiver answered {status}{}", if status.is_redirection() { "; redirects are not followed: name the new URL" } else { "" })]
    Refused {
        /// What it answered.
        status: StatusCode,
    },
    /// It took too long.
    #[error("no answer within {} s", LIMIT.as_secs())]
    TooLong,
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Target({self})")
    }
}

/// Without what may be a secret.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.tls.is_some() { "https" } else { "http" };
        write!(f, "{scheme}://{}/…", self.authority)
    }
}

impl Target {
    /// Reads `http://` or `https://[USER:PASSWORD@]HOST[:PORT][/PATH[?QUERY]]`.
    ///
    /// # Errors
    /// What is wrong with it, without its text.
    pub(crate) fn parse(url: &str) -> Result<Self, TargetError> {
        let refuse = |what: &str| TargetError(what.to_owned());
        let uri: Uri = url.trim().parse().map_err(|_| refuse("this is no URL such as https://example.org/hook"))?;
        let with_tls = match uri.scheme_str() {
            Some("http") => false,
            Some("https") => true,
            _ => return Err(refuse("the URL must begin with http:// or https://")),
        };
        let host = uri.host().filter(|host| !host.is_empty()).ok_or_else(|| refuse("the URL names no host"))?;
        let bare = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let credentials = uri.authority().and_then(|all| all.as_str().rsplit_once('@')).map(|(user, _)| user);
        let credentials =
            credentials.map(|user| percent_decoded(user).ok_or_else(|| refuse("the part before @ is odd")));
        let tls = with_tls
            .then(|| {
                let name = ServerName::try_from(bare.clone());
                let name = name.map_err(|_| refuse("the URL's host is no name that a certificate could have"))?;
                Ok((connector().map_err(TargetError)?, name))
            })
            .transpose()?;
        let port = uri.port_u16();
        Ok(Self {
            authority: port.map_or_else(|| host.to_owned(), |port| format!("{host}:{port}")),
            port: port.unwrap_or(if with_tls { 443 } else { 80 }),
            host: bare,
            path: uri.path_and_query().map_or("/", |path| path.as_str()).to_owned(),
            credentials: credentials.transpose()?,
            tls,
        })
    }

    /// Sends a document, and waits until the receiver has taken it.
    ///
    /// # Errors
    /// Where it was not taken: it may have arrived nevertheless.
    pub(crate) async fn post(&self, document: String) -> Result<(), PostError> {
        let delivery = async {
            let stream = TcpStream::connect((self.host.as_str(), self.port)).await.map_err(PostError::Connect)?;
            match &self.tls {
                None => self.exchange(stream, document).await,
                Some((connector, name)) => {
                    let stream = connector.connect(name.clone(), stream).await.map_err(PostError::Tls)?;
                    self.exchange(stream, document).await
                }
            }
        };
        timeout(LIMIT, delivery).await.unwrap_or(Err(PostError::TooLong))
    }

    async fn exchange<S>(&self, stream: S, document: String) -> Result<(), PostError>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let (mut sender, connection) =
            hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(PostError::Broken)?;
        let exchange = async {
            let reply = sender.send_request(self.request(document)).await.map_err(PostError::Broken)?;
            let status = reply.status();
            // Read, so that the receiver sees a whole exchange; what it says beside its status is of no interest.
            let _ = Limited::new(reply.into_body(), LONGEST_REPLY).collect().await;
            if status.is_success() { Ok(()) } else { Err(PostError::Refused { status }) }
        };
        tokio::pin!(exchange);
        tokio::select! {
            outcome = &mut exchange => outcome,
            // The connection may end with the reply's last byte, before anybody has looked at the reply.
            _ = connection => exchange.await,
        }
    }

    fn request(&self, document: String) -> Request<Full<Bytes>> {
        let mut request = Request::new(Full::new(Bytes::from(document)));
        *request.method_mut() = hyper::Method::POST;
        // Both are pieces of a URL that has been read, so that they are what they must be.
        *request.uri_mut() = self.path.parse().unwrap_or_default();
        let authorization = self.credentials.as_ref().map(|user| format!("Basic {}", BASE64.encode(user.as_bytes())));
        let fields = [
            (HOST, Some(self.authority.clone())),
            (USER_AGENT, Some(PROGRAM.replace(' ', "/"))),
            (CONTENT_TYPE, Some("application/json".to_owned())),
            (AUTHORIZATION, authorization),
        ];
        for (name, value) in fields {
            if let Some(value) = value.and_then(|value| value.parse().ok()) {
                request.headers_mut().insert(name, value);
            }
        }
        request
    }
}

/// TLS as the machine's own programs trust it; `SSL_CERT_FILE` and `SSL_CERT_DIR` name other roots.
fn connector() -> Result<TlsConnector, String> {
    let mut roots = RootCertStore::empty();
    let found = rustls_native_certs::load_native_certs();
    let (taken, _) = roots.add_parsable_certificates(found.certs);
    if taken == 0 {
        return Err(
            "this machine has no certificates to check an https:// host with: install ca-certificates".to_owned()
        );
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = config.map_err(|error| format!("cannot set up TLS: {error}"))?;
    Ok(TlsConnector::from(Arc::new(config.with_root_certificates(roots).with_no_client_auth())))
}

/// `%40` as `@`; `None` where that gives no text.
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        rest = if *first == b'%' {
            let (digits, tail) = tail.split_at_checked(2)?;
            bytes.extend(data_encoding::HEXUPPER_PERMISSIVE.decode(digits).ok()?);
            tail
        } else {
            bytes.push(*first);
            tail
        };
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_is_shown_without_what_may_be_a_secret() {
        let target = Target::parse("http://me:s3cret@example.org:8080/T0KEN/x?key=v").unwrap();
        assert_eq!(target.to_string(), "http://example.org:8080/…");
        assert_eq!(format!("{target:?}"), "Target(http://example.org:8080/…)");
        assert_eq!((target.host.as_str(), target.port, target.path.as_str()), ("example.org", 8080, "/T0KEN/x?key=v"));
        assert_eq!(target.credentials.as_deref(), Some("me:s3cret"));
    }

    #[test]
    fn ports_paths_and_addresses_are_as_usual() {
        let target = Target::parse(" http://[::1] ").unwrap();
        assert_eq!((target.host.as_str(), target.port, target.path.as_str()), ("::1", 80, "/"));
        assert_eq!(target.authority, "[::1]");
        let target = Target::parse("http://a%40b:c%2fd@h/").unwrap();
        assert_eq!(target.credentials.as_deref(), Some("a@b:c/d"));
    }

    #[test]
    fn what_is_no_url_is_refused_without_being_repeated() {
        for url in ["", "s3cret", "ftp://s3cret/", "/s3cret", "http://", "http://s3cret%zz@h/", "http://s3cret b/"] {
            let error = Target::parse(url).unwrap_err().to_string();
            assert!(!error.contains("s3cret"), "{error}");
        }
    }

    #[test]
    fn a_request_is_one_for_the_path_with_the_facts_in_its_head() {
        let request = Target::parse("http://me:p@h:81/a?b").unwrap().request("{}".into());
        assert_eq!((request.method().as_str(), request.uri().to_string().as_str()), ("POST", "/a?b"));
        let field = |name: &str| request.headers()[name].to_str().unwrap().to_owned();
        assert_eq!((field("host"), field("content-type")), ("h:81".into(), "application/json".into()));
        // RFC 4648: "me:p" is 6d 65 3a 70, in base 64 bWU6cA==.
        assert_eq!(field("authorization"), "Basic bWU6cA==");
        assert!(field("user-agent").starts_with("netburn/"));
    }
}
