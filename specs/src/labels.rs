//! What to call a process when talking to people: its name, else the end of its id, as much of it as is needed to
//! tell it from all others. Control characters are escaped, since names end up on terminals.

use std::collections::BTreeMap;

/// Ends of ids with more segments than this are not tried; the full id is used instead.
const MOST_SEGMENTS: usize = 4;

/// A label for each process, given ids and names; no two are equal if no two ids are.
pub(crate) fn labels<'a>(processes: impl Iterator<Item = (&'a str, Option<&'a str>)> + Clone) -> Vec<String> {
    let mut ends: BTreeMap<&str, usize> = BTreeMap::new();
    for end in processes.clone().flat_map(|(id, _)| short_ends(id)) {
        *ends.entry(end).or_default() += 1;
    }
    let short = |id: &'a str| short_ends(id).find(|end| ends[end] == 1).unwrap_or(id);
    // A name must differ from every other name, and from every id in any length.
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for (_, name) in processes.clone() {
        *names.entry(name.unwrap_or_default()).or_default() += 1;
    }
    processes
        .map(|(id, name)| match name {
            None => escape(short(id)),
            Some(name) if names[name] == 1 && !ends.contains_key(name) => escape(name),
            Some(name) => escape(&format!("{name} ({})", short(id))),
        })
        .collect()
}

/// The ends of an id, shortest first: `mutex1`, `thread2/mutex1`, `main/thread2/mutex1`. An end begins with a
/// numbered segment or is the whole id, so that the `end` of a channel is not called just that.
fn short_ends(id: &str) -> impl Iterator<Item = &str> {
    let starts = id.rmatch_indices('/').map(|(slash, _)| slash + 1).take(MOST_SEGMENTS);
    let numbered = |end: &&str| {
        let segment = end.split('/').next().unwrap_or_default();
        segment.ends_with(|c: char| c.is_ascii_digit())
    };
    starts.map(|start| &id[start..]).filter(numbered).chain(std::iter::once(id))
}

/// The text with control characters written out, so that it cannot act on a terminal or break a line.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() { safe.extend(c.escape_default()) } else { safe.push(c) }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of<const N: usize>(processes: [(&str, Option<&str>); N]) -> Vec<String> {
        labels(processes.into_iter())
    }

    #[test]
    fn as_short_as_is_unambiguous() {
        assert_eq!(
            of([
                ("main", None),
                ("main/bounded1", None),
                ("main/bounded1/end", None),
                ("main/thread1", None),
                ("main/thread1/mutex1", None),
                ("main/thread2", None),
                ("main/thread2/mutex1", None),
            ]),
            ["main", "bounded1", "bounded1/end", "thread1", "thread1/mutex1", "thread2", "thread2/mutex1"]
        );
    }

    #[test]
    fn names_that_are_not_unique_come_with_the_id() {
        assert_eq!(
            of([
                ("main/thread1", Some("worker")),
                ("main/thread2", Some("worker")),
                ("main/thread3", Some("server"))
            ]),
            ["worker (thread1)", "worker (thread2)", "server"]
        );
        assert_eq!(of([("main", Some("thread1")), ("main/thread1", None)]), ["thread1 (main)", "thread1"]);
    }

    #[test]
    fn control_characters_are_written_out() {
        assert_eq!(of([("main", Some("a\n\u{1b}[31mb"))]), ["a\\n\\u{1b}[31mb"]);
    }
}
