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
