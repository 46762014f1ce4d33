//! The choices that a generator makes, as bytes. proptest makes and shrinks the bytes, so a failure is shown with a short tape, which
//! is a small text.

/// Choices, in order. Past the end every choice is the first one, which generators keep for what is simplest.
#[derive(Debug)]
pub struct Tape<'b> {
    bytes: &'b [u8],
}

impl<'b> Tape<'b> {
    /// A tape of these choices.
    pub fn new(bytes: &'b [u8]) -> Self {
        Tape { bytes }
    }

    fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        *first
    }

    /// Whether any choice is left.
    pub fn is_over(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A number below `count`, which is at least 1.
    pub fn below(&mut self, count: usize) -> usize {
        let mut number = usize::from(self.byte());
        if count > 256 {
            number = number << 8 | usize::from(self.byte());
        }
        number % count
    }

    /// A number from 0 to `most`.
    pub fn up_to(&mut self, most: usize) -> usize {
        self.below(most + 1)
    }

    /// Yes in `percent` of a hundred cases; no past the end.
    pub fn chance(&mut self, percent: u8) -> bool {
        u16::from(self.byte()) * 100 >= 256 * (100 - u16::from(percent)) && percent > 0
    }

    /// One of these.
    pub fn pick<'t, T>(&mut self, all: &'t [T]) -> &'t T {
        &all[self.below(all.len())]
    }

    /// One of these words.
    pub fn word<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.below(all.len())]
    }

    /// A number of 64 bits: mostly small, sometimes at an end of its range.
    pub fn integer(&mut self) -> i64 {
        match self.below(16) {
            0..10 => i64::from(self.byte() % 10),
            10..13 => -i64::from(self.byte()),
            13 => i64::from(u32::MAX),
            14 => i64::MAX,
            _ => i64::MIN,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn past_the_end_every_choice_is_the_first() {
        let mut tape = Tape::new(&[7, 255]);
        assert_eq!((tape.below(5), tape.chance(1), tape.is_over()), (2, true, true));
        assert_eq!((tape.below(1000), tape.chance(99), tape.word(&["a", "b"])), (0, false, "a"));
    }

    #[test]
    fn chances_are_what_they_are_called() {
        for percent in [0, 1, 25, 50, 99] {
            let yes = (0..=255_u8).filter(|&byte| Tape::new(&[byte]).chance(percent)).count();
            assert!((yes * 100).abs_diff(256 * usize::from(percent)) <= 100, "{percent}: {yes} of 256");
        }
    }
}
