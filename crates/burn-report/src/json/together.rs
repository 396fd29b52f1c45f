//! How well the devices were kept together, and what that cost.

use burn_model::run::{ControlledLink, RunRecord};
use serde::Serialize;

use crate::json::{millis, round};

/// How far apart the clients began.
#[derive(Serialize)]
pub(super) struct Start {
    clients: usize,
    skew_ms: Option<f64>,
    uncertainty_ms: Option<f64>,
}

impl Start {
    pub(super) fn of(run: &RunRecord) -> Option<Self> {
        let skew = run.start_skew()?;
        Some(Self {
            clients: skew.clients,
            skew_ms: round(millis(skew.skew)),
            uncertainty_ms: round(millis(skew.uncertainty)),
        })
    }
}

/// What control messages took while the load ran.
#[derive(Serialize)]
pub(super) struct Control {
    bytes: u64,
    rate_kbps: Option<f64>,
    link: Option<String>,
    link_rate_mbps: Option<f64>,
    share: Option<f64>,
}

impl Control {
    pub(super) fn of(run: &RunRecord) -> Option<Self> {
        let control = run.control()?;
        let link: Option<&ControlledLink> = control.link.as_ref();
        #[expect(clippy::cast_precision_loss, reason = "a rate over 2^53 bit/s is not shown to the bit")]
        let mbps = |link: &ControlledLink| link.rate_bps as f64 / 1e6;
        Some(Self {
            bytes: control.bytes,
            rate_kbps: round(control.bytes_per_second * 8.0 / 1e3),
            link: link.map(|link| link.name.clone()),
            link_rate_mbps: link.map(mbps).and_then(round),
            share: link.and_then(|link| round(link.share)),
        })
    }
}
