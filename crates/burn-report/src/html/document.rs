//! What every page has around its content, and how a template becomes a page.

use askama::Template;

use super::{assets, escape, policy};

/// The style sheet of every page; a script's own stands after it.
const STYLE: &str = include_str!("../../templates/page.css");

/// What every page has around its content.
pub(super) struct Document {
    /// What the browser calls it.
    pub(super) title: String,
    pub(super) policy: String,
    pub(super) style: String,
    pub(super) script: &'static str,
    /// The figures, as JSON that can stand in a script element.
    pub(super) figures: String,
}

impl Document {
    pub(super) fn new(name: &str, figures: &str) -> Self {
        let style = [STYLE, assets::STYLE].join("\n");
        Self {
            title: format!("{name} – netburn"),
            policy: policy::policy(assets::SCRIPT, &style),
            style,
            script: assets::SCRIPT,
            figures: escape::in_script(figures),
        }
    }
}

#[expect(clippy::expect_used, reason = "only writing can fail, and writing into a String cannot")]
pub(super) fn written(page: &impl Template) -> String {
    page.render().expect("a page is only text")
}
