//! Walks a TOML table: which keys are allowed, what each value must be, and where it stands.
//!
//! Every reader reports what is wrong to the [`Problems`] and then gives `None`, so that one pass finds everything.

use std::ops::RangeInclusive;
use std::time::Duration;

use burn_model::units::{BitRate, ByteSize, parse_duration};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::diagnostic::{Problems, Span, quoted};
use super::quantity::exact;
use crate::suggest;

/// A table whose keys were checked.
pub(super) struct Fields<'t> {
    table: &'t DeTable<'t>,
    /// Where the table stands.
    at: Option<Span>,
    /// Keys that unknown ones were probably meant to be.
    misspelt: Vec<&'static str>,
}

impl<'t> Fields<'t> {
    /// The table of `entry`, with every key reported that is not among `known`; `example` says how one is written.
    pub(super) fn read(
        entry: Entry<'t>,
        example: &str,
        known: &[&'static str],
        problems: &mut Problems,
    ) -> Option<Self> {
        let fields = Self::of(entry.table(example, problems)?, known, problems);
        Some(Self { at: Some(entry.span()), ..fields })
    }

    /// A table that stands nowhere: the whole file.
    pub(super) fn of(table: &'t DeTable<'t>, known: &[&'static str], problems: &mut Problems) -> Self {
        let mut misspelt = Vec::new();
        for key in table.keys().filter(|key| !known.contains(&key.get_ref().as_ref())) {
            problems.report_unknown(key.span(), "unknown key", key.get_ref(), known.iter().copied());
            if problems.may_guess() {
                misspelt.extend(suggest::nearest(key.get_ref(), known));
            }
        }
        Self { table, at: None, misspelt }
    }

    /// The value of a key, where it is given.
    pub(super) fn get(&self, key: &'static str) -> Option<Entry<'t>> {
        self.table.get(key).map(|value| Entry { key, value })
    }

    /// Whether an unknown key was probably meant to be this one.
    pub(super) fn is_misspelt(&self, key: &str) -> bool {
        self.misspelt.contains(&key)
    }

    /// The value of a key that must be given. Where it is missing that is reported, unless a misspelt one was.
    pub(super) fn need(
        &self,
        key: &'static str,
        what: &str,
        example: &str,
        problems: &mut Problems,
    ) -> Option<Entry<'t>> {
        let entry = self.get(key);
        if entry.is_none() && !self.is_misspelt(key) {
            problems.report(self.at.clone(), format!("{what} needs {key}, such as {key} = {example}"));
        }
        entry
    }
}

/// A value with the key it belongs to.
#[derive(Clone, Copy)]
pub(super) struct Entry<'t> {
    key: &'static str,
    value: &'t Spanned<DeValue<'t>>,
}

impl<'t> Entry<'t> {
    /// A value that has no key of its own: an element of a list, a table of its own name.
    pub(super) fn new(key: &'static str, value: &'t Spanned<DeValue<'t>>) -> Self {
        Self { key, value }
    }

    pub(super) fn span(&self) -> Span {
        self.value.span()
    }

    /// Reports that the value is no good, and why.
    pub(super) fn refuse(&self, why: &str, problems: &mut Problems) {
        problems.report(self.span(), format!("{}: {why}", self.key));
    }

    fn wrong_type(&self, expected: &str, problems: &mut Problems) {
        self.refuse(&format!("expected {expected}, found {}", described(self.value.get_ref())), problems);
    }

    /// A text that need not look like anything.
    pub(super) fn text(&self, example: &str, problems: &mut Problems) -> Option<&'t str> {
        let DeValue::String(text) = self.value.get_ref() else {
            self.wrong_type(&format!("a text such as \"{example}\""), problems);
            return None;
        };
        Some(text)
    }

