//! Long listings, folded: where lines repeat, as those of a loop do, they are shown once.

/// A line of a listing.
pub(crate) struct Line<'a> {
    /// Who did what, to what, and where. Lines that have this in common are equal, whatever their numbers and those of the lines
    /// that they refer to.
    pub(crate) key: [&'a str; 4],
    pub(crate) text: &'a str,
}

/// The longest part that is recognized when it repeats.
const LONGEST_PART: usize = 24;

/// Fewer repetitions than this are shown.
const FEWEST_TIMES: usize = 3;

/// What is shown of the lines of a listing.
pub(crate) fn fold(all: &[Line<'_>]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut at = 0;
    while at < all.len() {
        let (part, times) = repetition(&all[at..]);
        lines.extend(all[at..at + part].iter().map(|line| line.text.to_owned()));
        if times > 1 {
            let (again, last) = (times - 1, at + part * times);
            let what = if part == 1 { "this line".to_owned() } else { format!("these {part} lines") };
            lines.push(format!("… {what} {again} times more, up to line {last}"));
        }
        at += part * times;
    }
    lines
}

/// What comes first: how many lines, and how many times. Of all parts that repeat it is the one that covers most, and of those
/// the shortest.
fn repetition(lines: &[Line<'_>]) -> (usize, usize) {
    let mut best = (1, 1);
    for part in 1..=LONGEST_PART.min(lines.len() / FEWEST_TIMES) {
        let same = lines.iter().zip(&lines[part..]).take_while(|(a, b)| a.key == b.key).count();
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

    fn folded(operations: &[&str]) -> Vec<String> {
        let texts: Vec<String> = (1..).zip(operations).map(|(n, it)| format!("{n} {it}")).collect();
        let line = |(text, operation)| Line { key: ["main", operation, "lock", "a.rs:1:1"], text };
        let texts = texts.iter().map(String::as_str);
        fold(&texts.zip(operations.iter().copied()).map(line).collect::<Vec<_>>())
    }

    #[test]
    fn a_loop_is_shown_once() {
        let mut operations = vec!["spawn"];
        operations.extend(["lock", "try", "unlock"].repeat(5));
        operations.push("join");
        assert_eq!(
            folded(&operations),
            [
                "1 spawn",
                "2 lock",
                "3 try",
                "4 unlock",
                "… these 3 lines 4 times more, up to line 16",
                "17 join"
            ]
        );
    }

    #[test]
    fn a_line_that_repeats_is_shown_once() {
        assert_eq!(
            folded(&["send", "load", "load", "load", "load"]),
            ["1 send", "2 load", "… this line 3 times more, up to line 5"]
        );
    }

    #[test]
    fn what_comes_twice_is_shown_twice() {
        assert_eq!(folded(&["a", "b", "a", "b", "c"]), ["1 a", "2 b", "3 a", "4 b", "5 c"]);
        assert_eq!(folded(&[]), [""; 0]);
    }
}
