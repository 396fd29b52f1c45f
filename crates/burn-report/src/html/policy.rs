//! What a page may do: run the one script and use the one style sheet that stand in it, and nothing else. Nothing is fetched.

use data_encoding::BASE64;
use sha2::{Digest, Sha256};

/// The page's content security policy (W3C Content Security Policy Level 3). An empty script is no script.
pub(super) fn policy(script: &str, style: &str) -> String {
    let scripts = if script.is_empty() { "'none'".to_owned() } else { hash(script) };
    format!(
        "default-src 'none'; script-src {scripts}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        hash(style)
    )
}

/// The hash by which a policy names a text (CSP3 §6.7.2.3).
fn hash(text: &str) -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(text.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_named_by_its_digest() {
        // The example of CSP3 §8.3 (and of `printf %s "alert('Hello, world.');" | openssl dgst -sha256 -binary | base64`).
        assert_eq!(hash("alert('Hello, world.');"), "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='");
    }

    #[test]
    fn a_page_without_a_script_may_run_none() {
        assert!(policy("", "a{}").contains("script-src 'none';"));
    }
}
