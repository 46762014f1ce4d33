//! What the imports of a file show: which channels it uses, and which `select!` and `#[instrument]` are meant.

use insyn_syntax::Select;
use syn::{Item, UseTree};

/// What the imports of a file show.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// The module that channels are from.
    pub(crate) channels: &'static str,
    /// Channels with a capacity are used.
    pub(crate) bounded: bool,
    /// `select!` without a path is insyn's.
    own_select: bool,
    /// `#[instrument]` without a path is insyn's.
    pub(crate) own_instrument: bool,
}

impl Facts {
    pub(crate) fn of(source: &str, items: &[Item]) -> Self {
        let mut facts = Facts {
            channels: match (source.contains("crossbeam_channel"), source.contains("crossbeam::channel")) {
                (true, _) => "crossbeam_channel",
                (_, true) => "crossbeam::channel",
                _ => "std::sync::mpsc",
            },
            bounded: ["sync_channel", "SyncSender", "crossbeam"].iter().any(|word| source.contains(word)),
            ..Facts::default()
        };
        facts.collect(items);
        facts
    }

    fn collect(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Use(item) => self.import(&item.tree, false),
                Item::Mod(module) => self.collect(module.content.as_ref().map_or(&[], |(_, items)| items)),
                _ => {}
            }
        }
    }

    fn import(&mut self, tree: &UseTree, own: bool) {
        match tree {
            UseTree::Path(path) => self.import(&path.tree, own || path.ident == "insyn"),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.import(tree, own)),
            UseTree::Name(name) if own => {
                self.own_select |= name.ident == "select";
                self.own_instrument |= name.ident == "instrument";
            }
            _ => {}
        }
    }

    /// Whether channels are crossbeam's.
    pub(crate) fn is_crossbeam(&self) -> bool {
        self.channels.starts_with("crossbeam")
    }

    /// Whether a `select!` is insyn's, which has guards, and not crossbeam's.
    pub(crate) fn is_own_select(&self, path: &syn::Path, select: &Select) -> bool {
        let first = path.segments.first().map(|first| first.ident.to_string());
        match (path.segments.len(), first.as_deref()) {
            (1, _) => {
                self.own_select || select.arms.iter().any(|arm| arm.word == "accept" || arm.guard.is_some())
            }
            (_, first) => first == Some("insyn"),
        }
    }
}
