//! How the program ends. The codes are part of its interface: see README.md.

use std::process::ExitCode;

use burn_model::judge::Verdict;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// 0: every goal was met, or (without `--strict`) none was missed beyond its bad bound.
    Good,
    /// 1: a bad bound was passed; with `--strict` also: a goal was missed.
    Bad,
    /// 2: the command line, a scenario or a named file is wrong.
    Usage,
    /// 3: the run cannot tell.
    Inconclusive,
    /// 4: it could not run, or could not keep its record.
    CouldNot,
}

impl Exit {
    /// What a verdict means for whoever called the program.
    #[must_use]
    pub const fn of(verdict: Verdict, strict: bool) -> Self {
        match verdict {
            Verdict::Pass => Self::Good,
            Verdict::Marginal => {
                if strict {
                    Self::Bad
                } else {
                    Self::Good
                }
            }
            Verdict::Inconclusive => Self::Inconclusive,
            Verdict::Fail => Self::Bad,
        }
    }

    /// The number that the shell sees.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Good => 0,
            Self::Bad => 1,
            Self::Usage => 2,
            Self::Inconclusive => 3,
            Self::CouldNot => 4,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_as_documented() {
        let codes = |strict| {
            [Verdict::Pass, Verdict::Marginal, Verdict::Fail, Verdict::Inconclusive].map(|v| Exit::of(v, strict).code())
        };
        assert_eq!(codes(false), [0, 0, 1, 3]);
        assert_eq!(codes(true), [0, 1, 1, 3]);
        assert_eq!((Exit::Usage.code(), Exit::CouldNot.code()), (2, 4));
    }
}
