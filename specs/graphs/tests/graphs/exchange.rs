//! Graphs that leave and come back: JSON, DOT, Aldebaran; and labels that try to break them.

use insyn_graphs::{
    Activity, GraphBuilder, GraphError, Liveness, Model, ReadError, StateGraph, ThreadState, aldebaran,
    document, dot,
};

use crate::explored::{figure_7_9, solution_2, solution_3, thread};
use crate::random;

#[test]
fn json_comes_back_as_the_same_graph() {
    let mut graphs = vec![figure_7_9(), solution_2(&[1]), solution_3(), hostile()];
    graphs.extend((0..300).map(|seed| random::graph(seed, 20)));
    graphs.extend((0..300).map(|seed| random::open_graph(seed, 20)));
    for graph in graphs {
        let text = document::write(&graph);
        let back = document::read(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(back, graph);
        assert_eq!(document::write(&back), text);
    }
}

const EXAMPLE: &str = r#"{
  "insyn": "graph", "version": 1,
  "threads": ["main", "worker"],
  "initial": 1,
  "states": [
    {"threads": [{"next": "3", "activity": "blocked"}, {"next": "end", "activity": "ended"}], "open": true},
    {"threads": [{"next": "3", "activity": "blocked"}, {"next": "7", "progress": true}], "objects": "lock: worker"}
  ],
  "transitions": [{"from": 1, "threads": [1], "operation": "unlock", "place": "src/lib.rs:7:5", "to": 0}]
}"#;

#[test]
fn a_graph_can_be_written_by_hand() {
    let graph = document::read(EXAMPLE).expect("it is valid");
    assert_eq!((graph.states(), graph.transitions(), graph.is_complete()), (2, 1, false));
    assert_eq!(graph.describe(StateGraph::INITIAL), "(3, 7; lock: worker)");
    let first = graph.at(StateGraph::INITIAL, thread(1));
    assert_eq!(first, ThreadState { next: "7", activity: Activity::Ready, progress: true });
    let id = graph.outgoing(StateGraph::INITIAL).next().expect("it has one");
    assert_eq!((graph.transition(id).operation, graph.transition(id).place), ("unlock", "src/lib.rs:7:5"));
    assert_eq!(
        document::write(&graph),
        concat!(
            r#"{"insyn":"graph","version":1,"threads":["main","worker"],"initial":0,"states":["#,
            r#"{"threads":[{"next":"3","activity":"blocked"},{"next":"7","progress":true}],"objects":"lock: worker"},"#,
            r#"{"threads":[{"next":"3","activity":"blocked"},{"next":"end","activity":"ended"}],"open":true}],"#,
            r#""transitions":[{"from":0,"threads":[1],"operation":"unlock","place":"src/lib.rs:7:5","to":1}]}"#
        )
    );
}

#[test]
fn what_is_no_graph_is_refused_with_the_reason() {
    let error = |from: &str, to: &str| {
        assert!(EXAMPLE.contains(from), "{from}");
        document::read(&EXAMPLE.replace(from, to)).expect_err("it is refused")
    };
    assert!(matches!(document::read("graph {"), Err(ReadError::Json(_))));
    assert!(matches!(document::read(""), Err(ReadError::Json(_))));
    assert!(matches!(error("\"initial\": 1,", ""), ReadError::Json(_)));
    assert!(matches!(error("\"progress\": true", "\"progres\": true"), ReadError::Json(_)));
    assert!(matches!(error("\"blocked\"", "\"asleep\""), ReadError::Json(_)));
    assert!(matches!(error("\"to\": 0", "\"to\": -1"), ReadError::Json(_)));
    assert!(matches!(
        error("\"version\": 1", "\"version\": 2, \"more\": []"),
        ReadError::Version { found: 2 }
    ));
    assert!(matches!(error("\"graph\"", "\"sequence\""), ReadError::Kind { found } if found == "sequence"));
    let graph = |from: &str, to: &str| match error(from, to) {
        ReadError::Graph(error) => error,
        other => panic!("{other}"),
    };
    assert_eq!(graph("\"to\": 0", "\"to\": 2"), GraphError::UnknownState { state: 2 });
    assert_eq!(graph("\"initial\": 1", "\"initial\": 9"), GraphError::UnknownState { state: 9 });
    assert_eq!(graph("\"threads\": [1]", "\"threads\": [2]"), GraphError::UnknownThread { index: 2 });
    assert_eq!(graph("\"threads\": [1]", "\"threads\": [999]"), GraphError::UnknownThread { index: 999 });
    assert_eq!(graph("\"threads\": [1]", "\"threads\": []"), GraphError::NobodyMoves { state: 1 });
    assert!(matches!(graph("\"threads\": [1]", "\"threads\": [0]"), GraphError::Moves { state: 1, .. }));
    assert_eq!(graph("[\"main\", \"worker\"]", "[]"), GraphError::Threads { count: 0 });
}

