//! Patterns for names: `*` stands for any text, `<argument>` for a text that becomes the argument of an event.

use insyn_sequences::{Named, Value};

use super::value::Type;

/// A pattern, and the types of its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    text: Box<str>,
    /// The length in bytes of the literal text that it starts with.
    start: usize,
    /// The parts after that.
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    One(char),
    Any,
    Argument(usize, Type),
}

/// The arguments found so far, by their place in the event.
pub(super) type Found = Vec<Option<Value>>;

/// A pattern names an argument that the event does not have.
#[derive(Debug)]
pub(super) struct UnknownArgument {
    pub(super) name: String,
}

impl Pattern {
    /// Reads a pattern. `argument` finds the place and type of an argument.
    ///
    /// # Errors
    /// If it names an argument that the event does not have.
    pub(super) fn parse(
        text: &str,
        argument: impl Fn(&str) -> Option<(usize, Type)>,
    ) -> Result<Pattern, UnknownArgument> {
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            rest = &rest[c.len_utf8()..];
            parts.push(match (c, rest.split_once('>')) {
                ('*', _) => Part::Any,
                ('<', Some((name, after))) => {
                    rest = after;
                    let (place, of) =
                        argument(name).ok_or_else(|| UnknownArgument { name: name.to_owned() })?;
                    Part::Argument(place, of)
                }
                _ => Part::One(c),
            });
        }
        Ok(Pattern::new(text, &parts))
    }

    /// A pattern without arguments.
    pub(crate) fn plain(text: &str) -> Pattern {
        let part = |c: char| if c == '*' { Part::Any } else { Part::One(c) };
        Pattern::new(text, &text.chars().map(part).collect::<Vec<_>>())
    }

    fn new(text: &str, parts: &[Part]) -> Pattern {
        let count = parts.iter().take_while(|part| matches!(part, Part::One(_))).count();
        let start = text.chars().take(count).map(char::len_utf8).sum();
        Pattern { text: text.into(), start, parts: parts[count..].to_vec() }
    }

    /// The pattern as it was written.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn binds(&self, argument: usize) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Argument(it, _) if *it == argument))
    }

    /// Whether it matches a process: its name, one of its names if it has several (`deposit` of `deposit/deposits`), its
    /// id, or a suffix of its id that starts after a `/`.
    pub(crate) fn matches(&self, process: Named<'_>) -> bool {
        self.find(process, &Vec::new()).is_some()
    }

    /// The same, for a pattern that may name arguments: whether it matches for some values of them.
    pub(crate) fn may_match(&self, process: Named<'_>) -> bool {
        let arguments = self.parts.iter().filter_map(|part| match part {
            Part::Argument(place, _) => Some(place + 1),
            _ => None,
        });
        self.find(process, &vec![None; arguments.max().unwrap_or(0)]).is_some()
    }

    /// Matches a process in addition to what has been found.
    pub(super) fn find(&self, process: Named<'_>, found: &Found) -> Option<Found> {
        let ends = process.id.rmatch_indices('/').map(|(slash, _)| &process.id[slash + 1..]);
        let several = process.name.into_iter().flat_map(|name| name.split('/'));
        let mut names = process.name.into_iter().chain(several).chain(ends).chain([process.id]);
        names.find_map(|name| self.find_in(name, found))
    }

    /// Matches a whole text in addition to what has been found.
    pub(super) fn find_in(&self, text: &str, found: &Found) -> Option<Found> {
        // This runs for every event. Most texts do not match, and most patterns are a name, perhaps with a number.
        let rest = text.strip_prefix(&self.text[..self.start])?;
        match self.parts[..] {
            [] => rest.is_empty().then(|| found.clone()),
            [Part::Any] => Some(found.clone()),
            [Part::Argument(argument, of)] if !rest.is_empty() => {
                let value = read(rest, of)?;
                let is_clear = found[argument].as_ref().is_none_or(|known| *known == value);
                is_clear.then(|| {
                    let mut found = found.clone();
                    found[argument] = Some(value);
                    found
                })
            }
            _ => self.search(rest, found.clone()),
        }
    }

    fn search(&self, text: &str, mut found: Found) -> Option<Found> {
        let text: Vec<char> = text.chars().collect();
        let mut search = Search {
            parts: &self.parts,
            text: &text,
            failed: vec![false; (self.parts.len() + 1) * (text.len() + 1)],
        };
        search.from(0, 0, &mut found).then_some(found)
    }
}

