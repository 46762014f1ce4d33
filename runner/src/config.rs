//! Settings that are not on the command line: variables of the environment, and `insyn.toml` or `[workspace.metadata.insyn]`.
//!
//! A setting has the name of an option. The command line counts before the environment, the environment before the profile that
//! was chosen, that profile before the profile `default`, and a profile before what is built in. The settings that count are
//! appended to the command line, so that each means what its option means.

mod file;
#[cfg(test)]
mod generated;
#[cfg(test)]
mod tests;

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};
use clap::ArgMatches;
use clap::parser::ValueSource;
use insyn_sequences::harmless;
use insyn_specs::nearest;

use crate::display::Paint;
use crate::exit::label;
use file::Profiles;

/// The options that can be set, by their long names.
pub(crate) const SETTINGS: [&str; 26] = [
    "all-features",
    "collect",
    "color",
    "drivers",
    "exclude",
    "features",
    "first-failure",
    "jobs",
    "locked",
    "max-executions",
    "max-sequences",
    "max-steps",
    "memory",
    "no-default-features",
    "offline",
    "operators",
    "patience",
    "profile",
    "quiet",
    "record-limit",
    "release",
    "target-dir",
    "time-limit",
    "verbose",
    "workers",
    "workspace",
];

/// The option that chooses a profile. It has a variable, but cannot be set in a profile.
const CHOICE: &str = "config-profile";

/// How the names of insyn's variables begin.
const PREFIX: &str = "INSYN_";

/// The variable of an option: `INSYN_MAX_STEPS` is that of `--max-steps`.
pub(crate) fn variable(option: &str) -> String {
    format!("{PREFIX}{}", option.to_uppercase().replace('-', "_"))
}

/// The value of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Value {
    Text(String),
    Flag(bool),
    List(Vec<String>),
}

/// A setting, and where it was made.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Setting {
    option: &'static str,
    value: Value,
    /// A place in a file, or a variable.
    origin: String,
}

impl Setting {
    /// The arguments that mean the same.
    fn arguments(&self) -> Vec<OsString> {
        let with = |value: &String| OsString::from(format!("--{}={value}", self.option));
        match &self.value {
            Value::Text(value) => vec![with(value)],
            Value::List(values) => values.iter().map(with).collect(),
            Value::Flag(true) => vec![OsString::from(format!("--{}", self.option))],
            Value::Flag(false) => Vec::new(),
        }
    }
}

/// Appends the settings that count to a command line that can be parsed.
///
/// # Errors
/// If a setting is unknown or has a wrong value: the message says where.
pub(crate) fn complete(
    arguments: Vec<OsString>,
    command: &clap::Command,
    matches: &ArgMatches,
) -> Result<Vec<OsString>> {
    let profiles = |matches: &ArgMatches| match root(matches) {
        Some(root) => Profiles::read(command, &root),
        None => Ok(None),
    };
    complete_with(arguments, command, matches, env::vars_os().collect(), profiles)
}

fn complete_with(
    arguments: Vec<OsString>,
    all: &clap::Command,
    matches: &ArgMatches,
    variables: Vec<(OsString, OsString)>,
    profiles: impl FnOnce(&ArgMatches) -> Result<Option<Profiles>>,
) -> Result<Vec<OsString>> {
    let Some((name, matches)) = matches.subcommand() else { return Ok(arguments) };
    let (command_name, command, matches) = innermost(name, all, matches);
    let (environment, choice) = from_environment(all, variables)?;
    let mut layers = vec![environment];
    if has(command, CHOICE) {
        let chosen = given(matches, CHOICE).or(choice);
        if let Some(profiles) = profiles(matches)? {
            layers.extend(profiles.layers(chosen.as_deref(), &command_name)?);
        } else if let Some(chosen) = chosen.filter(|it| it != file::DEFAULT) {
            bail!(
                "there is no profile `{}`: the workspace has no insyn.toml and no `[workspace.metadata.insyn]`",
                harmless::text(&chosen)
            );
        }
    }
    let is_typed = |option: &str| {
        has(command, option) && matches.value_source(&id(option)) == Some(ValueSource::CommandLine)
    };
    let mut counting: Vec<Setting> = Vec::new();
    for layer in layers {
        let is_new = |it: &Setting| {
            let shadows = |other: &&str| **other == *it.option || conflict(command, other, it.option);
            let typed = SETTINGS.iter().chain([&"package"]).copied().filter(|other| is_typed(other));
            let mut before = typed.chain(counting.iter().map(|other| other.option));
            has(command, it.option) && !before.any(|other| shadows(&other))
        };
        let new: Vec<Setting> = layer.into_iter().filter(is_new).collect();
        counting.extend(new);
    }
    // Packages are left out of a workspace only.
    let is_whole = is_typed("workspace")
        || counting.iter().any(|it| it.option == "workspace" && it.value == Value::Flag(true));
    counting.retain(|it| it.option != "exclude" || is_whole);
    // Those that others need come first.
    counting.sort_by_key(|it| it.option != "workspace");
    append(arguments, all, &counting)
}

