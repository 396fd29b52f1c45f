//! The lab as its users see it. These tests need root and iproute2, and fail without.

#[cfg(test)]
mod leftovers;
#[cfg(test)]
mod radios;
#[cfg(test)]
mod support;
