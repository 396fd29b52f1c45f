//! The text format itself: OpenMetrics 1.0, as Prometheus scrapes it and `promtool` reads it.
//!
//! Knows families, labels and stamps, and nothing of a run. Held by construction: one block for each family, with its
//! description before its samples; label values escaped (§3.2.1 of the specification); numbers that every parser reads;
//! `# EOF` once, at the end. The order of samples is the caller's: all points of one labelled series one after the other, by
//! rising time.

use std::fmt::Write;

/// What kind of series a family holds: the specification's §5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A value that goes up and down.
    Gauge,
    /// A sum that only grows; its samples are called `NAME_total`.
    Counter,
    /// Quantiles of what was seen, in a label `quantile`.
    Summary,
    /// One of several states: a sample for each, with the state in a label that is called as the family is; 1 where it
    /// holds, else 0.
    StateSet,
    /// Facts as labels; its samples are called `NAME_info` and are 1.
    Info,
}

/// A family of series: what stands above their samples.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Its name, of `[a-zA-Z_:][a-zA-Z0-9_:]*`; ends in `_UNIT` where it has one, and never in `_total` or `_info`.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// Its unit, in full: `seconds`, `bytes`, `ratio`.
    pub unit: Option<&'static str>,
    /// What it is, in a sentence.
    pub help: &'static str,
}

/// A moment of wall time: seconds since 1970, to the millisecond that Prometheus keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp {
    /// Milliseconds since the epoch.
    pub unix_ms: i64,
}

impl Stamp {
    /// This moment and so many seconds.
    #[must_use]
    pub fn at_second(self, second: u64) -> Self {
        let ms = i64::try_from(second).unwrap_or(i64::MAX).saturating_mul(1000);
        Self { unix_ms: self.unix_ms.saturating_add(ms) }
    }
}

/// A text that grows family by family.
#[derive(Debug, Default)]
pub struct Exposition(String);

/// The samples of one family.
#[derive(Debug)]
pub struct Samples<'a> {
    text: &'a mut String,
    family: Family,
    begun: bool,
}

impl Exposition {
    /// One without families.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins a family, which must not stand in the text yet. One that gets no samples leaves no trace.
    pub const fn family(&mut self, family: Family) -> Samples<'_> {
        Samples { text: &mut self.0, family, begun: false }
    }

    /// The whole text.
    #[must_use]
    pub fn finish(mut self) -> String {
        self.0.push_str("# EOF\n");
        self.0
    }
}

impl Samples<'_> {
    /// Adds a sample; label names are of `[a-zA-Z_][a-zA-Z0-9_]*`, values any text. A value that is no number (NaN) is left
    /// out: absent is not zero. Infinite ones stand as they are.
    pub fn add(&mut self, labels: &[(&str, &str)], value: f64, at: Option<Stamp>) {
        if value.is_nan() {
            return;
        }
        self.begin();
        let suffix = match self.family.kind {
            Kind::Counter => "_total",
            Kind::Info => "_info",
            Kind::Gauge | Kind::Summary | Kind::StateSet => "",
        };
        self.text.push_str(self.family.name);
        self.text.push_str(suffix);
        for (i, (name, value)) in labels.iter().enumerate() {
            self.text.push(if i == 0 { '{' } else { ',' });
            self.text.push_str(name);
            self.text.push_str("=\"");
            escape(self.text, value);
            self.text.push('"');
        }
        if !labels.is_empty() {
            self.text.push('}');
        }
        self.text.push(' ');
        number(self.text, value);
        if let Some(at) = at {
            let (seconds, millis) = (at.unix_ms.div_euclid(1000), at.unix_ms.rem_euclid(1000));
            // A negative whole part with a fraction would read as another moment; wall time is past 1970.
            let _ =
                if millis == 0 { write!(self.text, " {seconds}") } else { write!(self.text, " {seconds}.{millis:03}") };
        }
        self.text.push('\n');
    }

    /// Adds one sample for each of `states`, of which `current` holds.
    pub fn add_states(&mut self, labels: &[(&str, &str)], states: &[&str], current: &str, at: Option<Stamp>) {
        for state in states {
            let mut all = labels.to_vec();
            all.push((self.family.name, state));
            self.add(&all, if *state == current { 1.0 } else { 0.0 }, at);
        }
    }

    fn begin(&mut self) {
        if self.begun {
            return;
        }
        self.begun = true;
        let Family { name, kind, unit, help } = self.family;
        let kind = match kind {
            Kind::Gauge => "gauge",
            Kind::Counter => "counter",
            Kind::Summary => "summary",
            Kind::StateSet => "stateset",
            Kind::Info => "info",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "# TYPE {name} {kind}");
        if let Some(unit) = unit {
            let _ = writeln!(self.text, "# UNIT {name} {unit}");
        }
        let _ = write!(self.text, "# HELP {name} ");
        escape(self.text, help);
        self.text.push('\n');
    }
}

