//! Guards of selects, to explain why nothing is received from an arm.

/// A guard as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// Its text.
    pub text: &'static str,
    /// Its file.
    pub file: &'static str,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
}

impl std::fmt::Display for Guard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` ({}:{}:{})", self.text, self.file, self.line, self.column)
    }
}
