//! Who may join as whom: the slots of a run, their codes, and who has taken them.
//!
//! Pure: time and randomness are arguments. Every code is good for one device. Where that device leaves before the run,
//! its slot gets a new code; where its connection is lost, it comes again with its own session's secret.

use std::time::Duration;

use burn_model::time::nanos;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};

use crate::control::message;
use crate::fleet::address::Code;
use crate::fleet::greeting::{self, Greeting, Refusal};

/// For how long a code lets a device join.
pub const CODE_LIFE: Duration = Duration::from_secs(3600);

/// A session's own secret.
pub(super) type Secret = [u8; 16];

/// The slots of one run.
#[derive(Debug)]
pub(super) struct Desk {
    slots: Vec<Slot>,
    started: bool,
    program: String,
}

#[derive(Debug)]
struct Slot {
    name: String,
    code: Code,
    issued_at: u64,
    taken: Option<Secret>,
}

/// What a right greeting leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admitted {
    /// A device takes the slot.
    Joins,
    /// It has the slot, and goes on after having heard so much.
    Resumes {
        /// How far the device has heard.
        heard: u64,
    },
}

impl Desk {
    /// Slots with these names and codes, all free. `program` is ours, for who has another.
    pub(super) fn new(slots: Vec<(String, Code)>, program: String, now: u64) -> Self {
        let slots = slots.into_iter().map(|(name, code)| Slot { name, code, issued_at: now, taken: None }).collect();
        Self { slots, started: false, program }
    }

    /// The slot that a code is for. Takes as long for any code, right or wrong.
    pub(super) fn find(&self, code: &Code) -> Option<usize> {
        let mut found = 0_u64;
        let mut any = Choice::from(0);
        for (slot, i) in self.slots.iter().zip(0_u64..) {
            let same = slot.code.as_bytes().ct_eq(code.as_bytes());
            found.conditional_assign(&i, same);
            any |= same;
        }
        bool::from(any).then(|| usize::try_from(found).ok()).flatten()
    }

    /// Takes the slot for who greets, or says why not.
    pub(super) fn admit(&mut self, slot: usize, greeting: &Greeting, now: u64) -> Result<Admitted, Refusal> {
        let Greeting { version, control, name, session, resumes_at, .. } = greeting;
        if (*version, *control) != (greeting::VERSION, message::VERSION) {
            return Err(Refusal::Version { program: self.program.clone() });
        }
        let secret = secret(session).ok_or(Refusal::NotUnderstood)?;
        let started = self.started;
        let slot = self.slots.get_mut(slot).ok_or(Refusal::NotUnderstood)?;
        if name.as_ref().is_some_and(|name| *name != slot.name) {
            return Err(Refusal::OtherName { name: slot.name.clone() });
        }
        match (&slot.taken, resumes_at) {
            // A welcome that was lost on its way is asked for again without a position.
            (Some(taken), _) if bool::from(taken.ct_eq(&secret)) => {
                Ok(Admitted::Resumes { heard: resumes_at.unwrap_or(0) })
            }
            (_, Some(_)) => Err(Refusal::GivenUp),
            (Some(_), None) => Err(Refusal::Used),
            (None, None) if started => Err(Refusal::Started),
            (None, None) if now.saturating_sub(slot.issued_at) >= nanos(CODE_LIFE) => Err(Refusal::Expired),
            (None, None) => {
                slot.taken = Some(secret);
                Ok(Admitted::Joins)
            }
        }
    }

    /// Frees the slot of a device that has left; only its new code is good from here on.
    pub(super) fn release(&mut self, slot: usize, code: Code, now: u64) {
        if let Some(slot) = self.slots.get_mut(slot) {
            *slot = Slot { name: std::mem::take(&mut slot.name), code, issued_at: now, taken: None };
        }
    }

    /// From here on nobody new is let in.
    pub(super) fn start(&mut self) {
        self.started = true;
    }

    /// Whether nobody new is let in any more.
    pub(super) const fn is_started(&self) -> bool {
        self.started
    }

    /// Each slot: its name, its code, and whether a device has it.
    pub(super) fn slots(&self) -> impl Iterator<Item = (&str, Code, bool)> {
        self.slots.iter().map(|slot| (slot.name.as_str(), slot.code, slot.taken.is_some()))
    }

    /// The name of a slot.
    pub(super) fn name(&self, slot: usize) -> &str {
        self.slots.get(slot).map_or("", |slot| slot.name.as_str())
    }

