//! Text of any origin as XML text.

/// Text that stands between tags or in a quoted attribute. What XML cannot hold, or what would turn the reading direction of what
/// follows, becomes U+FFFD.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\r' | '\t' => safe.push(' '),
            // XML 1.0 §2.2, and Unicode's controls of direction (UAX #9 §2).
            letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => safe.push('\u{fffd}'),
            letter => safe.push(letter),
        }
    }
    safe
}

/// The beginning of a text that is no wider than so many columns, marked where something is missing.
pub(super) fn shortened(text: &str, columns: usize) -> String {
    use unicode_width::UnicodeWidthChar;
    let mut width = 0;
    let mut kept = String::new();
    for letter in text.chars() {
        width += letter.width().unwrap_or(0);
        if width > columns {
            // There is room for the mark once one column is given back.
            while kept.chars().map(|kept| kept.width().unwrap_or(0)).sum::<usize>() >= columns.max(1) {
                kept.pop();
            }
            kept.push('…');
            return kept;
        }
        kept.push(letter);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_somebody_named_is_markup() {
        assert_eq!(escaped("<b a='1' b=\"2\">&"), "&lt;b a=&#39;1&#39; b=&quot;2&quot;&gt;&amp;");
        assert_eq!(escaped("a\u{1b}[31m\0\nb\u{202e}c\u{ffff}"), "a\u{fffd}[31m\u{fffd} b\u{fffd}c\u{fffd}");
    }

    #[test]
    fn a_long_name_is_cut_where_the_room_ends() {
        assert_eq!(shortened("laptop", 6), "laptop");
        assert_eq!(shortened("laptops", 6), "lapto…");
        // Two columns each.
        assert_eq!(shortened("日本語", 5), "日本…");
        assert_eq!(shortened("日本語", 4), "日…");
    }
}
