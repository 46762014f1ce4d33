//! The results of a check, as text.

use std::fmt;

use insyn_sequences::harmless;
use serde_json::Value as Data;

use super::{Checked, Comparison, Tested, Witness};

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} sequences in {} executions", self.sequences, self.executions)?;
        match (&self.bound, self.complete) {
            (Some(bound), _) => writeln!(f, "; not complete: {bound}")?,
            (None, false) => writeln!(f, "; not complete")?,
            (None, true) => writeln!(f)?,
        }
        if let Some(oversight) = &self.oversight {
            writeln!(f, "\n{oversight}")?;
        }
        if let Some(comparison) = &self.comparison {
            write!(f, "\n{comparison}")?;
        }
        if !self.tests.is_empty() {
            let passed = self.tests.iter().filter(|test| test.passed).count();
            writeln!(f, "\n{passed} of {} tests pass", self.tests.len())?;
        }
        self.tests.iter().try_for_each(|test| write!(f, "{test}"))?;
        self.failures.iter().try_for_each(|failure| write!(f, "\n{}", failure.report))?;
        let rest = [not_shown(self.left_out), idle_sentence(&self.idle_threads)];
        rest.iter().flatten().try_for_each(|it| writeln!(f, "\n{it}"))
    }
}

/// The table, then its problems.
impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} by {} (conformance {})", self.answer, self.spec, self.conformance)?;
        writeln!(f, "{:12}{:>8}{:>10}", "", "valid", "invalid")?;
        writeln!(f, "{:12}{:>8}{:>10}  sequences", "feasible", self.feasible_valid, self.feasible_invalid)?;
        let missing = self.infeasible_valid.map_or_else(|| "-".to_owned(), |count| count.to_string());
        writeln!(f, "{:12}{missing:>8}{:>10}  words", "infeasible", self.infeasible_invalid)?;
        let generated = if self.generated { "all" } else { "not all" };
        match self.valid_words_feasible {
            Some(words) => {
                writeln!(f, "{words} valid words are feasible; {generated} valid words were generated")?;
            }
            None => writeln!(f, "- conformance subset does not ask which valid words are infeasible")?,
        }
        for (count, what) in [
            (self.unjudged, "sequences could not be judged within the bound on states"),
            (self.undecided, "valid words could not be decided within the bounds"),
        ] {
            if count > 0 {
                writeln!(f, "{count} {what}")?;
            }
        }
        for condition in 2..=4 {
            let count = self.conditions[condition - 1];
            if count == 0 {
                continue;
            }
            writeln!(f, "\n{} {count}", title(condition))?;
            let witnesses = self.witnesses.iter().filter(|witness| witness.condition == condition);
            let shown = witnesses.clone().count() as u64;
            witnesses.into_iter().try_for_each(|witness| write!(f, "{witness}"))?;
            // Of the others, one is shown for each way to end and each output.
            if condition == 2 {
                more(f, count.saturating_sub(shown))?;
            }
        }
        if let Some(count @ 1..) = self.infeasible_valid {
            writeln!(f, "\nsynchronization failure, valid but infeasible: {count}")?;
        }
        for missing in &self.missing {
            writeln!(f, "  {}\n    {}", harmless::lines(&missing.word), indented(&missing.why))?;
        }
        more(f, self.infeasible_valid.unwrap_or(0).saturating_sub(self.missing.len() as u64))?;
        for sentence in &self.unshown {
            writeln!(f, "no execution shows: {sentence}")?;
        }
        self.warnings.iter().try_for_each(|warning| writeln!(f, "warning: {warning}"))
    }
}

/// Says how many more there are than a list shows.
fn more(f: &mut fmt::Formatter<'_>, count: u64) -> fmt::Result {
    if count == 0 { Ok(()) } else { writeln!(f, "  and {count} more") }
}

fn title(condition: usize) -> &'static str {
    match condition {
        2 => "(ii) computation failure, valid sequence with an incorrect result:",
        3 => "(iii) synchronization failure, invalid sequence with an incorrect result:",
        _ => "(iv) coincidentally correct, invalid sequence with a correct result:",
    }
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "  {}", harmless::lines(&self.word))?;
        if let Some(objection) = &self.objection {
            writeln!(f, "    {}", indented(objection))?;
        }
        write!(f, "    ended: {}", self.termination)?;
        if let Some(output) = self.output.as_ref().filter(|output| !output.is_null()) {
            write!(f, ", output: {}", data(output))?;
        }
        if !self.expected.is_empty() {
            let expected: Vec<String> = self.expected.iter().map(data).collect();
            write!(f, ", expected: {}", expected.join(" or "))?;
        }
        writeln!(f)
    }
}

impl fmt::Display for Tested {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mark, expected) = match self.passed {
            true => ("ok  ", String::new()),
            // The names that do not exist are printed below.
            false if self.verdict.word() == self.expectation => {
                ("FAIL", ", but it names something that does not exist".to_owned())
            }
            false => ("FAIL", format!(", expected {}", self.expectation)),
        };
        writeln!(f, "{mark}  {}: {}{expected}", harmless::line(&self.name), self.verdict)?;
        if !self.why.is_empty() {
            writeln!(f, "      {}", indented(&self.why).replace("\n    ", "\n      "))?;
        }
        if self.passed {
            return Ok(());
        }
        for result in &self.results {
            let output =
                result.output.as_ref().map(|it| format!(", output: {}", data(it))).unwrap_or_default();
            writeln!(f, "      ended: {}{output}", result.termination)?;
        }
        Ok(())
    }
}

/// Indents all lines after the first.
fn indented(text: &str) -> String {
    harmless::lines(text).replace('\n', "\n    ")
}

fn data(data: &Data) -> String {
    harmless::text(&data.to_string())
}

/// The sentence after a list of failures, if more sequences failed at other places.
pub fn not_shown(left_out: u64) -> Option<String> {
    match left_out {
        0 => None,
        1 => Some("1 more sequence fails at a place that is not shown".to_owned()),
        _ => Some(format!("{left_out} more sequences fail at places that are not shown")),
    }
}

/// How many idle threads are named.
const IDLE_SHOWN: usize = 8;

/// The sentence about threads that did nothing; none if there are none.
pub fn idle_sentence(threads: &[String]) -> Option<String> {
    let names =
        threads.iter().take(IDLE_SHOWN).map(|name| harmless::line(name)).collect::<Vec<_>>().join(", ");
    let more = match threads.len().saturating_sub(IDLE_SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (!threads.is_empty()).then(|| format!("threads that did nothing insyn can see: {names}{more}"))
}

#[cfg(test)]
mod tests {
    use super::super::Missing;
    use super::*;

    #[test]
    fn lists_that_are_cut_say_how_many_more() {
        let missing =
            |n: usize| (0..n).map(|n| Missing { word: format!("a{n}"), why: "never".into() }).collect();
        let witness = Witness { condition: 2, word: "b".into(), ..Witness::default() };
        let mut comparison =
            Comparison { infeasible_valid: Some(12), missing: missing(10), ..Comparison::default() };
        (comparison.conditions, comparison.witnesses) = ([0, 3, 0, 0], vec![witness]);
        let text = comparison.to_string();
        assert!(text.contains("    never\n  and 2 more\n"), "{text}");
        assert_eq!(text.matches("  and 2 more\n").count(), 2, "{text}");
        (comparison.infeasible_valid, comparison.conditions) = (Some(10), [0, 1, 0, 0]);
        assert!(!comparison.to_string().contains(" more"));
    }
}
