//! The lobby's certificate: made at its start, signed by itself, gone with it. Who it is, its fingerprint says, which
//! stands in every link.

use std::sync::Arc;

use rcgen::{CertificateParams, KeyPair};
use rustls::ServerConfig;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use tokio_rustls::TlsAcceptor;

use super::LobbyError;
use crate::fleet::address::Fingerprint;

/// A TLS 1.3 server with a fresh certificate, and the fingerprint of that.
pub(super) fn fresh() -> Result<(TlsAcceptor, Fingerprint), LobbyError> {
    let failed = |error: &dyn std::fmt::Display| LobbyError::Certificate(error.to_string());
    let key = KeyPair::generate().map_err(|error| failed(&error))?;
    // The name stands for nothing: nobody looks at it.
    let parameters = CertificateParams::new(vec!["netburn".to_owned()]).map_err(|error| failed(&error))?;
    let certificate = parameters.self_signed(&key).map_err(|error| failed(&error))?;
    let fingerprint = Fingerprint::of(certificate.der());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])
        .map_err(|error| failed(&error))?
        .with_no_client_auth()
        .with_single_cert(
            vec![certificate.der().clone()],
            PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der())),
        )
        .map_err(|error| failed(&error))?;
    // Every device comes once, or with a connection that was lost: nothing is kept for strangers.
    config.send_tls13_tickets = 0;
    config.session_storage = Arc::new(rustls::server::NoServerSessionStorage {});
    Ok((TlsAcceptor::from(Arc::new(config)), fingerprint))
}

/// Random bytes from the operating system.
pub(in crate::fleet) fn random<const N: usize>() -> Result<[u8; N], LobbyError> {
    let mut bytes = [0; N];
    let filled = rustls::crypto::ring::default_provider().secure_random.fill(&mut bytes);
    filled.map_err(|_| LobbyError::Random)?;
    Ok(bytes)
}
