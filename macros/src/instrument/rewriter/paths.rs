//! Rewrites one path: to its replacement, or back to the real item where that is to be kept.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::{Path, PathArguments, PathSegment, QSelf, Token};

use super::Rewriter;
use crate::instrument::scope::{Meaning, Space, Written};
use crate::instrument::{emit, mirrors};

/// One name of a path that leads to another crate.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) name: String,
    /// Which name of the program's path it comes from; none if an import is between.
    pub(super) from: Option<usize>,
}

/// Where a path leads.
#[derive(Debug)]
pub(super) enum Destination {
    /// It is to be written as these names, from the root.
    Moved(Vec<Step>),
    /// It may stay as it is.
    Stays,
}

impl Rewriter {
    /// The full path, from its crate and with re-exports resolved, that a path leads to; none if that is not another crate.
    pub(super) fn leads_to(&self, path: &Path, space: Space) -> Option<Vec<String>> {
        let written = Written::of(path);
        let Meaning::External(external) = self.scopes.meaning(&self.settings, &written, space) else {
            return None;
        };
        let names = [&external.path[..], &written.names[external.names..]].concat();
        let names = self.settings.known_as(&names);
        let kept = self.settings.keeps(&names);
        (!kept).then(|| names.into_iter().map(str::to_owned).collect())
    }

    /// Rewrites a path. The first name is looked up in `space` if it is the only one. Output: by how many names the
    /// path has become longer.
    pub(super) fn rewrite_path(&mut self, path: &mut Path, space: Space) -> isize {
        let Some(first) = path.segments.first() else { return 0 };
        // The macro shares its name with a replaced module. It is left as it is, so that its panics have the right position.
        if space == Space::Macro && self.leads_to(path, space).is_some_and(|names| names == ["std", "panic"])
        {
            return 0;
        }
        let span = first.ident.span();
        let written = Written::of(path);
        let meaning = self.scopes.meaning(&self.settings, &written, space);
        let Destination::Moved(steps) = self.destination(&written, meaning, span) else { return 0 };
        let before = path.segments.len();
        // With the macro's edition: in the first one a path with `::` meant something else.
        let span = emit::site(span);
        let segments = steps.into_iter().map(|step| segment(path, step, span)).collect();
        let after = Path { leading_colon: Some(Token![::](span)), segments };
        let longer = after.segments.len() as isize - before as isize;
        *path = after;
        longer
    }

    /// As [`rewrite_path`](Self::rewrite_path), where a part of the path may be in `<T as ..>`.
    pub(super) fn rewrite_qualified(&mut self, qself: &mut Option<QSelf>, path: &mut Path, space: Space) {
        match qself {
            // `<T>::name`: the path starts with a type.
            Some(qself) if qself.position == 0 => {}
            Some(qself) => {
                // The names up to the position are those of a trait; the names after it do not change the trait.
                let longer = self.rewrite_path(path, Space::Type);
                qself.position = qself.position.saturating_add_signed(longer);
            }
            None => {
                self.rewrite_path(path, space);
            }
        }
    }

    /// Where a path leads, by its meaning. Rejects a path that must not be used, or whose meaning is unknown.
    pub(super) fn destination(&mut self, written: &Written, meaning: Meaning, span: Span) -> Destination {
        let external = match meaning {
            Meaning::External(external) => external,
            Meaning::OutOfSight(path) => {
                self.refuse_out_of_sight(&path, span);
                return Destination::Stays;
            }
            Meaning::Own | Meaning::Static | Meaning::Unknown => return Destination::Stays,
        };
        let resolved = external.path.len();
        let mut steps: Vec<Step> = external.path.into_iter().map(|name| Step { name, from: None }).collect();
        steps[resolved - 1].from = Some(external.names - 1);
        for (from, name) in written.names.iter().enumerate().skip(external.names) {
            steps.push(Step { name: name.clone(), from: Some(from) });
        }
        let names: Vec<&str> = steps.iter().map(|step| step.name.as_str()).collect();
        let detour = self
            .settings
            .reexport(&names)
            .map(|(replaced, by)| replace(&steps, replaced, by.iter().cloned()));
        let steps = detour.unwrap_or_else(|| steps.clone());
        let names: Vec<&str> = steps.iter().map(|step| step.name.as_str()).collect();
        if self.settings.keeps(&names) {
            return if external.by_rewritten { Destination::Moved(steps) } else { Destination::Stays };
        }
        if let Some(why) = mirrors::refused(&names) {
            let why = match mirrors::keepable(&names) {
                Some(kept) => format!(
                    "{why}, or leave them as they are with `#[insyn::instrument(keep({}))]`",
                    kept.join("::")
                ),
                None => why.to_owned(),
            };
            self.refuse_once(span, why);
            return Destination::Stays;
        }
        match mirrors::mirror(&names) {
            Some(mirror) if !external.by_rewritten => {
                let by = mirror.by.iter().map(|name| (*name).to_owned());
                Destination::Moved(replace(&steps, mirror.replaced, by))
            }
            _ => Destination::Stays,
        }
    }

    fn refuse_out_of_sight(&mut self, path: &[String], span: Span) {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        let Some(import) = mirrors::suggested_import(&names) else { return };
        let name = names[0];
        let why = mirrors::why_under_control(&import);
        self.refuse_once(
            span,
            format!(
                "`{name}` is imported out of sight, and a real one would {why}: annotate the module around it, write the \
                 full path, or say what it is, as in `#[insyn::instrument(imports({import}))]` (`imports(crate::{name})` if it is your own)"
            ),
        );
    }
}

/// The steps with the first ones replaced; the last new step takes the place of the last old one.
fn replace(steps: &[Step], replaced: usize, by: impl IntoIterator<Item = String>) -> Vec<Step> {
    let mut new: Vec<Step> = by.into_iter().map(|name| Step { name, from: None }).collect();
    if let (Some(last), Some(old)) = (new.last_mut(), steps.get(replaced - 1)) {
        last.from = old.from;
    }
    new.extend_from_slice(&steps[replaced..]);
    new
}

/// The segment for a step: the program's own, with its arguments and its place, where there is one.
fn segment(path: &Path, step: Step, span: Span) -> PathSegment {
    match step.from {
        Some(from) => {
            let mut segment = path.segments[from].clone();
            if segment.ident.unraw() != step.name {
                segment.ident = Ident::new(&step.name, segment.ident.span());
            }
            segment
        }
        None => PathSegment { ident: Ident::new(&step.name, span), arguments: PathArguments::None },
    }
}