    /// How many slots no device has.
    pub(super) fn missing(&self) -> usize {
        self.slots.iter().filter(|slot| slot.taken.is_none()).count()
    }
}

fn secret(hexadecimal: &str) -> Option<Secret> {
    data_encoding::HEXLOWER.decode(hexadecimal.as_bytes()).ok()?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = 3_600_000_000_000;

    fn code(first: u8) -> Code {
        Code::from_random([first, 0, 0, 0, 0, 0, 0, 0, 0, 0])
    }

    fn desk() -> Desk {
        let slots = vec![("tv".to_owned(), code(1)), ("phone".to_owned(), code(2))];
        Desk::new(slots, "netburn 9".to_owned(), 0)
    }

    fn greeting(session: u8) -> Greeting {
        Greeting {
            version: greeting::VERSION,
            control: message::VERSION,
            program: "netburn 9".into(),
            name: None,
            session: data_encoding::HEXLOWER.encode(&[session; 16]),
            resumes_at: None,
        }
    }

    #[test]
    fn a_code_finds_its_own_slot_and_no_other() {
        let desk = desk();
        assert_eq!((desk.find(&code(1)), desk.find(&code(2)), desk.find(&code(3))), (Some(0), Some(1), None));
    }

    #[test]
    fn a_slot_is_taken_once_and_only_its_own_session_comes_again() {
        let mut desk = desk();
        assert_eq!(desk.admit(1, &greeting(7), 0), Ok(Admitted::Joins));
        assert_eq!(desk.missing(), 1);
        assert_eq!(desk.admit(1, &greeting(8), 0), Err(Refusal::Used));
        let again = |session| Greeting { resumes_at: Some(55), ..greeting(session) };
        assert_eq!(desk.admit(1, &again(7), 0), Ok(Admitted::Resumes { heard: 55 }));
        assert_eq!(desk.admit(1, &again(8), 0), Err(Refusal::GivenUp));
        assert_eq!(desk.admit(0, &again(7), 0), Err(Refusal::GivenUp), "the other slot is not its own");
        assert_eq!(desk.admit(1, &greeting(7), 0), Ok(Admitted::Resumes { heard: 0 }), "its welcome was lost");
    }

    #[test]
    fn who_leaves_frees_the_slot_for_a_new_code_alone() {
        let mut desk = desk();
        desk.admit(0, &greeting(7), 0).unwrap();
        desk.release(0, code(9), 5);
        assert_eq!((desk.find(&code(1)), desk.find(&code(9)), desk.missing()), (None, Some(0), 2));
        assert_eq!(desk.admit(0, &greeting(7), 6), Ok(Admitted::Joins));
        assert_eq!(desk.name(0), "tv");
    }

    #[test]
    fn nobody_new_comes_in_after_the_start_and_who_is_in_comes_again() {
        let mut desk = desk();
        desk.admit(0, &greeting(7), 0).unwrap();
        desk.start();
        assert_eq!(desk.admit(1, &greeting(8), 1), Err(Refusal::Started));
        let again = Greeting { resumes_at: Some(0), ..greeting(7) };
        assert_eq!(desk.admit(0, &again, 2 * HOUR), Ok(Admitted::Resumes { heard: 0 }));
    }

    #[test]
    fn a_code_is_good_for_an_hour() {
        assert_eq!(desk().admit(0, &greeting(7), HOUR - 1), Ok(Admitted::Joins));
        assert_eq!(desk().admit(0, &greeting(7), HOUR), Err(Refusal::Expired));
    }

    #[test]
    fn what_a_device_says_of_itself_must_fit() {
        let refused = |change: fn(&mut Greeting)| {
            let mut greeting = greeting(7);
            change(&mut greeting);
            desk().admit(0, &greeting, 0).unwrap_err()
        };
        let version = Refusal::Version { program: "netburn 9".into() };
        assert_eq!(refused(|greeting| greeting.version += 1), version);
        assert_eq!(refused(|greeting| greeting.control += 1), version);
        assert_eq!(refused(|greeting| greeting.name = Some("phone".into())), Refusal::OtherName { name: "tv".into() });
        assert_eq!(refused(|greeting| greeting.session.push('0')), Refusal::NotUnderstood);
        assert_eq!(refused(|greeting| greeting.session = "x".repeat(32)), Refusal::NotUnderstood);
        let named = Greeting { name: Some("tv".into()), ..greeting(7) };
        assert_eq!(desk().admit(0, &named, 0), Ok(Admitted::Joins));
    }
}