const HOSTILE: [&str; 6] = ["\"];\n}", "\\N\\", "a\"b%22", "\u{202e}reversed", "\u{0}\u{1b}[31m", "ü 漢"];

/// A ring of states whose labels, operations, places and objects are hostile.
fn hostile() -> StateGraph {
    let mut builder = GraphBuilder::new(["\"evil\" -> 1;\n", "tau"]).expect("the names are valid");
    let at = |next| ThreadState { next, activity: Activity::Ready, progress: false };
    let states = HOSTILE.map(|text| builder.state(&[at(text), at(text)], text).expect("there is room"));
    for (i, text) in HOSTILE.iter().enumerate() {
        let to = states[(i + 1) % states.len()];
        builder.transition(states[i], &[thread(0), thread(1)], text, text, to).expect("there is room");
    }
    builder.finish(states[0]).expect("it is valid")
}

#[test]
fn hostile_labels_stay_inside_their_quotes() {
    let graph = hostile();
    let drawing = dot::graph(&graph, None);
    // One line for each state and each transition, and five around them: nothing has broken out of its line.
    assert_eq!(drawing.lines().count(), 6 + 6 + 5, "{drawing}");
    for line in drawing.lines().filter(|line| line.contains("label=")) {
        let unescaped = line.replace("\\\\", "").replace("\\\"", "");
        assert_eq!(unescaped.matches('"').count(), 2, "{line}");
        assert!(!unescaped.chars().any(|c| c.is_control() || c == '\u{202e}'), "{line:?}");
    }
    let labels = aldebaran::graph(&graph);
    assert_eq!(labels.lines().count(), 7, "{labels}");
    assert!(labels.is_ascii());
    for line in labels.lines().skip(1) {
        assert_eq!(line.matches('"').count(), 2, "{line}");
        assert!(!line.contains('\\'), "{line}");
    }
}

#[test]
fn aldebaran_begins_with_its_sizes() {
    let text = aldebaran::graph(&figure_7_9());
    assert_eq!(
        text,
        "des (0, 4, 4)\n(0, \"Thread1, Thread2: p.send\", 1)\n(0, \"Thread4, Thread3: q.send\", 2)\n\
         (1, \"Thread4, Thread3: q.send\", 3)\n(2, \"Thread1, Thread2: p.send\", 3)\n"
    );
}

#[test]
fn a_drawing_marks_the_run() {
    let graph = solution_2(&[1]);
    let liveness = Liveness::of(&graph);
    let finding = liveness.findings(&graph).remove(0);
    let drawing = dot::graph(&graph, Some(&finding.lasso));
    assert_eq!(drawing.matches("color=red, penwidth=2").count(), finding.lasso.cycle.len());
    assert_eq!(drawing.matches("color=blue").count(), finding.lasso.stem.len());
}

#[test]
fn models_are_drawn_and_written_too() {
    let model = Model::deterministic(&[false, true], &[(0, "a\"", 1), (1, "i", 0)]).expect("it is valid");
    assert_eq!(
        aldebaran::model(&model),
        "des (0, 3, 2)\n(0, \"letter: a%22\", 1)\n(1, \"letter: i\", 0)\n(1, \"accept\", 1)\n"
    );
    let drawing = dot::model(&model);
    assert!(drawing.contains("1 [label=\"1\", shape=doublecircle];"), "{drawing}");
    assert!(drawing.contains("0 -> 1 [label=\"a\\\"\"];"), "{drawing}");
}
