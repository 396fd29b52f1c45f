//! A figure as a static drawing: for a page where scripts are off, for print, and as a file of its own.
//!
//! A drawing has classes and no colours (`curve tone-main style-line`, `band`, `level good`, `mark roam`, `stretch stall`, `axis`,
//! `grid`, `label`), and no style attribute, so that a strict content security policy lets it be. What a curve is shows by
//! its dash and its name too. All text is escaped: names may come from another host.

mod classes;
mod draw;
mod escape;
mod frame;
mod legend;
mod measure;
mod style;

use crate::figure::Figure;
use draw::Drawing;
use escape::escaped;
pub use frame::Size;

const NAMESPACE: &str = "http://www.w3.org/2000/svg";
/// A heading's height, where there is one.
const HEADING: f64 = 26.0;
const SPARKLINE: Size = Size { width: 120, height: 28 };

/// A drawing for inside a page, which has the styles.
#[must_use]
pub fn render(figure: &Figure, size: &Size) -> String {
    let drawing = Drawing::of(figure, size, 0.0);
    format!("{}{}</svg>", opened(figure, drawing.width, drawing.height, ""), drawing.body)
}

/// A drawing that brings its own styles, for a light ground and a dark one: the text of an SVG file.
#[must_use]
pub fn standalone(figure: &Figure) -> String {
    with_style(figure, &Size::default(), &style::light_and_dark())
}

/// The same on a light ground alone, and without what only browsers know: to be made pixels of.
#[must_use]
pub fn on_light_ground(figure: &Figure, size: &Size) -> String {
    with_style(figure, size, &style::light())
}

fn with_style(figure: &Figure, size: &Size, style: &str) -> String {
    let drawing = Drawing::of(figure, size, HEADING);
    let (width, height) = (drawing.width, drawing.height);
    let opened = opened(figure, width, height, &format!(" width=\"{width}\" height=\"{height}\""));
    let heading = draw::heading(&figure.title, width);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{opened}<style>{style}</style><rect class=\"ground\" width=\"{width}\" \
         height=\"{height}\"/>{heading}{}</svg>\n",
        drawing.body
    )
}

/// The course of a figure's principal curve in the size of a word, with the goal's level; empty where there is no curve.
#[must_use]
pub fn sparkline(figure: &Figure) -> String {
    let Some(body) = draw::sparkline(figure, SPARKLINE) else { return String::new() };
    let size = format!(" width=\"{}\" height=\"{}\"", SPARKLINE.width, SPARKLINE.height);
    let (width, height) = (f64::from(SPARKLINE.width), f64::from(SPARKLINE.height));
    format!("{}{body}</svg>", opened_as("sparkline", &figure.title, None, width, height, &size))
}

fn opened(figure: &Figure, width: f64, height: f64, size: &str) -> String {
    opened_as("drawing", &figure.title, Some(&figure.caption), width, height, size)
}

fn opened_as(class: &str, title: &str, description: Option<&str>, width: f64, height: f64, size: &str) -> String {
    let title = escaped(title);
    let description = description.map(|text| format!("<desc>{}</desc>", escaped(text))).unwrap_or_default();
    format!(
        "<svg xmlns=\"{NAMESPACE}\" class=\"{class}\" viewBox=\"0 0 {width} {height}\"{size} role=\"img\" \
         aria-label=\"{title}\"><title>{title}</title>{description}"
    )
}
