//! Sequence files: processes, events, picks, labels and race tables.

use insyn_generator::{Tape, check, yaml};
use insyn_sequences::failing::{Failing, Waiting};
use insyn_sequences::report::{self, Style};
use insyn_sequences::timestamps::{ObjectCentric, ThreadCentric};
use insyn_sequences::{
    Kind, Op, Order, RwSequence, SequenceFile, Termination, TotalView, observed_events, text,
};
use insyn_specs::file;
use serde_json::{Map, Value, json};

use crate::MEMORY;

/// Ids of processes, of which a file has the first few.
const IDS: [&str; 6] =
    ["main", "main/channel1", "main/thread1", "main/mutex1", "main/thread1/atomic1", "main/thread2"];

/// The processes of a sequence, and how many events each has.
pub(crate) fn processes(tape: &mut Tape<'_>) -> (Value, Vec<(&'static str, usize)>) {
    let counts: Vec<(&str, usize)> =
        IDS.iter().take(1 + tape.up_to(IDS.len() - 1)).map(|&id| (id, tape.up_to(3))).collect();
    let all = counts.iter().map(|&(id, events)| {
        let kind = if tape.chance(80) {
            let kinds = ["thread", "channel", "mutex", "atomic"];
            kinds
                .into_iter()
                .find(|kind| id.trim_end_matches(char::is_numeric).ends_with(kind))
                .unwrap_or("thread")
        } else {
            tape.pick(&Kind::ALL).word()
        };
        let mut process = json!({"id": id, "kind": kind});
        if events > 0 || tape.chance(50) {
            process["events"] = (0..events).map(|_| event(tape, &counts)).collect();
        }
        if tape.chance(30) {
            process["name"] = tape.word(&yaml::WORDS).into();
        }
        process
    });
    (all.collect(), counts)
}

/// The name of an event that there is, if there is any.
fn name(tape: &mut Tape<'_>, counts: &[(&str, usize)]) -> Option<Value> {
    let some: Vec<_> = counts.iter().filter(|(_, events)| *events > 0).collect();
    let (id, events) = some.get(tape.below(some.len().max(1)))?;
    Some(format!("{id}#{}", tape.below(*events)).into())
}

fn names(tape: &mut Tape<'_>, counts: &[(&str, usize)]) -> Option<Value> {
    match tape.chance(70) {
        true => name(tape, counts),
        false => Some((0..tape.up_to(3)).filter_map(|_| name(tape, counts)).collect()),
    }
}

fn event(tape: &mut Tape<'_>, counts: &[(&str, usize)]) -> Value {
    let mut event = Map::new();
    let ops: Vec<Op> = Op::recorded().collect();
    event.insert("op".into(), tape.pick(&ops).word().into());
    if tape.chance(60) {
        let on = if tape.chance(10) { Value::Null } else { tape.pick(counts).0.into() };
        event.insert("on".into(), on);
    }
    if tape.chance(50) {
        let from = if tape.chance(30) { Some("nothing".into()) } else { names(tape, counts) };
        event.extend(from.map(|it| ("from".to_owned(), it)));
    }
    if tape.chance(20) {
        event.extend(names(tape, counts).map(|it| ("after".to_owned(), it)));
    }
    if tape.chance(20) {
        let ids: Value = (0..tape.up_to(3)).map(|_| Value::from(tape.pick(counts).0)).collect();
        event.insert("empty".into(), if tape.chance(50) { ids } else { tape.pick(counts).0.into() });
    }
    if tape.chance(20) {
        event.insert("label".into(), tape.word(&yaml::WORDS).into());
        if tape.chance(50) {
            let values = [json!(true), json!(tape.integer()), json!(tape.word(&yaml::WORDS))];
            event.insert("value".into(), tape.pick(&values).clone());
        }
    }
    if tape.chance(50) {
        event.insert("at".into(), format!("src/main.rs:{}:{}", tape.up_to(99), tape.up_to(99)).into());
    }
    Value::Object(event)
}

