//! What people call an application and its operations.

use burn_model::judge::ApplicationJudgement;

use crate::numbers::count;

/// An application in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spoken<'a> {
    /// As the subject of a sentence: `the call`.
    pub(crate) subject: &'a str,
    /// One of its operations.
    pub(crate) one: &'static str,
    /// Several of them.
    pub(crate) many: &'static str,
}

/// What people call an application. One that is not shipped is called by its own name.
pub(crate) fn spoken(name: &str) -> Spoken<'_> {
    let (subject, one, many) = match name {
        "browsing" => ("browsing", "page", "pages"),
        "4kstream" => ("the 4K stream", "piece", "pieces"),
        "voip" => ("the call", "exchange", "exchanges"),
        "download" => ("the download", "file", "files"),
        name => (name, "operation", "operations"),
    };
    Spoken { subject, one, many }
}

/// `1 page in 12`, `38 % of pages`, `every page`: a share of an application's operations that makes trouble.
pub(crate) fn part(over: u64, n: u64, name: &str) -> Option<String> {
    let Spoken { one, many, .. } = spoken(name);
    if over == 0 || over > n {
        return None;
    }
    if over == n {
        return Some(format!("every {one}"));
    }
    #[expect(clippy::cast_precision_loss, reason = "one digit or two are shown")]
    let times = n as f64 / over as f64;
    // One in two and a half is no number that anybody says, and one in nearly one is wrong.
    Some(if times < 4.5 {
        format!("{:.0} % of {many}", (100.0 / times).round().clamp(1.0, 99.0))
    } else {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 4.5 and the number of operations"
        )]
        let times = times.round() as u64;
        format!("1 {one} in {}", count(times))
    })
}

/// Some of a run's applications of one name, as the subject of a sentence: `the call`, `the call on phone`, `the call on 3 of
/// 50 clients`. `of` is how many of that name there are in all.
pub(crate) fn subject(some: &[&ApplicationJudgement], of: usize) -> String {
    let Some(first) = some.first() else { return String::new() };
    let subject = spoken(&first.name).subject;
    match some.len() {
        1 if of <= 1 => subject.to_owned(),
        1 => format!("{subject} on {}", first.client),
        2 if of == 2 => format!("{subject} on both clients"),
        all if all == of => format!("{subject} on all {of} clients"),
        some => format!("{subject} on {some} of {of} clients"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_reads_as_a_person_says_it() {
        for (over, n, said) in [
            (1, 12, Some("1 page in 12")),
            (5, 59, Some("1 page in 12")), // 59/5 = 11.8
            (1, 3000, Some("1 page in 3,000")),
            (2, 9, Some("1 page in 5")), // 9/2 = 4.5, and halves go up
            (30, 100, Some("30 % of pages")),
            (59, 60, Some("98 % of pages")),    // 98.3
            (999, 1000, Some("99 % of pages")), // not "100 %", which would be all of them
            (60, 60, Some("every page")),
            (0, 60, None),
            (61, 60, None),
        ] {
            assert_eq!(part(over, n, "browsing").as_deref(), said, "{over} of {n}");
        }
        assert_eq!(part(1, 100, "backup").as_deref(), Some("1 operation in 100"));
    }
}
