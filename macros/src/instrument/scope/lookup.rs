//! Resolves names: in the scopes around a place, through imports and globs, and in the world outside.

use super::super::mirrors;
use super::super::settings::Settings;
use super::{Binding, External, Import, Kind, Meaning, Scopes, Space, Written};

/// The limit for cyclic imports, which the compiler reports.
const DEEPEST: u32 = 32;

/// The result of looking up a single name.
enum Found<'a> {
    /// Declared in this frame.
    Here(usize, &'a Binding),
    External(External),
    OutOfSight,
    Unknown,
}

/// Resolves names.
pub(super) struct Lookup<'a> {
    pub(super) scopes: &'a Scopes,
    pub(super) settings: &'a Settings,
}

/// From where a name is resolved.
#[derive(Clone, Copy)]
pub(super) struct Vantage<'n> {
    frame: usize,
    /// A name that this frame's own declaration does not explain.
    except: Option<&'n str>,
    /// Whether glob imports of this frame count. The path of a glob itself is not resolved through other globs:
    /// that could go on without end.
    globs: bool,
    /// How many imports led here.
    depth: u32,
}

impl<'n> Vantage<'n> {
    pub(super) fn here(frame: usize) -> Self {
        Vantage { frame, except: None, globs: true, depth: 0 }
    }

    /// From the same place, where a declaration of this name explains nothing.
    pub(super) fn without(self, name: Option<&'n str>) -> Self {
        Vantage { except: name, ..self }
    }

    fn at(self, frame: usize) -> Self {
        if frame == self.frame {
            self
        } else {
            Vantage { frame, except: None, globs: true, depth: self.depth }
        }
    }

    fn deeper(self) -> Self {
        Vantage { depth: self.depth + 1, ..self }
    }
}

impl<'a> Lookup<'a> {
    /// What a path means.
    pub(super) fn path(&self, written: &Written, space: Space, from: Vantage<'_>) -> Meaning {
        let [first, rest @ ..] = written.names.as_slice() else { return Meaning::Unknown };
        if from.depth > DEEPEST {
            return Meaning::Unknown;
        }
        if written.absolute || first == "crate" {
            return Meaning::External(External::new(vec![first.clone()], false));
        }
        match first.as_str() {
            "Self" => return Meaning::Own,
            "self" | "super" => return self.relative(written, space, from),
            _ => {}
        }
        let space = if rest.is_empty() { space } else { Space::Type };
        match self.name(first, space, from) {
            Found::Here(frame, binding) => match self.binding(binding, first, from.at(frame)) {
                Meaning::OutOfSight(path) => Meaning::OutOfSight([&path[..], rest].concat()),
                meaning => meaning,
            },
            Found::External(external) => Meaning::External(external),
            Found::OutOfSight => Meaning::OutOfSight(written.names.clone()),
            // A crate by a name that the manifest gives it.
            Found::Unknown if !rest.is_empty() && is_small(first) && !self.is_given(first, from.frame) => {
                Meaning::OutOfSight(written.names.clone())
            }
            Found::Unknown => Meaning::Unknown,
        }
    }

    /// What `self::…` or `super::super::…` means.
    fn relative(&self, written: &Written, space: Space, from: Vantage<'_>) -> Meaning {
        let leading = written.names.iter().take_while(|name| is_module_word(name)).count();
        let module = self.module(&written.names[..leading], from.frame);
        let [name, rest @ ..] = &written.names[leading..] else { return Meaning::Own };
        let space = if rest.is_empty() { space } else { Space::Type };
        let found = match self.within_module(name, space, from.at(module)) {
            Some(Found::OutOfSight) => self.beyond(name, space, from).or(Some(Found::OutOfSight)),
            found => found,
        };
        match found {
            Some(Found::Here(frame, binding)) => match self.binding(binding, name, from.at(frame)) {
                Meaning::OutOfSight(path) => Meaning::OutOfSight([&path[..], rest].concat()),
                meaning => meaning.after(leading),
            },
            Some(Found::External(external)) => Meaning::External(external).after(leading),
            Some(Found::OutOfSight) => Meaning::OutOfSight(written.names[leading..].to_vec()),
            Some(Found::Unknown) | None => Meaning::Own,
        }
    }

