//! Elements: number, length, value (9.4.2.1).

pub(super) const SSID: u8 = 0; // 9.4.2.2
pub(super) const DSSS_PARAMETER_SET: u8 = 3; // 9.4.2.4
pub(super) const COUNTRY: u8 = 7; // 9.4.2.8
pub(super) const BSS_LOAD: u8 = 11; // 9.4.2.27
pub(super) const HT_CAPABILITIES: u8 = 45; // 9.4.2.55
pub(super) const RSN: u8 = 48; // 9.4.2.24
pub(super) const MOBILITY_DOMAIN: u8 = 54; // 9.4.2.46
pub(super) const HT_OPERATION: u8 = 61; // 9.4.2.56
pub(super) const RM_ENABLED_CAPABILITIES: u8 = 70; // 9.4.2.44
pub(super) const MESH_CONFIGURATION: u8 = 113; // 9.4.2.97
pub(super) const MESH_ID: u8 = 114; // 9.4.2.98
pub(super) const EXTENDED_CAPABILITIES: u8 = 127; // 9.4.2.26
pub(super) const VHT_CAPABILITIES: u8 = 191; // 9.4.2.157
pub(super) const VHT_OPERATION: u8 = 192; // 9.4.2.158
pub(super) const VENDOR_SPECIFIC: u8 = 221; // 9.4.2.25
/// The number of elements whose first octet of value is a number of its own.
const EXTENSION: u8 = 255;

// Numbers within `EXTENSION`.
pub(super) const HE_CAPABILITIES: u8 = 35; // IEEE 802.11ax-2021, 9.4.2.248
pub(super) const HE_OPERATION: u8 = 36; // IEEE 802.11ax-2021, 9.4.2.249
pub(super) const EHT_OPERATION: u8 = 106; // IEEE 802.11be-2024, EHT Operation element
pub(super) const EHT_CAPABILITIES: u8 = 108; // IEEE 802.11be-2024, EHT Capabilities element

/// A sequence of elements, up to the first that is cut short.
#[derive(Clone, Copy, Debug)]
pub(super) struct Elements<'a>(&'a [u8]);

impl<'a> Elements<'a> {
    pub(super) const fn new(octets: &'a [u8]) -> Self {
        Self(octets)
    }

    /// The value of the first element with that number.
    pub(super) fn first(mut self, number: u8) -> Option<&'a [u8]> {
        self.find(|(found, _)| *found == number).map(|(_, value)| value)
    }

    /// The value of the first extended element with that number, after the number.
    pub(super) fn first_extended(mut self, number: u8) -> Option<&'a [u8]> {
        self.find_map(|(found, value)| {
            let (extension, rest) = value.split_first()?;
            (found == EXTENSION && *extension == number).then_some(rest)
        })
    }

    /// Whether a bit of a field of bits is set, counted from the first octet's lowest; bits past its end are not.
    pub(super) fn bit(self, number: u8, bit: usize) -> bool {
        let octet = self.first(number).and_then(|bits| bits.get(bit / 8));
        octet.is_some_and(|octet| octet >> (bit % 8) & 1 == 1)
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = (u8, &'a [u8]);

    fn next(&mut self) -> Option<Self::Item> {
        let (&[number, length], rest) = self.0.split_first_chunk::<2>()?;
        let Some((value, rest)) = rest.split_at_checked(usize::from(length)) else {
            self.0 = &[];
            return None;
        };
        self.0 = rest;
        Some((number, value))
    }
}
