//! What clients are called, and what a spiteful one would be called.

/// Markup, an end of a script, an order to a terminal, a formula, and letters that turn the reading direction.
pub(super) const TEXT: &str = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp; ]]> \u{1b}[31mred\u{7} \
                               \u{202e}desrever =HYPERLINK(\"http://192.0.2.9\") {{7*7}} ${7*7} \u{2028} %s\n\r\t`";

/// The longest text of a hostile run: a reason of a megabyte.
pub(super) fn long() -> String {
    format!("{TEXT}{}", "<b>long ".repeat(128 << 10))
}

/// The name of a client of a kind: `tv`, and of the second household `tv-2`.
pub(super) fn client(kind: &str, number: u32, hostile: bool) -> String {
    let plain = if number < 4 { kind.to_owned() } else { format!("{kind}-{}", number / 4 + 1) };
    if !hostile {
        return plain;
    }
    // A name has at most 64 characters, and no control characters: a plan with others is refused.
    let spite = match number % 4 {
        0 => "<script>alert(1)</script>",
        1 => "\"><img src=x onerror=alert(2)>",
        2 => "=1+1'&\u{202e}\u{2066}]]>",
        _ => "</title></style>{{7*7}}/../",
    };
    format!("{plain} {spite}")
}

/// The name of the network.
pub(super) const fn ssid(hostile: bool) -> &'static str {
    if hostile { "<svg onload=alert(3)>\u{1b}[2J" } else { "home" }
}