/// Backtracking that never tries the same place twice, so that many stars cost little.
struct Search<'a> {
    parts: &'a [Part],
    text: &'a [char],
    failed: Vec<bool>,
}

impl Search<'_> {
    fn from(&mut self, part: usize, start: usize, found: &mut Found) -> bool {
        let place = part * (self.text.len() + 1) + start;
        // If an argument was found before, the match may fail for one value and succeed for another.
        let may_skip = found.iter().all(Option::is_none);
        if may_skip && self.failed[place] {
            return false;
        }
        let matched = match self.parts.get(part) {
            None => start == self.text.len(),
            Some(Part::One(c)) => self.text.get(start) == Some(c) && self.from(part + 1, start + 1, found),
            Some(Part::Any) => (start..=self.text.len()).any(|end| self.from(part + 1, end, found)),
            Some(&Part::Argument(argument, of)) => (start + 1..=self.text.len()).rev().any(|end| {
                let text: String = self.text[start..end].iter().collect();
                let Some(value) = read(&text, of) else { return false };
                if let Some(known) = &found[argument] {
                    return *known == value && self.from(part + 1, end, found);
                }
                found[argument] = Some(value);
                let matched = self.from(part + 1, end, found);
                if !matched {
                    found[argument] = None;
                }
                matched
            }),
        };
        self.failed[place] |= may_skip && !matched;
        matched
    }
}

fn read(text: &str, of: Type) -> Option<Value> {
    match of {
        Type::Text => Some(Value::Text(text.to_owned())),
        Type::Boolean => text.parse().ok().map(Value::Boolean),
        // Only in the form in which it would be written.
        Type::Integer => text.parse().ok().filter(|it: &i64| it.to_string() == text).map(Value::Integer),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(pattern: &str, text: &str) -> Option<Found> {
        let arguments = [("i", Type::Integer), ("t", Type::Text)];
        let argument = |name: &str| {
            arguments.iter().position(|it| it.0 == name).map(|place| (place, arguments[place].1))
        };
        Pattern::parse(pattern, argument).unwrap().find_in(text, &vec![None, None])
    }

    #[test]
    fn stars_and_arguments() {
        assert!(find("fork*", "fork12").is_some());
        assert!(find("fork", "fork12").is_none());
        assert_eq!(find("fork<i>", "fork12").unwrap()[0], Some(Value::Integer(12)));
        assert_eq!(find("fork<i>", "forks"), None);
        assert_eq!(find("<t>-<i>", "a-b-3").unwrap()[1], Some(Value::Text("a-b".into())));
        assert_eq!(find("<i>-<i>", "3-4"), None);
        assert!(find("<i>-<i>", "3-3").is_some());
        assert_eq!(find("fork<i>", "fork007"), None);
    }

    /// The shortcuts find what the search finds.
    #[test]
    fn shortcuts_change_nothing() {
        for pattern in ["", "*", "a*", "ab", "<t>", "<i>", "a<i>", "a<t>", "a<i>*", "*a", "<i>a<i>", "é<i>"]
        {
            let argument = |name: &str| Some(if name == "i" { (0, Type::Integer) } else { (1, Type::Text) });
            let pattern = Pattern::parse(pattern, argument).unwrap();
            let slow = Pattern {
                start: 0,
                parts: pattern.text[..pattern.start]
                    .chars()
                    .map(Part::One)
                    .chain(pattern.parts.clone())
                    .collect(),
                text: pattern.text.clone(),
            };
            for text in ["", "a", "b", "ab", "a1", "a01", "1a1", "1a2", "é", "aé", "é1"] {
                for known in [vec![None, None], vec![Some(Value::Integer(1)), Some(Value::Text("b".into()))]]
                {
                    let found = pattern.find_in(text, &known);
                    assert_eq!(found, slow.search(text, known), "{pattern:?} in {text:?}");
                }
            }
        }
    }

    #[test]
    fn many_stars_do_no_harm() {
        assert!(find(&"*a".repeat(200), &"a".repeat(199)).is_none());
    }
}
