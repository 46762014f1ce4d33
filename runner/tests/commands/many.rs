//! Programs that fail at more places than are kept: the number of the others is shown beside those that are listed.

use std::fmt::Write as _;
use std::path::Path;

use crate::support;

/// A program that panics at 60 places, after two sequences at each. 32 are kept.
fn program() -> String {
    let mut arms = String::new();
    for place in 0..60 {
        writeln!(arms, "                {place} => panic!(\"here\"),").expect("text can be written");
    }
    format!(
        "#[insyn::instrument]
        pub mod many {{
            pub fn fail() {{
                let (sender, receiver) = std::sync::mpsc::channel();
                for id in 0..5 {{
                    let sender = sender.clone();
                    std::thread::spawn(move || sender.send(id));
                }}
                drop(sender);
                let order: Vec<usize> = receiver.iter().collect();
                let mut left = vec![0, 1, 2, 3, 4];
                let place = order[..3].iter().fold(0, |sum, id| {{
                    let at = left.iter().position(|it| it == id).unwrap();
                    left.remove(at);
                    sum * (left.len() + 1) + at
                }});
                match place {{
                    {arms}
                    _ => unreachable!(),
                }}
            }}
        }}
        #[insyn::test(tests = \"tests.yaml\")]
        fn surprises() {{
            many::fail()
        }}
        #[insyn::test(spec = \"spec.yaml\")]
        fn keeps_its_word() {{
            many::fail()
        }}
        "
    )
}

#[test]
fn failures_that_are_not_listed_are_counted() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("many");
    let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", "many");
    support::copy_crate(&root, &[], &manifest, &root);
    support::place(&root.join("src/lib.rs"), &program());
    let tests = "insyn: tests\nversion: 1\nprogram: surprises\ntests:\n- {name: any, prefix: []}\n";
    support::place(&root.join("tests.yaml"), tests);
    let spec = "insyn: spec\nversion: 1\nprogram: keeps_its_word\nevents: {}\nexpect: {termination: panic}\n";
    support::place(&root.join("spec.yaml"), spec);
    for command in ["explore", "check"] {
        let said = support::say(&root, &[command, "surprises"]);
        assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
        let words = "56 more sequences fail at places that are not shown\n";
        assert!(said.out.contains(words), "{}", said.out);
        let program = &support::json(&root, &[command, "surprises", "--format", "json"], 1)["programs"][0];
        assert_eq!(program["failures"].as_array().map(Vec::len), Some(32));
        assert_eq!(program["left_out"], 56);
    }
    // An expected failure is none, wherever it is.
    let said = support::say(&root, &["check", "keeps_its_word"]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    assert!(!said.out.contains("not shown"), "{}", said.out);
    let program = &support::json(&root, &["check", "keeps_its_word", "--format", "json"], 0)["programs"][0];
    assert_eq!(program["left_out"], 0);
}