    /// A name that can stand in reports: 1 to 64 characters, none of them invisible.
    pub(super) fn name(&self, example: &str, problems: &mut Problems) -> Option<&'t str> {
        let name = self.text(example, problems)?;
        if !is_name(name) {
            self.refuse("a name has 1 to 64 characters, none a control character", problems);
            return None;
        }
        Some(name)
    }

    /// One of a few words.
    pub(super) fn word<T: Copy>(&self, words: &[(&'static str, T)], problems: &mut Problems) -> Option<T> {
        let example = words.first().map_or("", |(word, _)| word);
        let text = self.text(example, problems)?;
        let found = words.iter().find(|(word, _)| *word == text).map(|(_, meaning)| *meaning);
        if found.is_none() {
            let what = format!("{}: unknown word", self.key);
            problems.report_unknown(self.span(), &what, text, words.iter().map(|(word, _)| *word));
        }
        found
    }

    /// `true` or `false`.
    pub(super) fn flag(&self, problems: &mut Problems) -> Option<bool> {
        let DeValue::Boolean(flag) = self.value.get_ref() else {
            self.wrong_type("true or false", problems);
            return None;
        };
        Some(*flag)
    }

    /// A whole number.
    pub(super) fn whole(&self, range: RangeInclusive<u64>, problems: &mut Problems) -> Option<u64> {
        let DeValue::Integer(integer) = self.value.get_ref() else {
            self.wrong_type(&format!("a whole number such as {}", range.start().max(&1)), problems);
            return None;
        };
        let number = u64::from_str_radix(integer.as_str(), integer.radix()).ok();
        self.within(number, &range, ToString::to_string, &integer.to_string(), problems)
    }

    /// A whole number that fits 32 bits.
    pub(super) fn count(&self, range: RangeInclusive<u32>, problems: &mut Problems) -> Option<u32> {
        let number = self.whole(u64::from(*range.start())..=u64::from(*range.end()), problems)?;
        u32::try_from(number).ok()
    }

    /// A share of a whole, or a quantile: a plain number; `hint` helps who thinks in percent.
    pub(super) fn fraction(&self, range: RangeInclusive<f64>, hint: &str, problems: &mut Problems) -> Option<f64> {
        let number = match self.value.get_ref() {
            DeValue::Float(float) => float.as_str().parse().ok(),
            DeValue::Integer(integer) if integer.radix() == 10 => integer.as_str().parse().ok(),
            _ => {
                self.wrong_type("a fraction such as 0.95", problems);
                return None;
            }
        };
        // A range holds no NaN.
        let number = number.filter(|number| range.contains(number));
        if number.is_none() {
            let (least, most, found) = (range.start(), range.end(), described(self.value.get_ref()));
            problems.report_with(self.span(), format!("{}: between {least} and {most}, found {found}", self.key), hint);
        }
        number
    }

    /// A duration with its unit.
    pub(super) fn duration(&self, range: RangeInclusive<Duration>, problems: &mut Problems) -> Option<Duration> {
        let duration = self.quantity("60 s", parse_duration, problems)?;
        self.within(Some(duration), &range, |limit| exact(*limit), &described(self.value.get_ref()), problems)
    }

    /// A size with its unit.
    pub(super) fn size(&self, range: RangeInclusive<ByteSize>, problems: &mut Problems) -> Option<ByteSize> {
        let size = self.quantity("128 KiB", str::parse, problems)?;
        self.within(Some(size), &range, ToString::to_string, &described(self.value.get_ref()), problems)
    }

    /// A bit rate with its unit.
    pub(super) fn bit_rate(&self, range: RangeInclusive<BitRate>, problems: &mut Problems) -> Option<BitRate> {
        let rate = self.quantity("25 Mbps", str::parse, problems)?;
        self.within(Some(rate), &range, ToString::to_string, &described(self.value.get_ref()), problems)
    }

    fn quantity<T, E: std::fmt::Display>(
        &self,
        example: &str,
        parse: impl FnOnce(&str) -> Result<T, E>,
        problems: &mut Problems,
    ) -> Option<T> {
        let text = self.text(example, problems)?;
        parse(text).map_err(|error| self.refuse(&shortened(&error.to_string()), problems)).ok()
    }

    fn within<T: PartialOrd>(
        &self,
        value: Option<T>,
        range: &RangeInclusive<T>,
        shown: impl Fn(&T) -> String,
        found: &str,
        problems: &mut Problems,
    ) -> Option<T> {
        if let Some(value) = value.filter(|value| range.contains(value)) {
            return Some(value);
        }
        let (least, most) = (shown(range.start()), shown(range.end()));
        self.refuse(&format!("between {least} and {most}, found {}", shortened(found)), problems);
        None
    }

    /// A list; `example` says how one is written.
    pub(super) fn list(&self, example: &str, problems: &mut Problems) -> Option<Vec<Self>> {
        let DeValue::Array(array) = self.value.get_ref() else {
            self.wrong_type(example, problems);
            return None;
        };
        Some(array.iter().map(|value| Entry { key: self.key, value }).collect())
    }

    /// A table, its keys not yet checked; `example` says how one is written.
    pub(super) fn table(&self, example: &str, problems: &mut Problems) -> Option<&'t DeTable<'t>> {
        let DeValue::Table(table) = self.value.get_ref() else {
            self.wrong_type(example, problems);
            return None;
        };
        Some(table)
    }
}

pub(super) fn is_name(name: &str) -> bool {
    (1..=64).contains(&name.chars().count()) && !name.chars().any(char::is_control)
}

/// What stands there, as a person would say it.
fn described(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("the text {}", quoted(text)),
        DeValue::Integer(integer) => format!("the number {}", shortened(&integer.to_string())),
        DeValue::Float(float) => format!("the number {}", shortened(float.as_str())),
        DeValue::Boolean(flag) => flag.to_string(),
        DeValue::Datetime(date) => format!("the date {date}"),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

fn shortened(text: &str) -> String {
    const MOST: usize = 160;
    let mut shown: String = text.chars().take(MOST).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}