/// Appends settings one by one, so that one with a wrong value can be named.
fn append(mut arguments: Vec<OsString>, all: &clap::Command, settings: &[Setting]) -> Result<Vec<OsString>> {
    for setting in settings {
        // What follows `--` are no options.
        let end = arguments.iter().position(|it| it == "--").unwrap_or(arguments.len());
        arguments.splice(end..end, setting.arguments());
        if let Err(error) = all.clone().try_get_matches_from(&arguments)
            && error.use_stderr()
        {
            let text = error.to_string();
            let reason = text.lines().next().unwrap_or_default().trim_start_matches("error: ");
            bail!("{}: {}", setting.origin, harmless::text(reason));
        }
    }
    Ok(arguments)
}

/// The command that was asked for: the last of the names on the command line that is one.
fn innermost<'c, 'm>(
    name: &str,
    command: &'c clap::Command,
    matches: &'m ArgMatches,
) -> (String, &'c clap::Command, &'m ArgMatches) {
    let command = command.find_subcommand(name).expect("it was parsed");
    match matches.subcommand() {
        Some((inner, matches)) => innermost(inner, command, matches),
        None => (name.to_owned(), command, matches),
    }
}

/// The name by which clap knows an option.
fn id(option: &str) -> String {
    option.replace('-', "_")
}

fn has(command: &clap::Command, option: &str) -> bool {
    command.get_arguments().any(|it| it.get_long() == Some(option))
}

fn given(matches: &ArgMatches, option: &str) -> Option<String> {
    matches.get_one::<String>(&id(option)).cloned()
}

/// Whether a command does not take both options.
fn conflict(command: &clap::Command, one: &str, other: &str) -> bool {
    let find = |name: &str| command.get_arguments().find(|it| it.get_long() == Some(name));
    let (Some(one), Some(other)) = (find(one), find(other)) else { return false };
    let excludes = |a: &clap::Arg, b: &clap::Arg| {
        command.get_arg_conflicts_with(a).iter().any(|it| it.get_id() == b.get_id())
    };
    excludes(one, other) || excludes(other, one)
}

/// The settings of the environment, and the profile that it chooses. A variable that looks like one of insyn's, and is none, is
/// reported.
fn from_environment(
    all: &clap::Command,
    variables: Vec<(OsString, OsString)>,
) -> Result<(Vec<Setting>, Option<String>)> {
    let known: Vec<(String, &'static str)> =
        SETTINGS.iter().chain([&CHOICE]).map(|&option| (variable(option), option)).collect();
    let (mut settings, mut choice) = (Vec::new(), None);
    for (name, value) in variables {
        let Some(name) = name.to_str().filter(|it| it.starts_with(PREFIX)) else { continue };
        if let Some((name, option)) = known.iter().find(|(it, _)| it == name) {
            let Some(value) = value.to_str() else { bail!("{name}: its value is not UTF-8") };
            // An empty variable is no setting.
            if value.is_empty() {
            } else if *option == CHOICE {
                choice = Some(value.to_owned());
            } else {
                let value = parse(all, name, option, value)?;
                settings.push(Setting { option, value, origin: name.clone() });
            }
        } else if !INTERNAL.contains(&name)
            && let Some(near) =
                nearest(&name[PREFIX.len()..], known.iter().map(|(it, _)| &it[PREFIX.len()..]))
        {
            let name = harmless::text(name);
            let message = format!("{name} is not a variable of insyn; did you mean {PREFIX}{near}?");
            label(Paint::Warning, "warning", &message);
        }
    }
    settings.sort_by_key(|it| it.option);
    Ok((settings, choice))
}

/// The variables that the parts of insyn use among each other.
const INTERNAL: [&str; 6] = [
    insyn_verdicts::protocol::SWITCH,
    insyn_verdicts::protocol::MEMORY,
    insyn_verdicts::protocol::PARENT,
    insyn_verdicts::protocol::JOURNAL,
    insyn_mutator::LIST_VARIABLE,
    insyn_mutator::TRIAL_VARIABLE,
];

/// The value of a variable.
fn parse(all: &clap::Command, name: &str, option: &str, value: &str) -> Result<Value> {
    Ok(match kind(all, option) {
        Kind::Text => Value::Text(value.to_owned()),
        Kind::List => {
            Value::List(value.split([',', ' ']).filter(|it| !it.is_empty()).map(str::to_owned).collect())
        }
        Kind::Flag => Value::Flag(match value {
            "1" | "true" => true,
            "0" | "false" => false,
            _ => bail!("{name}: write `true` or `false`, not `{}`", harmless::text(value)),
        }),
    })
}

/// What values a setting takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Text,
    Flag,
    List,
}

fn kind(command: &clap::Command, option: &str) -> Kind {
    let mut options = command.get_subcommands().flat_map(clap::Command::get_arguments);
    let found = options.find(|it| it.get_long() == Some(option));
    let found = found.or_else(|| command.get_arguments().find(|it| it.get_long() == Some(option)));
    match found.map(clap::Arg::get_action) {
        Some(clap::ArgAction::SetTrue) => Kind::Flag,
        Some(clap::ArgAction::Append) => Kind::List,
        _ => Kind::Text,
    }
}

/// The root of the workspace that a command is about; none if cargo finds none, which the command reports.
fn root(matches: &ArgMatches) -> Option<PathBuf> {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(["locate-project", "--workspace", "--message-format", "plain"]);
    if let Some(path) = matches.get_one::<PathBuf>("manifest_path") {
        command.arg("--manifest-path").arg(path);
    }
    let output = command.output().ok().filter(|it| it.status.success())?;
    let manifest = PathBuf::from(String::from_utf8(output.stdout).ok()?.trim_end());
    Some(manifest.parent()?.to_owned())
}
