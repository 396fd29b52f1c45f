//! The table of labels.

use super::ClassRadio;
use crate::Band::{self, Ghz2, Ghz5, Ghz6};
use crate::beacon::Generation::{self, Wifi4, Wifi5, Wifi6, Wifi7};
use crate::phy::Modulation::{self, Qam64, Qam256, Qam1024, Qam4096};

/// What one label usually stands for.
pub(super) struct Class {
    pub(super) generation: Generation,
    pub(super) six_ghz: bool,
    pub(super) total_mbps: u32,
    pub(super) radios: &'static [ClassRadio],
}

/// The usual meanings. A test adds each one up.
pub(super) const CLASSES: [Class; 34] = [
    class(Wifi4, 150, &[n(Ghz2, 1)]),
    class(Wifi4, 300, &[n(Ghz2, 2)]),
    class(Wifi4, 450, &[n(Ghz2, 3)]),
    class(Wifi4, 600, &[n(Ghz2, 2), n(Ghz5, 2)]),
    class(Wifi4, 900, &[n(Ghz2, 3), n(Ghz5, 3)]),
    class(Wifi5, 600, &[n(Ghz2, 1), ac(1, Qam256)]),
    class(Wifi5, 750, &[n(Ghz2, 2), ac(1, Qam256)]),
    class(Wifi5, 1200, &[n(Ghz2, 2), ac(2, Qam256)]),
    class(Wifi5, 1300, &[n_finer(2, Qam256), ac(2, Qam256)]),
    class(Wifi5, 1350, &[n(Ghz2, 3), ac(2, Qam256)]),
    class(Wifi5, 1750, &[n(Ghz2, 3), ac(3, Qam256)]),
    class(Wifi5, 1900, &[n_finer(3, Qam256), ac(3, Qam256)]),
    class(Wifi5, 2300, &[n_finer(3, Qam256), ac(3, Qam1024)]),
    class(Wifi5, 2600, &[n_finer(4, Qam256), ac(4, Qam256)]),
    class(Wifi5, 3150, &[n_finer(4, Qam1024), ac(4, Qam1024)]),
    class(Wifi5, 3200, &[n_finer(3, Qam256), ac(3, Qam256), ac(3, Qam256)]),
    class(Wifi5, 4000, &[n_finer(3, Qam1024), ac(3, Qam1024), ac(3, Qam1024)]),
    class(Wifi5, 5300, &[n_finer(4, Qam1024), ac(4, Qam1024), ac(4, Qam1024)]),
    class(Wifi5, 5400, &[n_finer(4, Qam1024), ac(4, Qam1024), ac(4, Qam1024)]),
    class(Wifi6, 1500, &[radio(Ghz2, Wifi4, 40, 2, Qam64), ax(Ghz5, 80, 2)]),
    class(Wifi6, 1800, &[ax(Ghz2, 40, 2), ax(Ghz5, 80, 2)]),
    class(Wifi6, 3000, &[ax(Ghz2, 40, 2), ax(Ghz5, 160, 2)]),
    class(Wifi6, 5400, &[ax(Ghz2, 40, 2), ax(Ghz5, 160, 4)]),
    class(Wifi6, 6000, &[ax(Ghz2, 40, 4), ax(Ghz5, 160, 4)]),
    class(Wifi6, 6600, &[ax(Ghz2, 40, 2), ax(Ghz5, 80, 2), ax(Ghz5, 160, 4)]),
    class(Wifi6, 11000, &[ax(Ghz2, 40, 4), ax(Ghz5, 160, 4), ax(Ghz5, 160, 4)]),
    class_6e(5400, &[ax(Ghz2, 40, 2), ax(Ghz5, 160, 2), ax(Ghz6, 160, 2)]),
    class_6e(7800, &[ax(Ghz2, 40, 2), ax(Ghz5, 160, 4), ax(Ghz6, 160, 2)]),
    class_6e(11000, &[ax(Ghz2, 40, 4), ax(Ghz5, 160, 4), ax(Ghz6, 160, 4)]),
    class(Wifi7, 3600, &[be(Ghz2, 40, 2), be(Ghz5, 160, 2)]),
    class(Wifi7, 6500, &[be(Ghz2, 40, 2), be(Ghz5, 160, 4)]),
    class(Wifi7, 7200, &[be(Ghz2, 40, 4), be(Ghz5, 160, 4)]),
    class(Wifi7, 9300, &[be(Ghz2, 40, 2), be(Ghz5, 160, 2), be(Ghz6, 320, 2)]),
    class(Wifi7, 19000, &[be(Ghz2, 40, 4), be(Ghz5, 160, 4), be(Ghz6, 320, 4)]),
];

const fn radio(band: Band, generation: Generation, width_mhz: u32, streams: u8, modulation: Modulation) -> ClassRadio {
    ClassRadio { band, generation, width_mhz, streams, modulation }
}

/// Wi-Fi 4 on either band, 40 MHz: 150 Mbps for each stream.
const fn n(band: Band, streams: u8) -> ClassRadio {
    radio(band, Wifi4, 40, streams, Qam64)
}

/// Wi-Fi 5 boxes on 2.4 GHz with a finer modulation than the standard has there: 200 or 250 Mbps for each stream.
const fn n_finer(streams: u8, modulation: Modulation) -> ClassRadio {
    radio(Ghz2, Wifi5, 40, streams, modulation)
}

/// Wi-Fi 5, 80 MHz: 433 Mbps for each stream (542 with 1024-QAM).
const fn ac(streams: u8, modulation: Modulation) -> ClassRadio {
    radio(Ghz5, Wifi5, 80, streams, modulation)
}

const fn ax(band: Band, width_mhz: u32, streams: u8) -> ClassRadio {
    radio(band, Wifi6, width_mhz, streams, Qam1024)
}

const fn be(band: Band, width_mhz: u32, streams: u8) -> ClassRadio {
    radio(band, Wifi7, width_mhz, streams, Qam4096)
}

const fn class(generation: Generation, total_mbps: u32, radios: &'static [ClassRadio]) -> Class {
    Class { generation, six_ghz: false, total_mbps, radios }
}

const fn class_6e(total_mbps: u32, radios: &'static [ClassRadio]) -> Class {
    Class { generation: Wifi6, six_ghz: true, total_mbps, radios }
}
