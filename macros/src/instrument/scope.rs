//! What names mean where they stand, as far as the annotated code shows it.
//!
//! Scopes are a stack of [`Frame`]s: the world outside the annotated code at the bottom, then a frame for each
//! module, block and function around the place in question. A name that the compiler resolves to an import is
//! followed through it until it leads to a crate ([`Meaning::External`]), to something of the program's own, or out
//! of sight.

use std::collections::BTreeMap;

use super::mirrors;
use super::settings::Settings;

/// Names of different spaces do not hide each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Space {
    /// Types, traits and modules; the first name of every longer path.
    Type,
    /// Functions, constants, statics, variables.
    Value,
    Macro,
}

impl Space {
    pub(super) const ALL: [Self; 3] = [Self::Type, Self::Value, Self::Macro];
}

/// A path as the program has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// It begins with `::`.
    pub(super) absolute: bool,
    pub(super) names: Vec<String>,
}

/// What a name was declared as.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// Something of the program's own.
    Own,
    /// A static of the program's own that has become one for each execution.
    Static,
    Import(Import),
}

/// What a `use` makes a name mean.
#[derive(Clone, Debug)]
pub(super) struct Import {
    pub(super) path: Written,
    /// The import is in sight, so that it is rewritten where it stands.
    pub(super) in_sight: bool,
}

/// What kind of scope a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The world outside the annotated code.
    Outside,
    /// A module: names of the scopes around it are not seen in it.
    Module,
    /// Items that stand among others that are out of sight.
    Items,
    /// A block, function, closure, or the like.
    Block,
}

/// The names of one scope.
#[derive(Debug)]
pub(super) struct Frame {
    kind: Kind,
    names: BTreeMap<(Space, String), Binding>,
    globs: Vec<Import>,
    /// The macros of this crate are in scope by `#[macro_use] extern crate`.
    macros_of: Vec<String>,
    /// Macros are invoked that may declare anything.
    has_item_macros: bool,
}

/// What a path means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    External(External),
    Own,
    Static,
    /// Nothing in sight declares it, but something out of sight may.
    OutOfSight,
    /// Nothing declares it.
    Unknown,
}

/// Something in another crate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct External {
    /// The path, from the crate, of what the first names written mean.
    pub(super) path: Vec<String>,
    /// How many names those are: one, and any `self` and `super` before it.
    pub(super) names: usize,
    /// They are imported by something that is rewritten where it stands.
    pub(super) by_rewritten: bool,
}

impl External {
    fn new(path: Vec<String>, by_rewritten: bool) -> Self {
        External { path, names: 1, by_rewritten }
    }
}

impl Meaning {
    /// The same, of a name that comes after some others.
    fn after(self, leading: usize) -> Self {
        match self {
            Meaning::External(external) => Meaning::External(External { names: leading + 1, ..external }),
            other => other,
        }
    }
}

/// All scopes around a place.
#[derive(Debug)]
pub(super) struct Scopes {
    frames: Vec<Frame>,
}

/// Imports that lead in a circle are the compiler's to refuse.
const DEEPEST: u32 = 32;

impl Frame {
    pub(super) fn new(kind: Kind) -> Self {
        Frame {
            kind,
            names: BTreeMap::new(),
            globs: Vec::new(),
            macros_of: Vec::new(),
            has_item_macros: false,
        }
    }

    pub(super) fn declare(&mut self, space: Space, name: impl Into<String>, binding: Binding) {
        self.names.insert((space, name.into()), binding);
    }

    /// Declares something of the program's own.
    pub(super) fn own(&mut self, space: Space, name: impl ToString) {
        self.declare(space, name.to_string(), Binding::Own);
    }

    pub(super) fn import(&mut self, name: &str, import: &Import) {
        for space in Space::ALL {
            self.names.entry((space, name.to_owned())).or_insert_with(|| Binding::Import(import.clone()));
        }
    }

    pub(super) fn import_all(&mut self, import: Import) {
        self.globs.push(import);
    }

    pub(super) fn import_macros(&mut self, krate: String) {
        self.macros_of.push(krate);
    }

    pub(super) fn note_item_macro(&mut self) {
        self.has_item_macros = true;
    }

    /// Whether the scope itself declares a name, other than by a glob import.
    pub(super) fn declares(&self, name: &str) -> bool {
        Space::ALL.into_iter().any(|space| self.names.contains_key(&(space, name.to_owned())))
    }
}

impl Scopes {
    /// Nothing but the world outside.
    pub(super) fn new(outside: Frame) -> Self {
        Scopes { frames: vec![outside] }
    }

    pub(super) fn push(&mut self, frame: Frame) {
        self.frames.push(frame);
    }

    pub(super) fn pop(&mut self) {
        self.frames.pop();
    }

    /// The innermost scope.
    pub(super) fn innermost(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the world outside is always there")
    }

    /// What a path means here. The first name is looked up in `space` if it is the only one.
    pub(super) fn meaning(&self, settings: &Settings, written: &Written, space: Space) -> Meaning {
        Look { scopes: self, settings }.path(written, space, Vantage::here(self.frames.len() - 1))
    }

