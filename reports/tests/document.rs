//! The document: written documents are read back and match the schema, and everything else is rejected with a useful message.

mod common;

use insyn_reports::document::{self, DocumentErrorKind, SCHEMA};
use insyn_verdicts::campaign::VERSION;
use serde_json::{Value, json};

fn fits(data: &Value) -> Result<(), String> {
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    compiler.add_resource("campaign.schema.json", serde_json::from_str(SCHEMA).unwrap()).unwrap();
    let schema = compiler.compile("campaign.schema.json", &mut schemas).unwrap();
    schemas.validate(data, schema).map_err(|error| format!("{error:#}"))
}

fn refused(text: &str) -> DocumentErrorKind {
    document::read(text).expect_err("it is refused").kind
}

#[test]
fn what_is_written_is_read_again_and_fits_the_schema() {
    for campaign in [common::example(), common::empty(), common::hostile(), common::large(20, 30)] {
        let text = document::write(&campaign);
        assert_eq!(document::read(&text).as_ref(), Ok(&campaign));
        assert_eq!(text, document::write(&document::read(&text).unwrap()));
        assert_eq!(fits(&serde_json::from_str(&text).unwrap()), Ok(()), "{}", campaign.package);
    }
}

/// The example has every field, so a field that the schema does not know, or knows under another name, does not fit.
#[test]
fn the_schema_knows_every_field() {
    let full = serde_json::to_value(common::example()).unwrap();
    let paths =
        ["", "/mutants", "/phases/0", "/families/0", "/programs/0", "/programs/0/validity", "/tests/0"];
    let more = ["/tests/0/original", "/tests/0/original/results/0", "/details/0", "/details/0/kills/0"];
    let rejected = ["/killed_by/0", "/details/0/rejections/0"];
    let last = ["/details/1/kills/1/departure/at", "/details/4/distinguishing"];
    for path in paths.iter().chain(&more).chain(&last).chain(&rejected) {
        let fields: Vec<String> = full.pointer(path).unwrap().as_object().unwrap().keys().cloned().collect();
        assert!(!fields.is_empty());
        for field in fields.iter().filter(|field| *field != "steps") {
            let mut without = full.clone();
            without.pointer_mut(path).unwrap().as_object_mut().unwrap().remove(field);
            assert!(fits(&without).is_err(), "{path} without {field} fits");
        }
        let mut more = full.clone();
        more.pointer_mut(path).unwrap()["and_more"] = json!(1);
        assert!(fits(&more).is_err(), "{path} with more fits");
    }
}

#[test]
fn nothing_is_refused_as_such() {
    assert_eq!(refused(""), DocumentErrorKind::Empty);
    assert_eq!(refused(" \n"), DocumentErrorKind::Empty);
}

#[test]
fn half_a_document_is_partial() {
    let text = document::write(&common::example());
    for end in [1, 100, text.len() / 2, text.len() - 3] {
        assert!(matches!(refused(&text[..end]), DocumentErrorKind::Partial { .. }), "{end}");
    }
}

#[test]
fn another_version_is_named() {
    let text = document::write(&common::example()).replacen("\"version\": 2", "\"version\": 99", 1);
    let error = document::read(&text).unwrap_err();
    assert_eq!(error.kind, DocumentErrorKind::Version { found: Some("99".into()) });
    assert!(error.to_string().contains(&format!("only version {VERSION} is supported")), "{error}");
    // Whatever other fields another version has.
    assert_eq!(
        refused("{\"version\": 1, \"runs\": []}"),
        DocumentErrorKind::Version { found: Some("1".into()) }
    );
    assert_eq!(refused("{}"), DocumentErrorKind::Version { found: None });
}

#[test]
fn damage_is_reported_with_its_position() {
    let text = document::write(&common::example()).replacen("\"builds\": 2", "\"builds\": two", 1);
    let DocumentErrorKind::Shape { line, message, .. } = refused(&text) else { panic!("it has no shape") };
    assert!(text.lines().nth(line - 1).unwrap().contains("builds"), "{line}: {message}");
    assert!(matches!(refused("[]"), DocumentErrorKind::Shape { .. }));
    assert!(matches!(refused("{\"version\": 2}"), DocumentErrorKind::Shape { .. }));
}

#[test]
fn dangling_indices_are_rejected() {
    let mut campaign = common::example();
    campaign.details[0].kills[0].test = 77;
    let DocumentErrorKind::Dangling { place, what, number, count } = refused(&document::write(&campaign))
    else {
        panic!("it leads nowhere")
    };
    assert_eq!((place, what, number, count), (format!("mutant {}", campaign.details[0].id), "test", 77, 5));
    let mut campaign = common::example();
    campaign.tests[1].program = 2;
    assert!(matches!(
        refused(&document::write(&campaign)),
        DocumentErrorKind::Dangling { what: "program", .. }
    ));
    // A variant of itself would be no tree.
    let mut campaign = common::example();
    campaign.tests[1].variant.as_mut().unwrap().of = 1;
    assert!(matches!(
        refused(&document::write(&campaign)),
        DocumentErrorKind::Dangling { what: "test", number: 1, count: 1, .. }
    ));
}
