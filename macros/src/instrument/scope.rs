//! The meaning of names at a place, as far as the annotated code shows it.
//!
//! Scopes are a stack of [`Frame`]s: the world outside the annotated code at the bottom, then a frame for each
//! module, block and function around the place in question. A name that the compiler resolves to an import is
//! followed until it leads to a crate ([`Meaning::External`]), to an item of the program, or out
//! of sight ([`lookup`]).

mod lookup;

use std::collections::{BTreeMap, BTreeSet};

use syn::Path;
use syn::ext::IdentExt;

use super::settings::Settings;
use lookup::{Lookup, Vantage};

/// Name spaces. Names in different spaces do not hide each other.
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

/// A path as it is written in the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    /// It starts with `::`.
    pub(super) absolute: bool,
    pub(super) names: Vec<String>,
}

impl Written {
    /// The names of a path.
    pub(super) fn of(path: &Path) -> Self {
        Written {
            absolute: path.leading_colon.is_some(),
            names: path.segments.iter().map(|segment| segment.ident.unraw().to_string()).collect(),
        }
    }
}

/// The declaration of a name.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// An item of the program.
    Own,
    /// A static of the program that is initialized again in each execution.
    Static,
    Import(Import),
}

/// The import that declares a name.
#[derive(Clone, Debug)]
pub(super) struct Import {
    pub(super) path: Written,
    /// The import is in sight, so that it is rewritten in place.
    pub(super) in_sight: bool,
}

/// What kind of scope a frame is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The world outside the annotated code.
    Outside,
    /// A module: names of the scopes around it are not seen in it.
    Module,
    /// Items beside others that are out of sight.
    Items,
    /// A block, function, closure, or similar.
    Block,
}

/// The names of one scope.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    kind: Kind,
    names: BTreeMap<(Space, String), Binding>,
    globs: Vec<Import>,
    /// The macros of this crate are in scope by `#[macro_use] extern crate`.
    macros_of: Vec<String>,
    /// Names in the arguments of macros, which may declare them.
    given: BTreeSet<String>,
}

/// What a path means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    External(External),
    Own,
    Static,
    /// Nothing in sight declares it, but something out of sight may: the path as it would be written there.
    OutOfSight(Vec<String>),
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
    /// They are imported by something that is rewritten in place.
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

impl Frame {
    pub(super) fn new(kind: Kind) -> Self {
        Frame {
            kind,
            names: BTreeMap::new(),
            globs: Vec::new(),
            macros_of: Vec::new(),
            given: BTreeSet::new(),
        }
    }

    pub(super) fn declare(&mut self, space: Space, name: impl Into<String>, binding: Binding) {
        self.names.insert((space, name.into()), binding);
    }

    /// Declares an item of the program.
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

    /// Declares a type of the program, unless it is already declared.
    pub(super) fn own_type(&mut self, name: impl ToString) {
        self.names.entry((Space::Type, name.to_string())).or_insert(Binding::Own);
    }

    /// Records a name in the arguments of a macro, which may declare it.
    pub(super) fn record_given(&mut self, name: String) {
        self.given.insert(name);
    }

    /// Whether the scope itself declares a name, other than by a glob import.
    pub(super) fn declares(&self, name: &str) -> bool {
        Space::ALL.into_iter().any(|space| self.names.contains_key(&(space, name.to_owned())))
    }
}

impl Scopes {
    /// Only the world outside.
    pub(super) fn new(outside: Frame) -> Self {
        Scopes { frames: vec![outside] }
    }

    pub(super) fn push(&mut self, frame: Frame) {
        self.frames.push(frame);
    }

    pub(super) fn pop(&mut self) {
        self.frames.pop();
    }

    /// The world outside.
    pub(super) fn outside(&mut self) -> &mut Frame {
        &mut self.frames[0]
    }

    /// The innermost scope.
    pub(super) fn innermost(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("the world outside is always there")
    }

    /// The meaning of a path here. The first name is looked up in `space` if it is the only one.
    pub(super) fn meaning(&self, settings: &Settings, written: &Written, space: Space) -> Meaning {
        Lookup { scopes: self, settings }.path(written, space, Vantage::here(self.frames.len() - 1))
    }

    /// The meaning of the path of an import that declares `name` in the innermost scope.
    /// The name cannot explain itself.
    pub(super) fn meaning_of_import(
        &self,
        settings: &Settings,
        written: &Written,
        name: Option<&str>,
    ) -> Meaning {
        let from = Vantage::here(self.frames.len() - 1).without(name);
        Lookup { scopes: self, settings }.import(written, from)
    }

    /// The innermost scope that is a module, or acts as one.
    fn module_at(&self, at: usize) -> usize {
        (0..=at).rev().find(|&at| self.frames[at].kind != Kind::Block).unwrap_or(0)
    }
}