    /// What the path of an import means that declares `name` in the innermost scope.
    /// The name cannot explain itself.
    pub(super) fn meaning_of_import(
        &self,
        settings: &Settings,
        written: &Written,
        name: Option<&str>,
    ) -> Meaning {
        let from = Vantage { except: name, ..Vantage::here(self.frames.len() - 1) };
        Look { scopes: self, settings }.import(written, from)
    }

    /// The innermost scope that is a module, or as good as one.
    fn module_at(&self, at: usize) -> usize {
        (0..=at).rev().find(|&at| self.frames[at].kind != Kind::Block).unwrap_or(0)
    }
}

/// What a single name was found to be.
enum Found<'a> {
    /// Declared in this frame.
    Here(usize, &'a Binding),
    External(External),
    OutOfSight,
    Unknown,
}

/// Looks names up.
struct Look<'a> {
    scopes: &'a Scopes,
    settings: &'a Settings,
}

/// From where a name is looked up.
#[derive(Clone, Copy)]
struct Vantage<'n> {
    frame: usize,
    /// A name that this frame's own declaration does not explain.
    except: Option<&'n str>,
    /// Whether what this frame imports by globs counts. What a glob itself imports from is not found through others:
    /// they would have to be asked in turn.
    globs: bool,
    /// How many imports led here.
    depth: u32,
}

impl<'n> Vantage<'n> {
    fn here(frame: usize) -> Self {
        Vantage { frame, except: None, globs: true, depth: 0 }
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

impl<'a> Look<'a> {
    fn path(&self, written: &Written, space: Space, from: Vantage<'_>) -> Meaning {
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
            Found::Here(frame, binding) => self.binding(binding, first, from.at(frame)),
            Found::External(external) => Meaning::External(external),
            Found::OutOfSight => Meaning::OutOfSight,
            Found::Unknown => Meaning::Unknown,
        }
    }

    /// What `self::…` or `super::super::…` means.
    fn relative(&self, written: &Written, space: Space, from: Vantage<'_>) -> Meaning {
        let leading = written.names.iter().take_while(|name| is_module_word(name)).count();
        let Some(module) = self.module(&written.names[..leading], from.frame) else {
            return Meaning::OutOfSight;
        };
        let [name, rest @ ..] = &written.names[leading..] else { return Meaning::Own };
        let space = if rest.is_empty() { space } else { Space::Type };
        match self.within(name, space, from.at(module)) {
            Some(Found::Here(frame, binding)) => self.binding(binding, name, from.at(frame)).after(leading),
            Some(Found::External(external)) => Meaning::External(external).after(leading),
            // Where it is out of sight, at least it is plain whose it is.
            _ => Meaning::Own,
        }
    }

    /// The module that `self` and any number of `super` lead to; none if it is not even the next one outside.
    fn module(&self, words: &[String], at: usize) -> Option<usize> {
        let ups = words.iter().filter(|word| *word == "super").count();
        (0..ups).try_fold(self.scopes.module_at(at), |module, _| {
            Some(self.scopes.module_at(module.checked_sub(1)?))
        })
    }

    /// What a declaration of a frame says that a name is.
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
                    // If it must not be out of sight, the import says so.
                    Meaning::OutOfSight => Meaning::Own,
                    other => other,
                }
            }
        }
    }

    /// What an import of a frame leads to.
    fn import(&self, written: &Written, from: Vantage<'_>) -> Meaning {
        match self.path(written, Space::Type, from) {
            Meaning::External(External { mut path, names, by_rewritten }) => {
                path.extend(written.names[names..].iter().cloned());
                Meaning::External(External::new(path, by_rewritten))
            }
            // An import is good for all spaces, and so are the names it imports.
            Meaning::OutOfSight | Meaning::Unknown if written.names.len() == 1 => {
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
            None if out_of_sight => Found::OutOfSight,
            None => Found::Unknown,
        }
    }

    /// What one frame says about a name; nothing if it does not declare it.
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
        // What a macro declares is as good as declared here: it is the program's own, or rewritten.
        (out_of_sight && !frame.has_item_macros).then_some(Found::OutOfSight)
    }

    /// What a glob import of a frame makes of a name.
    fn through(&self, glob: &Import, name: &str, space: Space, from: Vantage<'_>) -> Option<Found<'a>> {
        let from = Vantage { except: None, ..from.deeper() };
        if glob.path.names.iter().all(|name| is_module_word(name)) {
            return match self.module(&glob.path.names, from.frame) {
                None => Some(Found::OutOfSight),
                Some(module) if module == from.frame => None,
                Some(module) => self.within(name, space, from.at(module)),
            };
        }
        // The last name of a module is in small letters; other things to import from are enums.
        let is_module = glob.path.names.last().is_some_and(|last| last.starts_with(char::is_lowercase));
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
            Meaning::OutOfSight | Meaning::Unknown => is_module.then_some(Found::OutOfSight),
            Meaning::Own | Meaning::Static => None,
        }
    }
}

/// Whether a mirrored module has something of its own by a name.
fn has(module: &[&str], name: &str) -> bool {
    mirrors::controlled(module).is_some_and(|names| names.contains(&name))
}

fn is_module_word(name: &str) -> bool {
    matches!(name, "self" | "super")
}
