//! Many configurations, most of them valid: no panic, bounded memory, and each setting is read as it is written.

use insyn_generator::{Limit, Tape, check};

use super::file::Profiles;
use super::{Kind, SETTINGS, Setting, Value, kind};

const MEMORY: Limit = Limit { base: 1 << 20, per_byte: 2 << 10 };

const NAMES: [&str; 3] = ["default", "ci", "nightly"];

/// The profiles that a text has: for each, its settings and those for `mutate`.
type Meant = Vec<(&'static str, Vec<(&'static str, Value)>, Vec<(&'static str, Value)>)>;

/// Some settings, each once, and their lines.
fn settings(tape: &mut Tape<'_>, command: &clap::Command, text: &mut String) -> Vec<(&'static str, Value)> {
    let mut all = Vec::new();
    for option in SETTINGS {
        if !tape.chance(15) {
            continue;
        }
        let (value, written) = match kind(command, option) {
            Kind::Flag if tape.chance(50) => (Value::Flag(true), "true".to_owned()),
            Kind::Flag => (Value::Flag(false), "false".to_owned()),
            Kind::List => {
                let items: Vec<String> = ["a", "b c", "\u{e9}"]
                    .iter()
                    .filter(|_| tape.chance(60))
                    .map(|it| (*it).to_owned())
                    .collect();
                let quoted: Vec<String> = items.iter().map(|it| format!("\"{it}\"")).collect();
                (Value::List(items), format!("[{}]", quoted.join(", ")))
            }
            Kind::Text if tape.chance(50) => (Value::Text("1024".to_owned()), "1_024".to_owned()),
            Kind::Text => (Value::Text("always \u{1f980}".to_owned()), "'always \u{1f980}' # why".to_owned()),
        };
        text.push_str(&format!("{option} = {written}\n"));
        all.push((option, value));
    }
    all
}

#[test]
fn settings_are_read_as_they_are_written() {
    let command = crate::cli::command();
    let generate = |tape: &mut Tape<'_>| {
        let mut text = String::new();
        let mut meant: Meant = Vec::new();
        for name in NAMES {
            if !tape.chance(60) {
                continue;
            }
            text.push_str(&format!("[profile.{name}]\n"));
            let own = settings(tape, &command, &mut text);
            let mut of_mutate = Vec::new();
            if tape.chance(40) {
                text.push_str(&format!("\n[profile.{name}.mutate]\n"));
                of_mutate = settings(tape, &command, &mut text);
            }
            meant.push((name, own, of_mutate));
        }
        (text, meant)
    };
    let read = |text: &str| Profiles::of_file(&command, text).ok();
    check("insyn.toml", MEMORY, generate, read, |text, profiles: Profiles, meant, is_whole| {
        if !is_whole {
            // What was damaged and accepted can be asked for all the same.
            NAMES.into_iter().for_each(|name| drop(profiles.layers(Some(name), "mutate")));
            return;
        }
        let find = |name: &str| meant.iter().find(|it| it.0 == name);
        for name in NAMES {
            let Ok(layers) = profiles.layers(Some(name), "mutate") else {
                assert!(find(name).is_none(), "{text}");
                continue;
            };
            // The chosen profile comes before `default`, and in each its table for the command.
            let expected: Vec<&Vec<(&str, Value)>> =
                [name, "default"].into_iter().filter_map(find).flat_map(|it| [&it.2, &it.1]).collect();
            let found: Vec<Vec<(&str, Value)>> = layers
                .iter()
                .map(|layer| {
                    layer.iter().map(|Setting { option, value, .. }| (*option, value.clone())).collect()
                })
                .collect();
            let full = |layers: Vec<Vec<(&'static str, Value)>>| -> Vec<Vec<(&'static str, Value)>> {
                layers.into_iter().filter(|it| !it.is_empty()).collect()
            };
            let expected =
                expected.into_iter().map(|it| it.iter().map(|(o, v)| (*o, v.clone())).collect()).collect();
            assert_eq!(full(found), full(expected), "{text}");
        }
    });
}
