//! What was probably meant.

/// Longer words are no slips of the finger, and comparing them costs the product of their lengths.
const LONGEST: usize = 64;

/// A hint for a word that is not among `known`: the nearest one, or all of them.
pub(crate) fn hint<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(word, &known) {
        Some(near) => format!("did you mean '{near}'?"),
        None if known.is_empty() => "there are none".to_owned(),
        None => format!("known here: {}", listed(&known)),
    }
}

/// The word of `known` that `word` is nearest to, where it is near enough to have been meant.
pub(crate) fn nearest<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let word = folded(word)?;
    let letters = word.chars().count();
    let distance = |candidate: &str| {
        let candidate = folded(candidate)?;
        // Half a name is a name cut short: "4k" is meant to be "4kstream".
        let cut_short = letters >= 2 && candidate.starts_with(&word);
        Some(if cut_short { 0 } else { strsim::damerau_levenshtein(&word, &candidate) })
    };
    let ranked = known.iter().filter_map(|candidate| Some((distance(candidate)?, *candidate)));
    let (distance, near) = ranked.min_by_key(|(distance, _)| *distance)?;
    // A slip in three letters: more would turn any short word into any other.
    (distance <= (letters / 3).max(1) && letters > 1).then_some(near)
}

/// Case and the kind of dash are slips that need no counting.
fn folded(word: &str) -> Option<String> {
    (word.len() <= LONGEST).then(|| word.trim().to_lowercase().replace(['-', ' '], "_"))
}

fn listed(known: &[&str]) -> String {
    const MOST: usize = 20;
    let mut list = known.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    if known.len() > MOST {
        list.push_str(", …");
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_finds_the_word() {
        let known = ["browsing", "4kstream", "voip", "download"];
        for (word, meant) in
            [("browsin", "browsing"), ("Voip", "voip"), ("4k", "4kstream"), ("donwload", "download"), ("viop", "voip")]
        {
            assert_eq!(hint(word, known), format!("did you mean '{meant}'?"), "{word}");
        }
        assert_eq!(hint("reading-time", ["reading_time", "rate"]), "did you mean 'reading_time'?");
    }

    #[test]
    fn another_word_gets_the_list() {
        let known = ["browsing", "voip"];
        for word in ["telephone", "", "x", &"browsing".repeat(100)] {
            assert_eq!(hint(word, known), "known here: browsing, voip", "{word}");
        }
        assert_eq!(hint("x", []), "there are none");
    }
}