    /// The module that `self` and any number of `super` lead to, which may be the world outside.
    fn module(&self, words: &[String], at: usize) -> usize {
        let ups = words.iter().filter(|word| *word == "super").count();
        (0..ups).fold(self.scopes.module_at(at), |module, _| self.scopes.module_at(module.saturating_sub(1)))
    }

    /// What a name means by its declaration in a frame.
    fn binding(&self, binding: &Binding, name: &str, from: Vantage<'_>) -> Meaning {
        match binding {
            Binding::Own => Meaning::Own,
            Binding::Static => Meaning::Static,
            Binding::Import(import) => {
                match self.import(&import.path, Vantage { except: Some(name), ..from.deeper() }) {
                    Meaning::External(External { path, by_rewritten, .. }) => {
                        let mirrored = self.settings.mirror(&path).is_some();
                        let by_rewritten = by_rewritten || (import.in_sight && mirrored);
                        Meaning::External(External::new(path, by_rewritten))
                    }
                    // From a module around this one. Others are crates and modules of the program, and so is what
                    // is in them.
                    Meaning::OutOfSight(path)
                        if import.path.names.first().is_some_and(|first| is_module_word(first)) =>
                    {
                        Meaning::OutOfSight(path)
                    }
                    Meaning::OutOfSight(_) => Meaning::Own,
                    other => other,
                }
            }
        }
    }

    /// What an import of a frame leads to.
    pub(super) fn import(&self, written: &Written, from: Vantage<'_>) -> Meaning {
        match self.path(written, Space::Type, from) {
            Meaning::External(External { mut path, names, by_rewritten }) => {
                path.extend(written.names[names..].iter().cloned());
                Meaning::External(External::new(path, by_rewritten))
            }
            // An import is good for all spaces, and so are the names it imports.
            Meaning::OutOfSight(_) | Meaning::Unknown if written.names.len() == 1 => {
                self.path(written, Space::Value, from)
            }
            other => other,
        }
    }

