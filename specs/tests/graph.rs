//! The automaton of a specification as a graph, and as text for Mermaid and Graphviz.

use insyn_specs::Spec;
use insyn_specs::spec::{Bounds, Graph};
use serde_json::Value as Data;

fn graph(rest: &str, most: usize) -> Graph {
    let text = format!("insyn: spec\nversion: 1\n{rest}\n");
    let spec = Spec::read("s.yaml", &text).unwrap_or_else(|problem| panic!("{problem}"));
    spec.with(&Data::Null).unwrap().graph(most).unwrap()
}

const BUFFER: &str = "state: {full: 0}
events:
  put: {when: full < 2, then: {full: full + 1}}
  take: {when: full > 0, then: {full: full - 1}}
accept: full == 0";

#[test]
fn a_graph_has_the_states_and_events_of_the_automaton() {
    let graph = graph(BUFFER, 100);
    let values: Vec<_> = graph.states.iter().map(|it| it.values.join(", ")).collect();
    assert_eq!(values, ["full = 0", "full = 1", "full = 2"]);
    assert_eq!(graph.states.iter().map(|it| it.accepts).collect::<Vec<_>>(), [true, false, false]);
    let edges: Vec<_> = graph.edges.iter().map(|it| (it.from, it.to, it.letters[0].to_string())).collect();
    let expected = [(0, 1, "put"), (1, 2, "put"), (1, 0, "take"), (2, 1, "take")];
    assert_eq!(edges, expected.map(|(from, to, event)| (from, to, event.to_owned())));
    assert_eq!(graph.left_out, 0);
}

#[test]
fn both_languages_show_it() {
    let graph = graph(BUFFER, 100);
    assert_eq!(
        graph.mermaid(),
        r#"flowchart LR
  begin(( )) --> s0
  s0(["full = 0"]):::accepts
  s1["full = 1"]
  s2["full = 2"]
  s0 -- "put" --> s1
  s1 -- "put" --> s2
  s1 -- "take" --> s0
  s2 -- "take" --> s1
  classDef accepts stroke-width:3px
  classDef dead fill:none,stroke:#999,color:#999
"#
    );
    assert_eq!(
        graph.dot("a \"b\" \\.yaml"),
        r#"digraph "a \"b\" \\.yaml" {
  rankdir=LR
  node [shape=box]
  begin [shape=point]
  begin -> s0
  s0 [label="full = 0", peripheries=2]
  s1 [label="full = 1"]
  s2 [label="full = 2"]
  s0 -> s1 [label="put"]
  s1 -> s2 [label="put"]
  s1 -> s0 [label="take"]
  s2 -> s1 [label="take"]
}
"#
    );
}

/// A graph that is cut says how many states are missing, and calls none of those that are left dead.
#[test]
fn a_cut_graph_says_so() {
    let spec =
        "state: {n: 0}\nevents: {up: {then: {n: n + 1}}, double: {then: {n: n * 2 + 7}}}\naccept: n == 1000";
    let graph = graph(spec, 3);
    assert_eq!((graph.states.len(), graph.sentence().as_deref()), (3, Some("4 more states next to these")));
    assert!(graph.states.iter().all(|it| it.is_live));
    assert!(graph.edges.iter().all(|it| it.from < 3 && it.to < 3));
    assert!(graph.mermaid().contains("4 more states") && graph.dot("s").contains("4 more states"));
}

/// States from which no valid sequence comes are grey, and the texts of values cannot break out of their quotes.
#[test]
fn dead_ends_and_hostile_texts() {
    let graph = graph(
        r#"state: {last: "'\"]; x --> y'", stuck: false}
events: {go: {when: not stuck, then: {stuck: true}}, end: {when: not stuck}}
accept: not stuck"#,
        100,
    );
    assert_eq!(graph.states.iter().map(|it| it.is_live).collect::<Vec<_>>(), [true, false]);
    let mermaid = r#"s1["last = '#34;]#59; x --#62; y'<br>stuck = true"]:::dead"#;
    assert!(graph.mermaid().contains(mermaid), "{}", graph.mermaid());
    let dot = r#"s1 [label="last = '\"]; x --> y'\nstuck = true", color=gray"#;
    assert!(graph.dot("s").contains(dot), "{}", graph.dot("s"));
}

/// Many events between the same states are one arrow, which says how many more there are.
#[test]
fn arrows_with_many_events_are_cut() {
    let graph = graph("events: {got: {arguments: {n: 1..9}}}", 10);
    assert_eq!(graph.edges.len(), 1);
    assert!(graph.mermaid().contains("got(1), got(2), got(3), got(4), got(5), got(6) and 3 more"));
}

/// Every path of the graph to an accepting state is a valid word, and there are no others.
#[test]
fn the_paths_of_a_graph_are_the_valid_words() {
    for name in ["bounded_buffer", "readers_writers", "philosophers", "request_reply"] {
        let path = format!("{}/examples/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
        let spec = Spec::read(name, &std::fs::read_to_string(path).unwrap()).unwrap();
        let instance = spec.with(&Data::Null).unwrap();
        let graph = instance.graph(10_000).unwrap();
        assert_eq!(graph.left_out, 0);
        const LENGTH: usize = 8;
        let mut paths = Vec::new();
        let mut open = vec![(0, Vec::<String>::new())];
        while let Some((at, path)) = open.pop() {
            if graph.states[at].accepts {
                paths.push(path.join(" "));
            }
            if path.len() < LENGTH {
                for edge in graph.edges.iter().filter(|it| it.from == at) {
                    let longer = |letter: &insyn_specs::Letter| [&path[..], &[letter.to_string()]].concat();
                    open.extend(edge.letters.iter().map(|letter| (edge.to, longer(letter))));
                }
            }
        }
        let words = instance.words(Bounds { length: LENGTH, ..Bounds::default() }).unwrap();
        let mut words: Vec<String> = words
            .map(|it| it.unwrap().0.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "))
            .collect();
        paths.sort();
        words.sort();
        assert_eq!(paths, words, "{name}");
    }
}