fn races(tape: &mut Tape<'_>, counts: &[(&str, usize)]) -> Value {
    let mut sizes = Vec::new();
    let mut columns = Vec::new();
    for _ in 0..tape.up_to(3) {
        let Some(event) = name(tape, counts) else { break };
        let instead: Vec<Value> = (0..=tape.up_to(2))
            .filter_map(|_| if tape.chance(20) { Some("nothing".into()) } else { names(tape, counts) })
            .collect();
        sizes.push(instead.len());
        columns.push(json!({"event": event, "instead": instead}));
    }
    let row = |tape: &mut Tape<'_>| -> Value {
        sizes.iter().map(|&size| Value::from(tape.up_to(size + 1) as i64 - 1)).collect()
    };
    let rows: Vec<Value> = (0..tape.up_to(3)).map(|_| row(tape)).collect();
    let mut races = json!({"columns": columns, "rows": rows});
    if tape.chance(20) {
        races["more"] = true.into();
    }
    races
}

fn sequence(tape: &mut Tape<'_>) -> (String, Value) {
    let (processes, counts) = processes(tape);
    let mut file = json!({"insyn": "sequence", "version": 1, "processes": processes});
    if tape.chance(50) {
        file["about"] =
            json!({"program": tape.word(&yaml::WORDS), "seed": tape.integer(), "note": yaml::data(tape, 0)});
        if file["about"]["note"].is_null() {
            file["about"]["note"] = "none".into();
        }
    }
    if tape.chance(50) {
        file["ended"] = tape.pick(&Termination::WORDS).0.into();
    }
    if tape.chance(40) {
        file["races"] = races(tape, &counts);
    }
    (yaml::document(tape, &file), file)
}

#[test]
fn sequences() {
    let read = |text: &str| match file::read(text) {
        Ok(file) => Some(file),
        Err(error) => {
            assert!(!error.to_string().is_empty());
            None
        }
    };
    check("sequence", MEMORY, sequence, read, |_, found: SequenceFile, meant, is_whole| {
        if is_whole {
            let events = |of: &Value| of["events"].as_array().map_or(0, Vec::len);
            let meant: usize = meant["processes"].as_array().expect("a list").iter().map(events).sum();
            assert_eq!(found.sequence.processes.iter().map(|it| it.events.len()).sum::<usize>(), meant);
        }
        // What is written is read back, in both forms.
        let written = found.write().expect("what was read can be written");
        assert_eq!(file::read(&written).as_ref(), Ok(&found), "{written}");
        let json = found.to_json().expect("what was read can be written");
        assert_eq!(SequenceFile::from_json(&json).as_ref(), Ok(&found), "{json}");
        use_everywhere(&found);
    });
}

/// Everything that takes a sequence takes one that a person wrote, whether or not its events can have happened.
fn use_everywhere(file: &SequenceFile) {
    let sequence = &file.sequence;
    let waiting = |process: &insyn_sequences::Process| Waiting {
        thread: process.id.clone(),
        on: vec![process.id.clone()],
        ..Waiting::default()
    };
    let failing = Failing { waiting: sequence.processes.iter().map(waiting).collect(), ..Failing::default() };
    for width in [1, 40, 80] {
        let style = Style { width, full: width == 80, ..Style::default() };
        report::render(sequence, &failing, &style);
    }
    if let Ok(versions) = RwSequence::of(sequence) {
        versions.race_variants();
        versions.diagram_within(200);
    }
    let Ok(order) = Order::of(sequence) else { return };
    assert_eq!(order.line().len(), sequence.events().count());
    text::render_order(&order);
    observed_events(&order);
    let stamps = ThreadCentric::of(&order);
    sequence.events().for_each(|at| drop(stamps.stamp(at).to_vec()));
    let _ = ObjectCentric::of(&order);
    let total = TotalView::of_order(&order);
    if let (Ok(threads), Ok(objects)) = (total.to_threads(), total.to_objects()) {
        let _ = (threads.to_total(), objects.to_total(), threads.immediate(), objects.immediate());
    }
}
