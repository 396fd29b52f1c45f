//! The link that lets a device join: `https://HOST:PORT/j/CODE.FINGERPRINT`.
//!
//! The code says which device of which run this is. The fingerprint (the first 128 bits of the SHA-256 of the
//! controller's certificate) says who may answer, so that nobody in between can. Both are in Crockford's base 32
//! (<https://www.crockford.com/base32.html>): no letter looks like a digit, and case does not matter, so that a
//! link may be read out or typed, and a QR code may use its compact mode for capital letters.

use std::fmt;
use std::str::FromStr;

use data_encoding::{Encoding, Specification};
use sha2::{Digest, Sha256};

/// Symbols of a code: 5 bits each.
pub const CODE_SYMBOLS: usize = 10;
/// Symbols of a fingerprint: 128 bits, and two more that are zero.
const FINGERPRINT_SYMBOLS: usize = 26;

const SYMBOLS: &str = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/// Lets a device join: 50 random bits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Code([u8; CODE_SYMBOLS]);

impl Code {
    /// The code that these random bytes make.
    #[must_use]
    pub fn from_random(bytes: [u8; CODE_SYMBOLS]) -> Self {
        let symbols = SYMBOLS.as_bytes();
        Self(bytes.map(|byte| symbols.get(usize::from(byte & 31)).copied().unwrap_or(b'0')))
    }

    /// Its symbols, as capital letters and digits.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; CODE_SYMBOLS] {
        &self.0
    }
}

impl FromStr for Code {
    type Err = LinkError;

    fn from_str(text: &str) -> Result<Self, LinkError> {
        let symbols = canonical(text).ok_or(LinkError::Code)?;
        symbols.as_bytes().try_into().map(Self).map_err(|_| LinkError::Code)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(&self.0))
    }
}

/// A code is a secret: logs and failed assertions must not show it.
impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Code(…)")
    }
}

/// Says which certificate is the right one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingerprint([u8; 16]);

impl Fingerprint {
    /// The fingerprint of a certificate in DER.
    #[must_use]
    pub fn of(certificate: &[u8]) -> Self {
        let digest: [u8; 32] = Sha256::digest(certificate).into();
        let mut first = [0; 16];
        first.copy_from_slice(&digest[..16]);
        Self(first)
    }

    /// Its bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }
}

impl FromStr for Fingerprint {
    type Err = LinkError;

    fn from_str(text: &str) -> Result<Self, LinkError> {
        let symbols = canonical(text).filter(|symbols| symbols.len() == FINGERPRINT_SYMBOLS);
        let bytes = symbols.and_then(|symbols| base32()?.decode(symbols.as_bytes()).ok());
        bytes.and_then(|bytes| bytes.try_into().ok()).map(Self).ok_or(LinkError::Fingerprint)
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&base32().map(|base32| base32.encode(&self.0)).unwrap_or_default())
    }
}

/// Capital letters and digits, with what people write for them put right; `None` where something else stands there.
fn canonical(text: &str) -> Option<String> {
    let symbol = |c: char| match c.to_ascii_uppercase() {
        'O' => Some('0'),
        'I' | 'L' => Some('1'),
        c => SYMBOLS.contains(c).then_some(c),
    };
    text.chars().map(symbol).collect()
}

fn base32() -> Option<Encoding> {
    let mut specification = Specification::new();
    specification.symbols.push_str(SYMBOLS);
    specification.encoding().ok()
}

/// Where and how a device joins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinLink {
    /// `HOST:PORT`, as in a URL.
    pub host: String,
    /// Which device of which run.
    pub code: Code,
    /// Who may answer.
    pub fingerprint: Fingerprint,
}

/// Why a text is no such link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Another scheme, or none.
    #[error("a link to join begins with https://")]
    Scheme,
    /// No host, or no port.
    #[error("a link to join names a host and a port: https://192.168.1.10:4040/j/…")]
    Host,
    /// Another path.
    #[error("a link to join goes on with /j/CODE.FINGERPRINT after the host; was it cut off?")]
    Path,
    /// The code has another length, or other characters.
    #[error("its code is not {CODE_SYMBOLS} letters and digits; was it cut off, or mistyped?")]
    Code,
    /// The fingerprint has another length, or other characters.
    #[error("its fingerprint is not {FINGERPRINT_SYMBOLS} letters and digits; was it cut off, or mistyped?")]
    Fingerprint,
}

impl JoinLink {
    /// What a QR code holds: all in capital letters, which takes a smaller one and means the same.
    #[must_use]
    pub fn compact(&self) -> String {
        self.to_string().to_ascii_uppercase()
    }
}

impl FromStr for JoinLink {
    type Err = LinkError;

    fn from_str(text: &str) -> Result<Self, LinkError> {
        let rest = text.trim().split_once("://").filter(|(scheme, _)| scheme.eq_ignore_ascii_case("https"));
        let (host, path) = rest.ok_or(LinkError::Scheme)?.1.split_once('/').ok_or(LinkError::Path)?;
        if !is_host_and_port(host) {
            return Err(LinkError::Host);
        }
        let secret = path.strip_prefix("j/").or_else(|| path.strip_prefix("J/")).ok_or(LinkError::Path)?;
        let (code, fingerprint) = secret.split_once('.').ok_or(LinkError::Path)?;
        Ok(Self { host: host.to_ascii_lowercase(), code: code.parse()?, fingerprint: fingerprint.parse()? })
    }
}