    /// What a name means in a frame and those around it.
    fn name(&self, name: &str, space: Space, from: Vantage<'_>) -> Found<'a> {
        let mut out_of_sight = false;
        for frame in (0..=from.frame).rev() {
            match self.within(name, space, from.at(frame)) {
                Some(Found::OutOfSight) => out_of_sight = true,
                Some(found) => return found,
                None => {}
            }
            match self.scopes.frames[frame].kind {
                Kind::Module => break,
                Kind::Outside => out_of_sight = true,
                Kind::Items | Kind::Block => {}
            }
        }
        let prelude = match space {
            Space::Type if mirrors::CRATES.contains(&name) || self.settings.is_crate(name) => {
                Some(vec![name.to_owned()])
            }
            Space::Macro if name == "thread_local" => Some(vec!["std".to_owned(), name.to_owned()]),
            _ => None,
        };
        match prelude {
            Some(path) => Found::External(External::new(path, false)),
            None => match self.beyond(name, space, from) {
                Some(found) => found,
                None if out_of_sight => Found::OutOfSight,
                None => Found::Unknown,
            },
        }
    }

    /// The meaning of a name that no visible declaration declares.
    fn beyond(&self, name: &str, space: Space, from: Vantage<'_>) -> Option<Found<'a>> {
        let declared = |frame: usize| {
            let binding = self.scopes.frames[frame].names.get(&(space, name.to_owned()))?;
            (from.at(frame).except != Some(name)).then_some(Found::Here(frame, binding))
        };
        // `extern crate` at the root of a crate holds in all its modules.
        let is_crate = |found: &Found<'_>| matches!(found, Found::Here(_, Binding::Import(import)) if import.path.absolute && !import.in_sight);
        let root = (0..=from.frame).find(|&frame| self.scopes.frames[frame].kind == Kind::Items);
        // The arguments declare names out of sight, wherever those come from.
        root.and_then(declared).filter(is_crate).or_else(|| declared(0))
    }

    /// Whether a macro in a frame, or around it, is given a name, which it may declare.
    fn is_given(&self, name: &str, frame: usize) -> bool {
        self.scopes.frames[..=frame].iter().any(|frame| frame.given.contains(name))
    }

    /// What a name means in a module, in that part of it too which is out of sight.
    fn within_module(&self, name: &str, space: Space, from: Vantage<'_>) -> Option<Found<'a>> {
        let found = self.within(name, space, from);
        match self.scopes.frames[from.frame].kind {
            Kind::Items => found.or_else(|| self.within(name, space, from.at(from.frame - 1))),
            _ => found,
        }
    }

    /// What a name means in one frame; nothing if the frame does not declare it.
    fn within(&self, name: &str, space: Space, from: Vantage<'_>) -> Option<Found<'a>> {
        let frame = &self.scopes.frames[from.frame];
        if from.except != Some(name)
            && let Some(binding) = frame.names.get(&(space, name.to_owned()))
        {
            return Some(Found::Here(from.frame, binding));
        }
        if space == Space::Macro
            && let Some(krate) = frame.macros_of.iter().find(|krate| has(&[krate.as_str()], name))
        {
            return Some(Found::External(External::new(vec![krate.clone(), name.to_owned()], false)));
        }
        let mut out_of_sight = frame.kind == Kind::Outside;
        if from.globs && from.depth <= DEEPEST {
            for glob in &frame.globs {
                match self.through(glob, name, space, from) {
                    Some(Found::OutOfSight) => out_of_sight = true,
                    Some(found) => return Some(found),
                    None => {}
                }
            }
        }
        // A declaration in a macro counts as one here: it is the program's own, or rewritten.
        (out_of_sight && !frame.given.contains(name)).then_some(Found::OutOfSight)
    }

    /// What a glob import of a frame makes of a name.
    fn through(&self, glob: &Import, name: &str, space: Space, from: Vantage<'_>) -> Option<Found<'a>> {
        let from = Vantage { except: None, ..from.deeper() };
        if glob.path.names.iter().all(|name| is_module_word(name)) {
            return match self.module(&glob.path.names, from.frame) {
                module if module == from.frame => None,
                module => self.within_module(name, space, from.at(module)),
            };
        }
        // The last name of a module is in small letters; other things to import from are enums.
        let is_module = glob.path.names.last().is_some_and(|last| is_small(last));
        match self.import(&glob.path, Vantage { globs: false, ..from }) {
            Meaning::External(External { path, .. }) => {
                let path: Vec<&str> = self.settings.known_as(&path);
                let item = [&path[..], &[name]].concat();
                if mirrors::proper(&item).is_some_and(|proper| has(&proper[..proper.len() - 1], name)) {
                    let path = item.into_iter().map(str::to_owned).collect();
                    return Some(Found::External(External::new(path, glob.in_sight)));
                }
                let is_std = matches!(path[..], ["std" | "core" | "alloc", ..]);
                (!is_std && is_module && mirrors::mirror(&path).is_none()).then_some(Found::OutOfSight)
            }
            Meaning::OutOfSight(_) | Meaning::Unknown => is_module.then_some(Found::OutOfSight),
            Meaning::Own | Meaning::Static => None,
        }
    }
}

/// Whether a replaced module has its own item of this name.
fn has(module: &[&str], name: &str) -> bool {
    mirrors::controlled(module).is_some_and(|names| names.contains(&name))
}

/// Whether a name is in small letters, as those of modules and crates are.
fn is_small(name: &str) -> bool {
    name.starts_with(char::is_lowercase)
}

fn is_module_word(name: &str) -> bool {
    matches!(name, "self" | "super")
}
