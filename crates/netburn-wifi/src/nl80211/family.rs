//! Which numbers nl80211 and its multicast groups have on this machine: they are given out as modules are loaded.

use super::numbers::{CTRL_ATTR_FAMILY_ID, CTRL_ATTR_MCAST_GROUPS, CTRL_ATTR_MCAST_GRP_ID, CTRL_ATTR_MCAST_GRP_NAME};
use crate::netlink::Attributes;

/// A generic netlink family, as `CTRL_CMD_NEWFAMILY` describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Family {
    pub(crate) id: u16,
    groups: Vec<(String, u32)>,
}

impl Family {
    pub(crate) fn read(attributes: Attributes<'_>) -> Option<Self> {
        let id = attributes.u16(CTRL_ATTR_FAMILY_ID)?;
        // A list: each group is an attribute whose type is its place in the list.
        let listed = attributes.nested(CTRL_ATTR_MCAST_GROUPS).unwrap_or_default();
        let groups = listed.filter_map(|(_, group)| {
            let group = Attributes::new(group);
            Some((group.text(CTRL_ATTR_MCAST_GRP_NAME)?.to_owned(), group.u32(CTRL_ATTR_MCAST_GRP_ID)?))
        });
        Some(Self { id, groups: groups.collect() })
    }

    /// The number of a multicast group.
    pub(crate) fn group(&self, name: &str) -> Option<u32> {
        self.groups.iter().find(|(found, _)| found == name).map(|(_, id)| *id)
    }
}
