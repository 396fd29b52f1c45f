//! What a person needs to let devices join: a command for each, and a picture of its link.

use std::fmt::Write;

use super::qr;
use crate::fleet::address::JoinLink;

/// The columns that a picture may take.
const COLUMNS: usize = 80;

/// The devices that may still join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invitation {
    /// One for each free slot.
    pub guests: Vec<Guest>,
}

/// A device that may join.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guest {
    /// As whom.
    pub name: String,
    /// How.
    pub link: JoinLink,
}

impl Guest {
    /// What to type at the device.
    #[must_use]
    pub fn command(&self) -> String {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        if !self.name.is_empty() && !self.name.starts_with('-') && self.name.chars().all(plain) {
            format!("netburn join {} --as {}", self.link, self.name)
        } else {
            // The code says already which device it is; a name that a shell would take apart is left away.
            format!("netburn join {}", self.link)
        }
    }

    /// The link as a QR code of half blocks, for a terminal. `None` where it would not fit.
    #[must_use]
    pub fn picture(&self) -> Option<String> {
        qr::picture(&self.link.compact(), COLUMNS)
    }
}

impl Invitation {
    /// All as text. Pictures are only for terminals.
    #[must_use]
    pub fn text(&self, with_pictures: bool) -> String {
        let mut text = String::new();
        for guest in &self.guests {
            let _ = writeln!(text, "On {}, type:\n\n    {}\n", guest.name, guest.command());
            if let Some(picture) = guest.picture().filter(|_| with_pictures) {
                let _ = writeln!(text, "{picture}");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guest(name: &str) -> Guest {
        let link = "https://192.168.1.10:4040/j/0123456789.ZZZZZZZZZZZZZZZZZZZZZZZZZW".parse().unwrap();
        Guest { name: name.to_owned(), link }
    }

    #[test]
    fn the_command_names_the_device_where_a_shell_takes_the_name_as_it_is() {
        let link = "https://192.168.1.10:4040/j/0123456789.ZZZZZZZZZZZZZZZZZZZZZZZZZW";
        assert_eq!(guest("tv").command(), format!("netburn join {link} --as tv"));
        for name in ["living room", "$(reboot)", "-h", ""] {
            assert_eq!(guest(name).command(), format!("netburn join {link}"));
        }
    }

    #[test]
    fn without_pictures_there_is_one_command_for_each() {
        let text = Invitation { guests: vec![guest("tv"), guest("phone")] }.text(false);
        assert_eq!(text.matches("netburn join").count(), 2);
        assert!(text.is_ascii());
    }
}
