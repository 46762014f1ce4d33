//! Where mutants are found, their names, and which are skipped.

use insyn_mutator::{Extent, Mutant, Options, Position, Selection, find, number, read_list, write_list};

fn mutants(source: &str) -> Vec<Mutant> {
    find("src/lib.rs", source, &Options::default()).expect("it is Rust").mutants
}

/// The functions that have mutants, each once.
fn functions(source: &str, options: &Options) -> Vec<String> {
    let found = find("src/lib.rs", source, options).expect("it is Rust");
    let mut functions: Vec<String> = found.mutants.into_iter().map(|mutant| mutant.function).collect();
    functions.dedup();
    functions
}

const PLACES: &str = r#"
fn plain() -> u8 { f(1) }
#[insyn::instrument] fn lone() { f(1); }
#[instrument] fn of_another_crate() { f(1); }
#[cfg_attr(feature = "x", insyn::instrument)] fn sometimes() { f(1); }
#[insyn::instrument]
mod annotated {
    const LIMIT: u8 = 1 + 2;
    static COUNT: u8 = 3;
    const fn constant() -> u8 { 1 + 2 }
    async fn waits() { f(1); }
    #[insyn::instrument(skip)] fn skipped() { f(1); }
    #[cfg(test)] mod tests { fn helper() { f(1); } }
    #[cfg(all(test, unix))] fn for_tests() { f(1); }
    #[cfg(not(test))] fn not_for_tests() { f(1); }
    #[test] fn test() { f(1); }
    #[insyn::test] fn driver() { f(1); }
    struct Buffer { slots: [u8; 4] }
    impl Buffer {
        fn method(&self) { f(1); fn inner() { f(1); } }
        #[insyn::instrument(skip)] fn left_alone(&self) { f(1); }
    }
    trait Shape { fn area(&self) -> u8 { 1 } fn sides(&self); }
    mod deeper { fn deep() { f(1); } }
}
mod beside {
    #[insyn::instrument] impl Other { fn of_other() { f(1); } }
    impl Third { #[insyn::instrument] fn of_third() { f(1); } fn not_of_third() { f(1); } }
}
insyn::instrumented! { fn wrapped() { f(1); } }
"#;

#[test]
fn annotated_code_alone_is_mutated() {
    let expected = [
        "lone",
        "sometimes",
        "not_for_tests",
        "Buffer::method",
        "Buffer::method::inner",
        "Shape::area",
        "deep",
        "Other::of_other",
        "of_third",
        "wrapped",
    ];
    assert_eq!(functions(PLACES, &Options::default()), expected);
}

#[test]
fn drivers_are_mutated_if_asked_for() {
    let options = Options { drivers: true, ..Options::default() };
    assert!(functions(PLACES, &options).contains(&"driver".to_owned()));
}

#[test]
fn the_attribute_by_its_own_name_is_known_if_imported() {
    let source = "use insyn::{explore, instrument};\n#[instrument] fn lone() { f(1); }";
    assert_eq!(functions(source, &Options::default()), ["lone"]);
}

#[test]
fn mutants_are_in_order_and_have_names_that_stay() {
    let source = "#[insyn::instrument]\nfn f(a: u8, b: u8) -> bool {\n    a < b\n}\n";
    let shown: Vec<String> =
        mutants(source).iter().map(|mutant| format!("{} {mutant}", mutant.id())).collect();
    assert_eq!(
        shown,
        [
            "RET-06a757f5 src/lib.rs:2:29: RET inserted `return false;`",
            "RET-965ea7c6 src/lib.rs:2:29: RET inserted `return true;`",
            "ROR-e8453dd7 src/lib.rs:3:7: ROR replaced by `!=`",
            "ROR-e84cc486 src/lib.rs:3:7: ROR replaced by `<=`",
            "ROR-e84d19f3 src/lib.rs:3:7: ROR replaced by `==`",
            "ROR-850457fa src/lib.rs:3:7: ROR replaced by `>`",
            "ROR-e8468918 src/lib.rs:3:7: ROR replaced by `>=`",
        ]
    );
}

#[test]
fn a_mutant_changes_nothing_else() {
    let source = "\u{feff}#[insyn::instrument]\r\nfn f() {\r\n\tlet ö = \"ü\"; g(1);  // as it was \r\n}";
    let found = mutants(source);
    let more = found.iter().find(|mutant| mutant.replacement == "2").expect("one more");
    assert_eq!(more.apply(source).unwrap(), source.replace("g(1)", "g(2)"));
    assert_eq!(more.extent.start, Position { line: 3, column: 17 });
    let elsewhere = Extent { start: Position { line: 9, column: 1 }, end: Position { line: 9, column: 2 } };
    let error = Mutant { extent: elsewhere, ..more.clone() }.apply(source).unwrap_err().to_string();
    assert!(error.starts_with("src/lib.rs:9:1: the file has no such place"), "{error}");
}

#[test]
fn a_diff_has_the_lines_around() {
    let source = "#[insyn::instrument]\nfn f() {\n    a();\n    b();\n    c();\n    d();\n    e();\n}\n";
    let found = mutants(source);
    let deleted = found.iter().find(|mutant| mutant.extent.start.line == 7).expect("the last is deleted");
    let diff = deleted.diff(source).unwrap();
    let id = deleted.id();
    let expected = format!(
        "--- src/lib.rs\n+++ src/lib.rs {id}\n@@ -4,5 +4,5 @@\n     b();\n     c();\n     d();\n-    e();\n+    \n }}\n"
    );
    assert_eq!(diff, expected);
}

#[test]
fn comments_say_what_is_not_wanted() {
    let source = "#[insyn::instrument]
mod m {
    // insyn: skip guards, CRP: it is only a hint
    fn hint(n: u8) {
        if n < 2 { f(n); }
    }
    fn code(n: u8) {
        // insyn: skip all: \"//\" is no comment here
        log(\"// insyn: skip all: in a string\", 1);
        f(1); // insyn: skip SDL: it has no effect
        /* // insyn: skip all: in a comment */ g(1);
        // insyn: skip MXT: there is none
        h(1);
    }
}
";
    let found = find("src/lib.rs", source, &Options::default()).unwrap();
    let reasons: Vec<(u32, &str, &str)> = found
        .mutants
        .iter()
        .filter_map(|mutant| {
            Some((mutant.extent.start.line, mutant.operator.code, mutant.skipped.as_deref()?))
        })
        .collect();
    let hint = reasons.iter().filter(|(_, _, reason)| *reason == "it is only a hint");
    let codes: Vec<&str> = hint.map(|(_, code, _)| *code).collect();
    assert_eq!(codes, ["GBS", "GFA", "GNG", "GOB", "GTR", "CRP", "CRP", "CRP"]);
    assert!(reasons.contains(&(9, "SDL", "\"//\" is no comment here")), "{reasons:?}");
    assert!(reasons.contains(&(9, "CRP", "\"//\" is no comment here")), "{reasons:?}");
    assert!(reasons.contains(&(10, "SDL", "it has no effect")), "{reasons:?}");
    assert!(reasons.iter().all(|(line, ..)| *line <= 10), "{reasons:?}");
    let unused: Vec<String> = found.unused.iter().map(ToString::to_string).collect();
    assert_eq!(
        unused,
        ["src/lib.rs:12:9: this comment skips nothing: no mutant of these operators begins here"]
    );
}

#[test]
fn a_skip_without_reason_or_with_an_unknown_name_is_refused() {
    let error = |comment: &str| {
        let source = format!("#[insyn::instrument] fn f() {{\n    // insyn: skip {comment}\n    g(1);\n}}");
        find("src/lib.rs", &source, &Options::default()).unwrap_err().to_string()
    };
    let form = "write `// insyn: skip OPERATORS: reason`, where OPERATORS are codes, families or `all`";
    assert_eq!(
        error("CRP"),
        format!("src/lib.rs:2:5: the reason why mutants are skipped is missing: {form}")
    );
    assert_eq!(error(": why"), format!("src/lib.rs:2:5: which mutants are skipped is missing: {form}"));
    assert_eq!(error("CRQ: why"), "src/lib.rs:2:5: unknown operator `CRQ`; did you mean `CRP`?");
}

#[test]
fn a_file_that_is_no_rust_is_refused_with_its_place() {
    let error = find("src/lib.rs", "fn f() {\n    let\n}", &Options::default()).unwrap_err().to_string();
    assert!(error.starts_with("src/lib.rs:3:1: "), "{error}");
}

#[test]
fn operators_are_chosen_by_name() {
    let chosen = |names: &str| {
        let options = Options { operators: Selection::parse(names).unwrap(), ..Options::default() };
        let source = "#[insyn::instrument] fn f(n: u8) { if n < 2 { g(1); } }";
        let found = find("src/lib.rs", source, &options).unwrap().mutants;
        let mut codes: Vec<&str> = found.iter().map(|mutant| mutant.operator.code).collect();
        codes.sort_unstable();
        codes.dedup();
        codes.join(" ")
    };
    assert_eq!(chosen("guards"), "GBS GFA GNG GOB GTR");
    assert_eq!(chosen("gng crp"), "CRP GNG");
    assert_eq!(chosen("guards,-GNG"), "GBS GFA GOB GTR");
    assert_eq!(chosen("-guards, -operators"), "");
    assert_eq!(chosen("all"), chosen(""));
    let error = Selection::parse("zzzzzz").unwrap_err().to_string();
    assert!(error.contains("guards, operators, channels, locks, threads"), "{error}");
}

#[test]
fn a_list_is_the_same_after_it_was_written() {
    let list = number(mutants(
        "#[insyn::instrument] fn f() {\n\tg(1);\n\th(\"\\t\\\\\");\n tx.send(\"\n\").unwrap(); }",
    ));
    let (package, read) = read_list(&write_list("buffer", &list)).unwrap();
    assert_eq!(package, "buffer");
    assert_eq!(list.len(), read.len());
    for (written, read) in list.iter().zip(&read) {
        assert_eq!((written.number, written.mutant.id()), (read.number, read.mutant.id()));
    }
    let error = |text: &str| read_list(text).unwrap_err().to_string();
    assert_eq!(
        error("insyn mutants 9\n"),
        "not a list of mutants of this version: it begins with `insyn mutants 9`, not with `insyn mutants 1`"
    );
    assert_eq!(
        error("insyn mutants 1\tbuffer\n1\tXXX\ta\t1:1-1:2\tb"),
        "line 2 of the list of mutants has no known operator"
    );
    assert_eq!(
        error("insyn mutants 1\tbuffer\n1\tCRP\ta\t1:1\tb"),
        "line 2 of the list of mutants has no extent"
    );
}
