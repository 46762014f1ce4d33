//! The configuration of a workspace: `insyn.toml` at its root, or `[workspace.metadata.insyn]` in its Cargo.toml.

use std::fs;
use std::io::ErrorKind;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context, Result, bail};
use insyn_sequences::harmless;
use insyn_specs::nearest;
use toml_edit::{Document, Item, Key, TableLike, Value as Toml};

use super::{Kind, SETTINGS, Setting, Value, kind};

/// The profile that the others are based on.
pub(super) const DEFAULT: &str = "default";

/// The file of its own.
const FILE: &str = "insyn.toml";

/// A profile: its settings, and those for single commands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Profile {
    name: String,
    settings: Vec<Setting>,
    commands: Vec<(String, Vec<Setting>)>,
}

/// All profiles of a workspace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Profiles {
    /// The file that they are in.
    file: String,
    profiles: Vec<Profile>,
}

impl Profiles {
    /// Reads the configuration of the workspace with this root; none if it has none.
    pub(super) fn read(all: &clap::Command, root: &Path) -> Result<Option<Profiles>> {
        let manifest = root.join("Cargo.toml");
        // Cargo reports what is wrong with its own file.
        let in_manifest =
            fs::read_to_string(&manifest).ok().and_then(|text| Self::in_manifest(all, &text).transpose());
        let path = root.join(FILE);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return in_manifest.transpose(),
            Err(error) => {
                return Err(error).with_context(|| format!("{} cannot be read", path.display()));
            }
        };
        if in_manifest.is_some() {
            bail!(
                "the configuration is in two places: {} and `[workspace.metadata.insyn]` in {}; keep one of them",
                path.display(),
                manifest.display()
            );
        }
        Self::of_file(all, &text).map(Some)
    }

    /// Reads the text of `insyn.toml`.
    pub(super) fn of_file(all: &clap::Command, text: &str) -> Result<Profiles> {
        let document: Document<&str> = match Document::parse(text) {
            Ok(document) => document,
            Err(error) => {
                let at = error.span().map_or_else(|| FILE.to_owned(), |span| place(FILE, text, Some(span)));
                bail!("{at}: {}", harmless::line(error.message()));
            }
        };
        Source { all, file: FILE, text }.profiles(document.as_table())
    }

    /// Reads the table in the text of a Cargo.toml; none if there is none.
    fn in_manifest(all: &clap::Command, text: &str) -> Result<Option<Profiles>> {
        let Ok(document) = Document::parse(text) else { return Ok(None) };
        let path = ["workspace", "metadata", "insyn"];
        let Some(table) = path.iter().try_fold(document.as_item(), |item, key| item.get(key)) else {
            return Ok(None);
        };
        let source = Source { all, file: "Cargo.toml", text };
        source.profiles(source.table(table, "workspace.metadata.insyn")?).map(Some)
    }

    /// The settings of a profile for a command, those that count most first.
    pub(super) fn layers(&self, chosen: Option<&str>, command: &str) -> Result<Vec<Vec<Setting>>> {
        let chosen = chosen.unwrap_or(DEFAULT);
        let find = |name: &str| self.profiles.iter().find(|it| it.name == name);
        if chosen != DEFAULT && find(chosen).is_none() {
            let names: Vec<&str> = self.profiles.iter().map(|it| it.name.as_str()).collect();
            let hint = match nearest(chosen, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are: {}", names.join(", ")),
            };
            bail!("{} has no profile `{}`; {}", self.file, harmless::text(chosen), harmless::text(&hint));
        }
        let mut layers = Vec::new();
        for profile in [chosen, DEFAULT].into_iter().filter_map(find) {
            layers.extend(profile.commands.iter().filter(|(name, _)| name == command).map(|it| it.1.clone()));
            layers.push(profile.settings.clone());
        }
        Ok(layers)
    }
}

/// A text that is read, and its name.
#[derive(Clone, Copy)]
struct Source<'t> {
    /// The command line.
    all: &'t clap::Command,
    file: &'static str,
    text: &'t str,
}

