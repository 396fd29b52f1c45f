//! A figure as a picture of pixels, the same on every machine: the letters come with the program.

use std::sync::Arc;

use anyhow::Context as _;
use burn_report::figure::Figure;
use burn_report::svg::{Size, on_light_ground};
use epaint_default_fonts::UBUNTU_LIGHT;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb::Database};

/// How wide a picture is where nobody says: sharp on a screen with two pixels to a point.
pub(crate) const USUAL_WIDTH: u32 = 1440;

/// The figure as a PNG file, so many pixels wide. Letters that the font does not have are left out.
///
/// # Errors
/// Where there is no memory for so large a picture.
pub(crate) fn png(figure: &Figure, width: u32) -> anyhow::Result<Vec<u8>> {
    let mut fonts = Database::new();
    fonts.load_font_data(UBUNTU_LIGHT.to_vec());
    let family = fonts.faces().find_map(|face| Some(face.families.first()?.0.clone())).unwrap_or_default();
    let options = Options { fontdb: Arc::new(fonts), font_family: family, ..Options::default() };
    let svg = on_light_ground(figure, &Size::default());
    let tree = Tree::from_str(&svg, &options).context("the drawing cannot be read back")?;
    let scale = width_of(width) / tree.size().width();
    let size = tree.size().to_int_size().scale_to_width(width).context("a picture has at least one pixel")?;
    let mut picture =
        Pixmap::new(size.width(), size.height()).context("so large a picture does not fit into memory")?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut picture.as_mut());
    picture.encode_png().context("the picture cannot be packed")
}

#[expect(clippy::cast_precision_loss, reason = "a picture is some thousand pixels wide")]
const fn width_of(pixels: u32) -> f32 {
    pixels as f32
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use burn_report::figure::{Axis, Curve, Kind, Scale, Style, Subject, Tick, Tone, Unit};

    use super::*;

    fn figure(title: &str) -> Figure {
        let axis = |unit| Axis {
            label: String::new(),
            unit,
            scale: Scale::Linear,
            range: (0.0, 10.0),
            ticks: vec![Tick { at: 0.0, text: "0".to_owned() }],
        };
        let (x, y) = (vec![0.0, 10.0], vec![Some(0.0), Some(10.0)]);
        let curve = Curve { name: "rising".to_owned(), style: Style::Line, tone: Tone::Main, x, y };
        Figure {
            name: "goodput/tv".to_owned(),
            subject: Subject::Run,
            kind: Kind::Goodput,
            title: title.to_owned(),
            caption: String::new(),
            x: axis(Unit::Seconds),
            y: axis(Unit::Mbps),
            curves: vec![curve],
            bands: Vec::new(),
            levels: Vec::new(),
            marks: Vec::new(),
            stretches: Vec::new(),
        }
    }

    fn decoded(title: &str, width: u32) -> Pixmap {
        Pixmap::decode_png(&png(&figure(title), width).unwrap()).unwrap()
    }

    #[test]
    fn a_picture_has_the_width_that_was_asked_for_and_the_shape_of_the_drawing() {
        // The drawing is 720 by 280.
        for (width, height) in [(1440, 560), (360, 140)] {
            let picture = decoded("tv", width);
            assert_eq!((picture.width(), picture.height()), (width, height));
        }
    }

    #[test]
    fn a_picture_shows_the_curve_and_the_letters() {
        let picture = decoded("tv", 720);
        let colours: BTreeSet<_> =
            picture.pixels().iter().map(|pixel| (pixel.red(), pixel.green(), pixel.blue())).collect();
        // The curve's own blue, on white ground.
        assert!(colours.contains(&(0x00, 0x62, 0xa3)) && colours.contains(&(0xff, 0xff, 0xff)));
        // Other letters make other pixels: the font is there. What it has no letter for is no error.
        assert_ne!(picture.data(), decoded("it", 720).data());
        assert_eq!(decoded("<\u{0}日本>", 720).width(), 720);
    }
}
