//! Where things go: the plot's box, and places on its axes.

use crate::figure::{Axis, Scale};

/// How large a drawing is, in its own units: pixels, unless whoever shows it scales it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Width; less than 200 counts as 200.
    pub width: u32,
    /// Height; less than 120 counts as 120.
    pub height: u32,
}

impl Default for Size {
    fn default() -> Self {
        Self { width: 720, height: 280 }
    }
}

/// The box in which curves are drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl Frame {
    /// The place of a number on the horizontal axis, within the box.
    pub(super) fn x(&self, axis: &Axis, at: f64) -> f64 {
        self.left + share_of(axis, at) * (self.right - self.left)
    }

    /// The place of a number on the vertical axis, within the box.
    pub(super) fn y(&self, axis: &Axis, at: f64) -> f64 {
        self.bottom - share_of(axis, at) * (self.bottom - self.top)
    }
}

/// How far along an axis a number lies, 0 to 1; beyond its ends, at its ends.
fn share_of(axis: &Axis, at: f64) -> f64 {
    let place = |at: f64| match axis.scale {
        Scale::Linear => at,
        Scale::Logarithmic => at.max(f64::MIN_POSITIVE).log10(),
        Scale::Nines => -(1.0 - at).max(1e-15).log10(),
    };
    let (from, to) = (place(axis.range.0), place(axis.range.1));
    let share = (place(at) - from) / (to - from);
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Unit;

    fn axis(scale: Scale, range: (f64, f64)) -> Axis {
        Axis { label: String::new(), unit: Unit::Share, scale, range, ticks: Vec::new() }
    }

    #[test]
    fn a_place_is_where_its_scale_says() {
        let frame = Frame { left: 0.0, right: 300.0, top: 0.0, bottom: 300.0 };
        let close = |a: f64, b: f64| (a - b).abs() < 1e-6;
        assert!(close(frame.x(&axis(Scale::Linear, (0.0, 60.0)), 20.0), 100.0));
        // 10 to 10,000 are three decades.
        assert!(close(frame.y(&axis(Scale::Logarithmic, (10.0, 10_000.0)), 100.0), 200.0));
        // 0 to 0.999 are three nines.
        assert!(close(frame.x(&axis(Scale::Nines, (0.0, 0.999)), 0.99), 200.0));
        assert!(close(frame.x(&axis(Scale::Linear, (0.0, 60.0)), 90.0), 300.0), "beyond the end is at the end");
        assert!(close(frame.x(&axis(Scale::Linear, (5.0, 5.0)), 5.0), 0.0), "an axis without length has one place");
    }
}