impl fmt::Display for JoinLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "https://{}/j/{}.{}", self.host, self.code, self.fingerprint)
    }
}

/// Whether this is `NAME:PORT`, `1.2.3.4:PORT` or `[::1]:PORT`, with nothing that could mean more in a URL or a header.
#[must_use]
pub fn is_host_and_port(text: &str) -> bool {
    let Some((host, port)) = text.rsplit_once(':') else { return false };
    let bracketed = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    let host_is_good = match bracketed {
        Some(inner) => inner.parse::<std::net::Ipv6Addr>().is_ok(),
        None => {
            !host.is_empty()
                && host.len() <= 253
                && host.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_'))
        }
    };
    host_is_good && port.bytes().all(|b| b.is_ascii_digit()) && port.parse::<u16>().is_ok_and(|port| port != 0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn link() -> JoinLink {
        let fingerprint = Fingerprint([0xff; 16]);
        JoinLink {
            host: "192.168.1.10:4040".into(),
            code: Code::from_random([0, 1, 2, 3, 4, 5, 6, 7, 8, 41]),
            fingerprint,
        }
    }

    #[test]
    fn a_link_is_as_the_manual_writes_it() {
        // 41 & 31 = 9. 128 ones are 25 symbols of five and one of three ones and two zeros: 11100 is 28, which is W.
        let text = "https://192.168.1.10:4040/j/0123456789.ZZZZZZZZZZZZZZZZZZZZZZZZZW";
        assert_eq!(link().to_string(), text);
        assert_eq!(text.parse(), Ok(link()));
        assert_eq!(link().compact().parse(), Ok(link()));
        // 37 columns of QR code hold 77 such characters.
        assert!(link().compact().len() <= 77);
    }

    #[test]
    fn letters_that_look_like_digits_are_those_digits() {
        for code in ["oI23456789", "0i23456789", "Ol23456789", "OL23456789"] {
            let text = format!("https://192.168.1.10:4040/j/{code}.zzzzzzzzzzzzzzzzzzzzzzzzzw");
            assert_eq!(text.parse(), Ok(link()));
        }
    }

    #[test]
    fn each_mistake_in_a_link_is_named() {
        let good = link().to_string();
        let cases = [
            (good.replace("https", "http"), LinkError::Scheme),
            ("192.168.1.10:4040/j/0".to_owned(), LinkError::Scheme),
            (good.replace(":4040", ""), LinkError::Host),
            (good.replace(":4040", ":0"), LinkError::Host),
            (good.replace("192.168.1.10", "a b"), LinkError::Host),
            (good.replace("192.168.1.10", "me@tv"), LinkError::Host),
            (good.replace("/j/", "/k/"), LinkError::Path),
            (good.replace('.', "").replace("19216811", "192"), LinkError::Path),
            (good.replace("0123456789", "012345678"), LinkError::Code),
            (good.replace("0123456789", "U123456789"), LinkError::Code),
            (good.replace("ZZW", "ZZ"), LinkError::Fingerprint),
            (good.replace("ZZW", "ZZZ"), LinkError::Fingerprint),
        ];
        for (text, error) in cases {
            assert_eq!(text.parse::<JoinLink>(), Err(error), "{text}");
        }
    }

    #[test]
    fn hosts_are_names_and_addresses_with_a_port() {
        for good in ["tv:1", "a-b.c_d:65535", "[::1]:4040", "10.0.0.1:80"] {
            assert!(is_host_and_port(good), "{good}");
        }
        for bad in ["tv", ":1", "tv:", "tv:65536", "tv:+1", "[::1]", "[x]:1", "::1:4", "a/b:1", "a\r\nb:1", "ä:1"] {
            assert!(!is_host_and_port(bad), "{bad}");
        }
    }

    #[test]
    fn a_fingerprint_is_of_the_certificates_sha_256() {
        // FIPS 180-2, appendix B.1: SHA-256("abc") begins with ba7816bf 8f01cfea 414140de 5dae2223.
        let bytes = [0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea, 0x41, 0x41, 0x40, 0xde, 0x5d, 0xae, 0x22, 0x23];
        assert_eq!(Fingerprint::of(b"abc"), Fingerprint(bytes));
    }

    proptest! {
        #[test]
        fn a_link_that_is_written_reads_back_and_nothing_panics(code: [u8; 10], fingerprint: [u8; 16], junk: String) {
            let fingerprint = Fingerprint(fingerprint);
            let link = JoinLink { host: "tv:4040".into(), code: Code::from_random(code), fingerprint };
            prop_assert_eq!(link.to_string().parse(), Ok(link.clone()));
            prop_assert_eq!(link.compact().parse(), Ok(link));
            let _ = junk.parse::<JoinLink>();
            let _ = format!("https://{junk}/j/{junk}.{junk}").parse::<JoinLink>();
        }
    }
}
