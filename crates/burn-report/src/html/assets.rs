//! What draws the figures in a page, where this program was built with it: made of `ui/` by npm, taken from `ui/dist` by this
//! crate's build script.

/// The script that draws the figures; empty where the program was built without it.
pub const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/page.js"));

/// Its style sheet.
pub const STYLE: &str = include_str!(concat!(env!("OUT_DIR"), "/page.css"));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_and_style_sheet_can_stand_in_a_page_as_they_are() {
        // What ends such an element, and what has a parser look for another end (HTML §4.12.1.3).
        for stop in ["</script", "<script", "<!--"] {
            assert!(!SCRIPT.to_ascii_lowercase().contains(stop), "{stop}");
        }
        assert!(!STYLE.to_ascii_lowercase().contains("</style"));
    }

    #[test]
    fn script_and_style_sheet_name_no_other_place() {
        for text in [SCRIPT, STYLE] {
            for address in ["http:", "https:", "url(", "@import", "sourceMappingURL"] {
                assert!(!text.contains(address), "{address}");
            }
        }
    }

    #[test]
    fn they_are_there_both_or_not_at_all() {
        assert_eq!(SCRIPT.is_empty(), STYLE.is_empty());
    }
}
