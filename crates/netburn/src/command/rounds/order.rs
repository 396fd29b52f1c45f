//! In which order the runs of two set-ups are made.

/// One of the two set-ups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SetUp {
    First,
    Second,
}

impl SetUp {
    /// What a person is shown of it.
    pub(super) const fn letter(self) -> char {
        match self {
            Self::First => 'A',
            Self::Second => 'B',
        }
    }
}

/// Every run of so many rounds, each with its round counted from 0: A B, B A, A B … Each round has both, and who goes first
/// takes turns, so that neither a steady drift nor going first is always on one side; and whoever must change something
/// between set-ups changes it once a round. (Box, Hunter and Hunter, *Statistics for Experimenters*, 2005, ch. 3: block what you can.)
pub(super) fn order(rounds: u32) -> impl Iterator<Item = (u32, SetUp)> {
    (0..rounds).flat_map(|round| {
        let pair = if round % 2 == 0 { [SetUp::First, SetUp::Second] } else { [SetUp::Second, SetUp::First] };
        pair.map(|set_up| (round, set_up))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_round_has_both_and_they_take_turns_in_going_first() {
        let letters: String = order(4).map(|(_, set_up)| set_up.letter()).collect();
        // A B | B A | A B | B A: never more than two in a row, and after every second round the places sum up alike
        // (A: 1 + 4, B: 2 + 3).
        assert_eq!(letters, "ABBAABBA");
        assert_eq!(order(2).map(|(round, _)| round).collect::<Vec<_>>(), [0, 0, 1, 1]);
    }
}
