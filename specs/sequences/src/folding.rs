//! Long listings, folded: where lines repeat, as those of a loop do, they are shown once.

/// The longest part that is recognized when it repeats.
const LONGEST_PART: usize = 24;

/// Fewer repetitions than this are shown.
const FEWEST_TIMES: usize = 3;

/// A part of a listing that comes a number of times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The first line of its first occurrence.
    pub(crate) start: usize,
    /// How many lines it has.
    pub(crate) lines: usize,
    /// How many times it comes.
    pub(crate) times: usize,
}

/// The parts of a listing, in order, given what identifies its lines.
pub(crate) fn parts<K: PartialEq>(keys: &[K]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut start = 0;
    while start < keys.len() {
        let (lines, times) = repetition(&keys[start..]);
        parts.push(Part { start, lines, times });
        start += lines * times;
    }
    parts
}

/// What comes first: how many lines, and how many times. Of all parts that repeat it is the one that covers most, and of those
/// the shortest.
fn repetition<K: PartialEq>(keys: &[K]) -> (usize, usize) {
    let mut best = (1, 1);
    for part in 1..=LONGEST_PART.min(keys.len() / FEWEST_TIMES) {
        let same = keys.iter().zip(&keys[part..]).take_while(|(a, b)| a == b).count();
        let times = same / part + 1;
        if times >= FEWEST_TIMES && part * times > best.0 * best.1 {
            best = (part, times);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &[&str]) -> Vec<(usize, usize, usize)> {
        parts(lines).into_iter().map(|part| (part.start, part.lines, part.times)).collect()
    }

    #[test]
    fn a_loop_is_one_part() {
        let mut lines = vec!["spawn"];
        lines.extend(["lock", "try", "unlock"].repeat(5));
        lines.push("join");
        assert_eq!(of(&lines), [(0, 1, 1), (1, 3, 5), (16, 1, 1)]);
    }

    #[test]
    fn a_line_that_repeats_is_one_part() {
        assert_eq!(of(&["send", "load", "load", "load", "load"]), [(0, 1, 1), (1, 1, 4)]);
    }

    #[test]
    fn what_comes_twice_is_shown_twice() {
        assert_eq!(of(&["a", "b", "a", "b"]), [(0, 1, 1), (1, 1, 1), (2, 1, 1), (3, 1, 1)]);
        assert_eq!(of(&[]), []);
    }
}
