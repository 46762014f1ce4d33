//! Many texts that are right or nearly so, made by the grammar of each kind of file: specifications, tests, sequences and inputs.
//! `INSYN_INPUTS=100000` is what `.ci/long` reads of each.

mod inputs;
mod sequences;
mod specs;
mod tests;

use insyn_generator::{Counting, Limit};
use insyn_specs::Problem;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What reading a file may take: a tree, with the place of every node, from two libraries.
const MEMORY: Limit = Limit { base: 256 << 10, per_byte: 1 << 10 };

/// What was read, if it was accepted. A problem names its place, what is wrong, and what to do.
fn accepted<T>(text: &str, result: Result<T, Problem>) -> Option<T> {
    let is_break = |c: &char| matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    // To the YAML library the end is a line of its own.
    let lines = text.chars().filter(is_break).count() + 2;
    result
        .map_err(|problem| {
            let at = &problem.position;
            assert!((1..=lines).contains(&at.line) && at.column > 0, "{problem}");
            assert!(!problem.message.is_empty() && !problem.hint.is_empty(), "{problem:?}");
        })
        .ok()
}
