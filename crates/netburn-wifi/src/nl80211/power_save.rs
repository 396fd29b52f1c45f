//! Whether a radio sleeps between beacons: what the kernel's answer to `NL80211_CMD_GET_POWER_SAVE` tells.

use super::numbers::attr;
use crate::netlink::Attributes;

/// `enum nl80211_ps_state`: `NL80211_PS_DISABLED`, `NL80211_PS_ENABLED`; `None` where it is neither.
pub(crate) fn power_save(attributes: Attributes<'_>) -> Option<bool> {
    match attributes.u32(attr::PS_STATE)? {
        0 => Some(false),
        1 => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_and_off_are_told_and_nothing_else() {
        // An attribute: length 8 (header and value), kind 93 (NL80211_ATTR_PS_STATE), a number of 32 bits.
        let attribute = |kind: u16, state: u32| {
            let mut octets = 8_u16.to_ne_bytes().to_vec();
            octets.extend_from_slice(&kind.to_ne_bytes());
            octets.extend_from_slice(&state.to_ne_bytes());
            octets
        };
        let told = |kind, state| power_save(Attributes::new(&attribute(kind, state)));
        assert_eq!((told(93, 0), told(93, 1)), (Some(false), Some(true)));
        assert_eq!((told(93, 2), told(92, 1)), (None, None));
        assert_eq!(power_save(Attributes::new(&attribute(93, 1)[..6])), None, "cut off");
    }
}