impl Source<'_> {
    fn profiles(self, table: &dyn TableLike) -> Result<Profiles> {
        let mut profiles = Vec::new();
        for (name, item) in table.iter() {
            if name != "profile" {
                return Err(self.unknown(table.key(name), name, "configuration", &["profile"]));
            }
            for (name, item) in self.table(item, "profile")?.iter() {
                profiles.push(self.profile(name, self.table(item, name)?)?);
            }
        }
        Ok(Profiles { file: self.file.to_owned(), profiles })
    }

    fn profile(self, name: &str, table: &dyn TableLike) -> Result<Profile> {
        let mut profile = Profile { name: name.to_owned(), ..Profile::default() };
        let commands: Vec<&str> = self.all.get_subcommands().map(clap::Command::get_name).collect();
        for (key, item) in table.iter() {
            if item.is_table_like() && commands.contains(&key) {
                let settings = self.settings(key, self.table(item, key)?)?;
                profile.commands.push((key.to_owned(), settings));
            } else {
                profile.settings.push(self.setting(
                    table,
                    key,
                    item,
                    &format!("profile `{name}`"),
                    &commands,
                )?);
            }
        }
        Ok(profile)
    }

    fn settings(self, command: &str, table: &dyn TableLike) -> Result<Vec<Setting>> {
        let whole = format!("table `{command}`");
        table.iter().map(|(key, item)| self.setting(table, key, item, &whole, &[])).collect()
    }

    fn setting(
        self,
        table: &dyn TableLike,
        key: &str,
        item: &Item,
        whole: &str,
        others: &[&str],
    ) -> Result<Setting> {
        let Some(&option) = SETTINGS.iter().find(|it| **it == key) else {
            let known: Vec<&str> = SETTINGS.iter().chain(others).copied().collect();
            return Err(self.unknown(table.key(key), key, whole, &known));
        };
        let origin = place(self.file, self.text, item.span());
        let found = match item.as_value() {
            Some(Toml::String(it)) => Some(Value::Text(it.value().clone())),
            Some(Toml::Integer(it)) => Some(Value::Text(it.value().to_string())),
            Some(Toml::Boolean(it)) => Some(Value::Flag(*it.value())),
            Some(Toml::Array(all)) => {
                all.iter().map(|it| it.as_str().map(str::to_owned)).collect::<Option<_>>().map(Value::List)
            }
            _ => None,
        };
        let value = match (kind(self.all, option), found) {
            (Kind::Flag, Some(value @ Value::Flag(_))) => value,
            (Kind::List, Some(value @ Value::List(_))) => value,
            (Kind::List, Some(Value::Text(one))) => Value::List(vec![one]),
            (Kind::Text, Some(value @ Value::Text(_))) => value,
            (Kind::Flag, _) => bail!("{origin}: `{key}` takes `true` or `false`"),
            (Kind::List, _) => bail!("{origin}: `{key}` takes a list of texts, such as `[\"a\", \"b\"]`"),
            (Kind::Text, _) => bail!("{origin}: `{key}` takes a text or a number"),
        };
        Ok(Setting { option, value, origin })
    }

    fn table<'i>(self, item: &'i Item, name: &str) -> Result<&'i dyn TableLike> {
        let at = || place(self.file, self.text, item.span());
        item.as_table_like().with_context(|| format!("{}: `{}` is not a table", at(), harmless::text(name)))
    }

    /// The error of a key that means nothing.
    fn unknown(self, key: Option<&Key>, name: &str, whole: &str, known: &[&str]) -> anyhow::Error {
        let at = place(self.file, self.text, key.and_then(Key::span));
        let hint = match nearest(name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("known are: {}", known.join(", ")),
        };
        anyhow::anyhow!("{at}: unknown key `{}` in {}; {hint}", harmless::text(name), harmless::text(whole))
    }
}

/// A place in a file: `insyn.toml:3:1`.
fn place(file: &str, text: &str, span: Option<Range<usize>>) -> String {
    let Some(before) = span.and_then(|span| text.get(..span.start)) else { return file.to_owned() };
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    format!("{file}:{line}:{column}")
}
