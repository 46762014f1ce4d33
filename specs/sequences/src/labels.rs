//! The names of processes in reports: the name that the program gave, else as much of the end of the id as makes it unique.
//! Control characters are escaped, since names end up on terminals.

use std::collections::BTreeMap;

use crate::harmless::line as escape;
use crate::sequence::Kind;

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
    let is_plain = |name: &str| names[name] == 1 && !ends.contains_key(name);
    let name_of: BTreeMap<&str, &str> =
        processes.clone().filter_map(|(id, name)| Some((id, name.filter(|name| is_plain(name))?))).collect();
    // A part of a process is named after the process, unless another process has that name already.
    let belonging = |id: &str| {
        let (owner, part) = id.rsplit_once('/').filter(|(_, part)| belongs(part))?;
        let label = format!("{}/{part}", name_of.get(owner)?);
        (!names.contains_key(label.as_str()) && !ends.contains_key(label.as_str())).then_some(label)
    };
    processes
        .map(|(id, name)| match name {
            None => escape(&belonging(id).unwrap_or_else(|| short(id).to_owned())),
            Some(name) if is_plain(name) => escape(name),
            Some(name) => escape(&format!("{name} ({})", short(id))),
        })
        .collect()
}

/// The ends of an id, shortest first: `mutex1`, `thread2/mutex1`, `main/thread2/mutex1`. An end starts with a
/// segment that means something by itself or is the whole id, so that the `end` of a channel is not just named `end`.
fn short_ends(id: &str) -> impl Iterator<Item = &str> {
    let starts = id.rmatch_indices('/').map(|(slash, _)| slash + 1).take(MOST_SEGMENTS);
    let stands_alone = |end: &&str| !belongs(end.split('/').next().unwrap_or_default());
    starts.map(|start| &id[start..]).filter(stands_alone).chain(std::iter::once(id))
}

/// Whether the last segment of an id names a part of the process before it: the end of a channel or thread, or the parker of a
/// thread.
fn belongs(segment: &str) -> bool {
    let word = segment.trim_end_matches(|c: char| c.is_ascii_digit());
    word.len() == segment.len() || word == Kind::Parker.word() || word == Kind::End.word()
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
    fn parts_are_named_after_what_they_belong_to() {
        assert_eq!(
            of([
                ("main", None),
                ("main/bounded1", Some("queue")),
                ("main/bounded1/end", None),
                ("main/bounded1/hang-up", None),
                ("main/parker1", None),
                ("main/thread1", Some("worker")),
                ("main/thread1/end1", None),
                ("main/thread1/parker1", None),
                ("main/thread2", Some("twin")),
                ("main/thread2/parker1", None),
                ("main/thread3", Some("twin")),
                ("main/thread3/end1", None),
            ]),
            [
                "main",
                "queue",
                "queue/end",
                "queue/hang-up",
                "main/parker1",
                "worker",
                "worker/end1",
                "worker/parker1",
                "twin (thread2)",
                "thread2/parker1",
                "twin (thread3)",
                "thread3/end1",
            ]
        );
        let taken = of([("a", Some("b")), ("a/end", None), ("c", Some("b/end"))]);
        assert_eq!(taken, ["b", "a/end", "b/end"]);
    }

    #[test]
    fn control_characters_are_written_out() {
        assert_eq!(of([("main", Some("a\n\u{1b}[31mb"))]), ["a\\n\\u{1b}[31mb"]);
    }
}