/// A label's value, or a help text, as §3.2.1 has it: backslash, quote and line feed with a backslash in front.
fn escape(text: &mut String, value: &str) {
    for c in value.chars() {
        match c {
            '\\' => text.push_str("\\\\"),
            '"' => text.push_str("\\\""),
            '\n' => text.push_str("\\n"),
            c => text.push(c),
        }
    }
}

/// The shortest decimal that reads back as the same number. Never NaN, see [`Samples::add`].
fn number(text: &mut String, value: f64) {
    let _ = if value.is_finite() {
        // No negative zero.
        write!(text, "{}", value + 0.0)
    } else {
        write!(text, "{}Inf", if value > 0.0 { '+' } else { '-' })
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: Family =
        Family { name: "wait_seconds", kind: Kind::Gauge, unit: Some("seconds"), help: "How long \"it\" takes." };

    #[test]
    fn a_family_stands_above_its_samples_and_the_end_is_marked() {
        let mut text = Exposition::new();
        let mut family = text.family(TIME);
        family.add(&[("client", "tv"), ("quantile", "0.5")], 0.25, None);
        family.add(&[], 3.0, Some(Stamp { unix_ms: 1_700_000_000_250 }));
        family.add(&[], 3.0, Some(Stamp { unix_ms: 1_700_000_001_000 }));
        text.family(Family { name: "empty", kind: Kind::Gauge, unit: None, help: "No samples." }).add(
            &[],
            f64::NAN,
            None,
        );
        let mut bytes =
            text.family(Family { name: "got_bytes", kind: Kind::Counter, unit: Some("bytes"), help: "Got." });
        bytes.add(&[], 1e6, None);
        let expected = "# TYPE wait_seconds gauge\n# UNIT wait_seconds seconds\n\
                        # HELP wait_seconds How long \\\"it\\\" takes.\n\
                        wait_seconds{client=\"tv\",quantile=\"0.5\"} 0.25\n\
                        wait_seconds 3 1700000000.250\nwait_seconds 3 1700000001\n\
                        # TYPE got_bytes counter\n# UNIT got_bytes bytes\n# HELP got_bytes Got.\ngot_bytes_total 1000000\n\
                        # EOF\n";
        assert_eq!(text.finish(), expected);
    }

    #[test]
    fn nothing_in_a_label_ends_the_label_or_the_line() {
        let mut text = Exposition::new();
        text.family(TIME).add(&[("client", "a\"} 1\n# EOF\\")], 1.0, None);
        let text = text.finish();
        assert!(text.contains("wait_seconds{client=\"a\\\"} 1\\n# EOF\\\\\"} 1\n"), "{text}");
        assert_eq!(text.lines().count(), 3 + 1 + 1);
    }

    #[test]
    fn infinity_is_a_number_here_and_nothing_is_below_zero_by_nothing() {
        let mut text = Exposition::new();
        let mut family = text.family(TIME);
        for value in [f64::INFINITY, f64::NEG_INFINITY, -0.0, 1e300, 0.1] {
            family.add(&[], value, None);
        }
        let text = text.finish();
        let values: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("wait_seconds ")).collect();
        assert_eq!(values[..3], ["+Inf", "-Inf", "0"]);
        assert_eq!(values[3], format!("1{}", "0".repeat(300)));
        assert_eq!(values[4], "0.1");
    }

    #[test]
    fn of_several_states_one_holds() {
        let mut text = Exposition::new();
        let family = Family { name: "verdict", kind: Kind::StateSet, unit: None, help: "How good." };
        text.family(family).add_states(&[("client", "tv")], &["pass", "fail"], "fail", None);
        let text = text.finish();
        assert!(
            text.contains("verdict{client=\"tv\",verdict=\"pass\"} 0\nverdict{client=\"tv\",verdict=\"fail\"} 1\n")
        );
    }
}
