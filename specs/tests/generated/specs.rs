//! Specifications: parameters, state, events with guards and updates, constraints.

use insyn_generator::{Limit, Tape, check, yaml};
use insyn_sequences::{Op, Termination};
use insyn_specs::spec::{Bounds, Verdict};
use insyn_specs::{Spec, Word};
use serde_json::{Map, Value, json};

use crate::accepted;

/// Expressions are kept with the place of each of their parts.
const MEMORY: Limit = Limit { base: 256 << 10, per_byte: 2 << 10 };

/// The names that an expression may use, by type.
#[derive(Clone, Default)]
struct Names {
    numbers: Vec<&'static str>,
    truths: Vec<&'static str>,
    texts: Vec<&'static str>,
    /// Lists and families of numbers, with an index that is there.
    families: Vec<(&'static str, String)>,
}

/// An event and the types of its arguments.
struct Event {
    name: &'static str,
    arguments: Vec<&'static str>,
}

fn number(tape: &mut Tape<'_>, names: &Names, depth: usize) -> String {
    match tape.below(if depth > 0 { 10 } else { 4 }) {
        0 => tape.up_to(3).to_string(),
        1 if !names.numbers.is_empty() => tape.word(&names.numbers).to_owned(),
        2 if !names.families.is_empty() => {
            let (name, index) = tape.pick(&names.families);
            if tape.chance(40) { format!("length({name})") } else { format!("{name}[{index}]") }
        }
        4..7 => {
            let [a, b] = [(), ()].map(|()| number(tape, names, depth - 1));
            format!("{a} {} {b}", tape.word(&["+", "-", "*", "/", "%"]))
        }
        7 => format!("({})", number(tape, names, depth - 1)),
        8 => format!("- {}", number(tape, names, depth - 1)),
        9 => {
            let condition = truth(tape, names, depth - 1);
            let [a, b] = [(), ()].map(|()| number(tape, names, depth - 1));
            format!("(if {condition} then {a} else {b})")
        }
        _ => tape.integer().saturating_abs().to_string(),
    }
}

fn truth(tape: &mut Tape<'_>, names: &Names, depth: usize) -> String {
    match tape.below(if depth > 0 { 9 } else { 2 }) {
        1 if !names.truths.is_empty() => tape.word(&names.truths).to_owned(),
        2 | 3 => {
            let [a, b] = [(), ()].map(|()| number(tape, names, depth - 1));
            format!("{a} {} {b}", tape.word(&["<", "<=", "==", "!=", ">=", ">"]))
        }
        4 | 5 => {
            let [a, b] = [(), ()].map(|()| truth(tape, names, depth - 1));
            format!("({a}) {} ({b})", tape.word(&["and", "or", "==", "!="]))
        }
        6 => format!("not ({})", truth(tape, names, depth - 1)),
        7 if !names.texts.is_empty() => format!("{} == 'A'", tape.word(&names.texts)),
        8 => format!("({})", truth(tape, names, depth - 1)),
        _ => tape.word(&["true", "false"]).to_owned(),
    }
}

fn parameters(tape: &mut Tape<'_>, names: &mut Names) -> Value {
    let mut all = Map::new();
    for name in ["capacity", "clients"] {
        if tape.chance(60) {
            let value = tape.up_to(3);
            let long = json!({"type": "integer", "from": format!("server.{name}"), "default": value});
            all.insert(name.to_owned(), if tape.chance(30) { long } else { value.into() });
            names.numbers.push(name);
        }
    }
    if tape.chance(40) {
        let items: Vec<usize> = (0..=tape.up_to(2)).collect();
        let long = json!({"list": true, "default": items});
        all.insert("items".into(), if tape.chance(30) { long } else { items.into() });
        names.families.push(("items", "0".into()));
    }
    if tape.chance(30) {
        all.insert("mode".into(), tape.word(&["A", "B"]).into());
        names.texts.push("mode");
    }
    Value::Object(all)
}

fn state(tape: &mut Tape<'_>, constants: &Names, names: &mut Names) -> Value {
    let mut all = Map::new();
    for name in ["full", "waiting"] {
        if tape.chance(60) {
            all.insert(name.to_owned(), number(tape, constants, 1).into());
            names.numbers.push(name);
        }
    }
    if tape.chance(50) {
        all.insert("busy".into(), truth(tape, constants, 1).into());
        names.truths.push("busy");
    }
    if tape.chance(40) {
        let last =
            if constants.numbers.is_empty() { "2".to_owned() } else { constants.numbers[0].to_owned() };
        all.insert(
            "seats".into(),
            json!({"over": format!("0..{last}"), "initially": number(tape, constants, 0)}),
        );
        names.families.push(("seats", "0".into()));
    }
    Value::Object(all)
}

/// What an event of the program looks like; `argument` is to be in it.
fn matcher(tape: &mut Tape<'_>, arguments: &[&str]) -> Value {
    let ops: Vec<&str> = Op::recorded().map(Op::word).collect();
    let mut matcher = match tape.below(4) {
        0 => json!({"entry": tape.word(&yaml::WORDS)}),
        1 => json!({"op": tape.word(&ops), "on": tape.word(&["requests", "main/*", "*"])}),
        2 => json!({"op": tape.word(&ops), "from": tape.word(&["nothing", "closed", "anything", "client*"])}),
        _ => json!({"label": tape.word(&yaml::WORDS)}),
    };
    let places: Vec<String> = arguments.iter().map(|it| format!("<{it}>")).collect();
    if !places.is_empty() {
        matcher["thread"] = format!("worker{}", places.join("-")).into();
    }
    matcher
}

fn events(tape: &mut Tape<'_>, constants: &Names, names: &Names) -> (Value, Vec<Event>) {
    let mut all = Map::new();
    let mut events = Vec::new();
    for name in &["deposit", "withdraw", "close"][..=tape.up_to(2)] {
        let (mut event, mut inner) = (Map::new(), names.clone());
        let mut arguments = Vec::new();
        let mut domains = Map::new();
        for argument in &["p", "q"][..[0, 0, 1, 2][tape.below(4)]] {
            let domain = match tape.below(5) {
                0 => json!("0..2"),
                1 if !constants.numbers.is_empty() => json!(format!("1..{}", constants.numbers[0])),
                2 if constants.families.iter().any(|it| it.0 == "items") => json!("items"),
                3 => json!([0, 1]),
                _ => json!("integer"),
            };
            domains.insert((*argument).to_owned(), domain);
            arguments.push(*argument);
            inner.numbers.push(argument);
        }
        if arguments.len() == 2 || tape.chance(60) {
            event.insert("match".into(), matcher(tape, &arguments));
        }
        if !arguments.is_empty() {
            event.insert("arguments".into(), Value::Object(domains));
        }
        if tape.chance(60) {
            event.insert("when".into(), truth(tape, &inner, 3).into());
        }
        if tape.chance(60) {
            let mut then = Map::new();
            for variable in ["full", "waiting"].iter().filter(|it| names.numbers.contains(it)) {
                then.insert((*variable).to_owned(), number(tape, &inner, 2).into());
            }
            if names.truths.contains(&"busy") {
                then.insert("busy".into(), truth(tape, &inner, 2).into());
            }
            if names.families.iter().any(|it| it.0 == "seats") {
                then.insert("seats[0]".into(), number(tape, &inner, 1).into());
            }
            event.insert("then".into(), Value::Object(then));
        }
        if tape.chance(20) {
            event.insert("about".into(), "a note".into());
        }
        let is_empty = event.is_empty() && tape.chance(50);
        all.insert((*name).to_owned(), if is_empty { Value::Null } else { Value::Object(event) });
        events.push(Event { name, arguments });
    }
    (Value::Object(all), events)
}

/// An event in a constraint.
fn term(tape: &mut Tape<'_>, events: &[Event]) -> String {
    let event = tape.pick(events);
    if event.arguments.is_empty() || tape.chance(40) {
        return event.name.to_owned();
    }
    let argument = |argument: &&str| match tape.below(4) {
        0 => "_".to_owned(),
        1 => "1".to_owned(),
        2 => format!("v{argument}"),
        _ => "0".to_owned(),
    };
    let arguments: Vec<String> = event.arguments.iter().map(argument).collect();
    format!("{}({})", event.name, arguments.join(", "))
}

fn constraint(tape: &mut Tape<'_>, events: &[Event]) -> String {
    let [a, b, c] = [(), (), ()].map(|()| term(tape, events));
    match tape.below(7) {
        0 => format!("{a} precedes {b}"),
        1 => format!("{a} precedes each {b}"),
        2 if a.split('(').next() != b.split('(').next() => format!("{a} alternates with {b}"),
        3 => format!("at most {} {a}", tape.up_to(3)),
        4 => format!("at most {} {a} between {b} and {c}", tape.up_to(3)),
        _ => {
            let how = tape.word(&["must", "may", "must never"]);
            format!("{a} {how} {}follow {b}", tape.word(&["", "directly "]))
        }
    }
}

fn spec(tape: &mut Tape<'_>) -> (String, Value) {
    let mut names = Names::default();
    let mut spec = json!({"insyn": "spec", "version": 1});
    let parameters = parameters(tape, &mut names);
    let constants = names.clone();
    let state = state(tape, &constants, &mut names);
    let (events, letters) = events(tape, &constants, &names);
    spec["events"] = events;
    for (key, value) in [("parameters", parameters), ("state", state)] {
        if value.as_object().is_some_and(|it| !it.is_empty()) {
            spec[key] = value;
        }
    }
    if tape.chance(30) {
        spec["hidden"] = (0..tape.up_to(3)).map(|_| matcher(tape, &[])).collect();
    }
    if tape.chance(50) {
        spec["accept"] = truth(tape, &names, 3).into();
    }
    if tape.chance(50) {
        spec["constraints"] = (0..tape.up_to(3)).map(|_| Value::from(constraint(tape, &letters))).collect();
    }
    if tape.chance(30) {
        spec["conformance"] = tape.word(&["equal", "subset", "superset"]).into();
    }
    if tape.chance(30) {
        let mut expect = json!({"termination": tape.pick(&Termination::WORDS).0});
        if tape.chance(50) {
            expect["output"] = if names.numbers.is_empty() { json!([1]) } else { names.numbers[0].into() };
        }
        spec["expect"] = expect;
    }
    (yaml::document(tape, &spec), spec)
}

#[test]
fn specs() {
    let read = |text: &str| accepted(text, Spec::read("s.yaml", text));
    check("specification", MEMORY, spec, read, |text, spec, meant, is_whole| {
        if is_whole {
            let meant: Vec<&str> =
                meant["events"].as_object().expect("a map").keys().map(String::as_str).collect();
            assert_eq!(spec.events().collect::<Vec<_>>(), meant);
        }
        // Instances, words and verdicts: each is there or has a problem with a place in the file.
        for input in [Value::Null, json!({"capacity": 1, "server": {"clients": 2}, "items": [0]})] {
            let Some(instance) = accepted(text, spec.with(&input)) else { continue };
            let bounds = Bounds { length: 4, words: 20, steps: 500, states: 200 };
            for word in accepted(text, instance.words(bounds)).into_iter().flatten() {
                let Some(word) = accepted(text, word) else { break };
                assert_eq!(instance.judge(&word).expect("a word of its own"), Verdict::Valid, "{word:?}");
            }
            accepted(text, instance.judge(&Word::default()));
        }
    });
}
