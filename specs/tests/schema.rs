//! The JSON Schemas for editors: what they allow is what can be read.

use insyn_sequences::Op;
use insyn_specs::{ProblemKind, Spec, TestFile, input};
use serde_json::Value as Data;

fn file(path: &str) -> String {
    std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn schema(kind: &str) -> Data {
    serde_json::from_str(&file(&format!("schema/{kind}.schema.json"))).unwrap()
}

fn validate(kind: &str, data: &Data) -> Result<(), String> {
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    let name = format!("{kind}.schema.json");
    compiler.add_resource(&name, schema(kind)).unwrap();
    let schema = compiler.compile(&name, &mut schemas).unwrap();
    schemas.validate(data, schema).map_err(|error| format!("{error:#}"))
}

fn examples() -> Vec<(String, String)> {
    let path = format!("{}/examples", env!("CARGO_MANIFEST_DIR"));
    let mut names: Vec<String> = std::fs::read_dir(path)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".yaml"))
        .collect();
    names.sort();
    names
        .into_iter()
        .map(|name| (file(&format!("examples/{name}")), name))
        .map(|(text, name)| (name, text))
        .collect()
}

#[test]
fn the_examples_fit() {
    assert!(examples().len() >= 5);
    for (name, text) in examples() {
        let data = input::read(&text).unwrap();
        let is_test = name.ends_with(".tests.yaml");
        let fits = validate(if is_test { "tests" } else { "spec" }, &data);
        assert_eq!(fits, Ok(()), "{name}");
        match is_test {
            true => drop(TestFile::read(&name, &text).unwrap()),
            false => drop(Spec::read(&name, &text).unwrap()),
        }
    }
}

/// What the schema refuses, the reader refuses too.
#[test]
fn mistakes_do_not_fit() {
    for wrong in [
        "events: {a: {wen: x}}",
        "events: []",
        "state: {x: 0}",
        "events: {a b: }",
        "events: {a: {match: {op: acept}}}",
        "events: {a: {match: {}}}",
        "events: {a: }\nconformance: equals",
        "events: {a: }\nconstraints: [a after a]",
        "events: {a: }\nexpect: {termination: dead}",
        "events: {a: }\nstate: {f: {over: 0..1}}",
    ] {
        let text = format!("insyn: spec\nversion: 1\n{wrong}\n");
        assert!(validate("spec", &input::read(&text).unwrap()).is_err(), "{wrong}");
        assert!(Spec::read("s.yaml", &text).is_err(), "{wrong}");
    }
}

/// The keys of the schema are those of the reader, and so are its operations.
#[test]
fn the_schema_knows_every_key() {
    let spec = schema("spec");
    let ops: Vec<&str> = Op::recorded().map(Op::word).collect();
    assert_eq!(spec["$defs"]["matcher"]["properties"]["op"]["enum"], serde_json::json!(ops));
    let keys = |data: &Data| data["properties"].as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let unknown = |text: String| match Spec::read("s.yaml", &text) {
        Err(problem) => problem.kind == ProblemKind::Unknown && problem.message.starts_with("unknown key"),
        Ok(_) => false,
    };
    for key in keys(&spec).iter().filter(|key| *key != "insyn" && *key != "version") {
        assert!(!unknown(format!("insyn: spec\nversion: 1\n{key}: ~\n")), "{key}");
    }
    for key in keys(&spec["properties"]["events"]["additionalProperties"]["oneOf"][1]) {
        assert!(!unknown(format!("insyn: spec\nversion: 1\nevents: {{a: {{{key}: ~}}}}\n")), "{key}");
    }
    for key in keys(&spec["$defs"]["matcher"]) {
        assert!(
            !unknown(format!("insyn: spec\nversion: 1\nevents: {{a: {{match: {{{key}: ~}}}}}}\n")),
            "{key}"
        );
    }
    assert!(unknown("insyn: spec\nversion: 1\nnone: ~\n".to_owned()));
}
