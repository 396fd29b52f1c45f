//! The one way into a page: every value that a template writes passes here.
//!
//! Names, SSIDs, error texts and scenarios come from other hosts and from files that somebody sent. None of their characters
//! becomes markup, and none hides text or changes the order in which it is read.

use std::fmt::{self, Write};

use askama::filters::Escaper;

use crate::layout::shown;

/// No value is longer than this many characters in a page: whoever sends more shall not make it one that does not open.
const LONGEST: usize = 1 << 16;

/// Makes text harmless in an element and in a quoted attribute.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Clean;

impl Escaper for Clean {
    fn write_escaped_str<W: Write>(&self, mut page: W, text: &str) -> fmt::Result {
        for (place, c) in text.chars().enumerate() {
            if place >= LONGEST {
                return page.write_char('…');
            }
            match c {
                '&' => page.write_str("&amp;")?,
                '<' => page.write_str("&lt;")?,
                '>' => page.write_str("&gt;")?,
                '"' => page.write_str("&quot;")?,
                '\'' => page.write_str("&#39;")?,
                // A scenario keeps its lines.
                '\n' | '\t' => page.write_char(c)?,
                // It ends a line together with the newline, which stays.
                '\r' => {}
                c => shown(c).map_or(Ok(()), |c| page.write_char(c))?,
            }
        }
        Ok(())
    }
}

/// JSON that can stand in a script element: nothing in it ends the element or begins a comment, and nothing in its texts
/// hides or reorders other text. Whoever parses it gets the same document, its texts cleaned.
pub(super) fn in_script(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => text.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => text.extend(shown(c)),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn escaped(text: &str) -> String {
        let mut page = String::new();
        Clean.write_escaped_str(&mut page, text).unwrap();
        page
    }

    #[test]
    fn no_character_becomes_markup_or_hides_text() {
        assert_eq!(escaped("<b id=\"a\" on='b'>&amp;"), "&lt;b id=&quot;a&quot; on=&#39;b&#39;&gt;&amp;amp;");
        assert_eq!(escaped("\u{202E}live\u{200B}\u{0}\u{1b}[1m"), "\u{FFFD}live\u{FFFD}\u{FFFD}\u{FFFD}[1m");
        assert_eq!(escaped("a = 1\r\n\tb = 2"), "a = 1\n\tb = 2");
        let long = "<".repeat(LONGEST + 2);
        assert_eq!(escaped(&long).len(), LONGEST * "&lt;".len() + '…'.len_utf8(), "what is too long is cut");
        assert_eq!(escaped("20\u{A0}ms für 居間"), "20\u{A0}ms für 居間");
    }

    #[test]
    fn json_in_a_script_is_the_same_document_and_ends_no_element() {
        let texts = ["</script><!--", "a & b", "line\u{2028}end\u{2029}", "quote \" and \\ and \u{1b}"];
        let json = serde_json::to_string(&texts).unwrap();
        let inside = in_script(&json);
        assert!(!inside.contains(['<', '>', '&', '\u{2028}', '\u{2029}']), "{inside}");
        assert_eq!(serde_json::from_str::<Vec<String>>(&inside).unwrap(), texts);
    }
}
