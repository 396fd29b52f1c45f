//! The classes by which a style sheet knows what is drawn.

use crate::figure::{LevelKind, MarkKind, Style, Tone};

pub(super) fn tone_class(tone: Tone) -> String {
    match tone {
        Tone::Main => "tone-main".to_owned(),
        Tone::Second => "tone-second".to_owned(),
        Tone::Other(number) => format!("tone-other-{}", number % 6 + 1),
        Tone::Trouble => "tone-trouble".to_owned(),
    }
}

pub(super) const fn style_class(style: Style) -> &'static str {
    match style {
        Style::Line => "style-line",
        Style::Dashed => "style-dashed",
        Style::Steps => "style-steps",
        Style::Points => "style-points",
    }
}

pub(super) const fn level_word(kind: LevelKind) -> &'static str {
    match kind {
        LevelKind::Good => "good",
        LevelKind::Bad => "bad",
    }
}

pub(super) const fn mark_word(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Roam => "roam",
        MarkKind::Lost => "lost",
        MarkKind::Failure => "failure",
    }
}
