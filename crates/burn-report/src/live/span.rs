//! Lines as the live view has them: text, and what it means. How that looks is the terminal's matter.

/// A line, without a line break or an escape byte.
pub type Line = Vec<Span>;

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// What is written.
    pub text: String,
    /// What it means. Never the only sign of it.
    pub tone: Tone,
}

/// What a part of a line means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Ordinary text.
    Plain,
    /// What stands out.
    Strong,
    /// What stands back.
    Faint,
    /// Within the goal.
    Good,
    /// Beyond the goal.
    Warning,
    /// Beyond the bad bound, failed or lost.
    Bad,
}
