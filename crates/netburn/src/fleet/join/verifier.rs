//! Who may answer: the one certificate that the link names, and nobody else's, whoever has signed it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, PeerIncompatible, SignatureScheme};
use subtle::ConstantTimeEq;

use crate::fleet::address::Fingerprint;

/// A TLS 1.3 client that takes the certificate with this fingerprint, and says afterwards whether another one came.
pub(super) fn client(fingerprint: Fingerprint) -> Result<(Arc<ClientConfig>, Arc<Verifier>), Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier =
        Arc::new(Verifier { fingerprint, provider: Arc::clone(&provider), other_came: AtomicBool::new(false) });
    let config = ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13])?
        .dangerous()
        .with_custom_certificate_verifier(Arc::clone(&verifier) as Arc<dyn ServerCertVerifier>)
        .with_no_client_auth();
    Ok((Arc::new(config), verifier))
}

/// Knows one certificate by its fingerprint. Names and dates in it mean nothing.
#[derive(Debug)]
pub(super) struct Verifier {
    fingerprint: Fingerprint,
    provider: Arc<CryptoProvider>,
    other_came: AtomicBool,
}

impl Verifier {
    /// Whether somebody answered who is not the one that the link names.
    pub(super) fn other_came(&self) -> bool {
        self.other_came.load(Ordering::Relaxed)
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let theirs = Fingerprint::of(end_entity);
        if bool::from(theirs.as_bytes().ct_eq(self.fingerprint.as_bytes())) {
            return Ok(ServerCertVerified::assertion());
        }
        self.other_came.store(true, Ordering::Relaxed);
        Err(CertificateError::ApplicationVerificationFailure.into())
    }

    fn verify_tls12_signature(
        &self,
        _message: &[u8],
        _certificate: &CertificateDer<'_>,
        _signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        Err(PeerIncompatible::Tls12NotOffered.into())
    }

    /// Whoever answers must have the certificate's key, not only the certificate.
    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
