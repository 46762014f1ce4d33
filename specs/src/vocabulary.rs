//! The words of specification and test files, as the readers use them. `docs/specs.md` explains each; a test compares the two.

/// The keys of a specification.
pub const SPEC: [&str; 12] = [
    "insyn",
    "version",
    "about",
    "program",
    "parameters",
    "state",
    "events",
    "hidden",
    "accept",
    "constraints",
    "conformance",
    "expect",
];

/// The keys of a parameter that is a mapping.
pub const PARAMETER: [&str; 4] = ["type", "list", "from", "default"];

/// The keys of a state variable that has many values.
pub const STATE: [&str; 2] = ["over", "initially"];

/// The keys of an event.
pub const EVENT: [&str; 5] = ["about", "match", "arguments", "when", "then"];

/// The keys of a matcher.
pub const MATCH: [&str; 7] = ["op", "on", "thread", "from", "entry", "label", "value"];

/// The words that `from` knows, apart from names of threads.
pub const FROM: [&str; 3] = ["nothing", "closed", "anything"];

/// The keys of `expect` in a specification.
pub const EXPECT: [&str; 2] = ["termination", "output"];

/// The keys of a file of tests.
pub const TESTS: [&str; 5] = ["insyn", "version", "program", "spec", "tests"];

/// The keys of a test.
pub const TEST: [&str; 7] = ["name", "about", "input", "sequence", "prefix", "recorded", "expect"];

/// The keys of a step that is an event of the specification.
pub const STEP: [&str; 4] = ["event", "arguments", "thread", "after"];

/// The keys of a recorded sequence.
pub const RECORDED: [&str; 1] = ["processes"];

/// The words that `expect` of a test can be, and its keys if it is a mapping.
pub const OUTCOMES: [&str; 2] = ["feasible", "infeasible"];

/// The keys of `expect` of a test.
pub const EXPECTATION: [&str; 3] = ["feasible", "termination", "output"];

/// The constraints: A, B and C are events, N is a number.
pub const CONSTRAINTS: [&str; 11] = [
    "B must follow A",
    "B must directly follow A",
    "B must never follow A",
    "B must never directly follow A",
    "B may follow A",
    "B may directly follow A",
    "A precedes B",
    "A precedes each B",
    "A alternates with B",
    "at most N B",
    "at most N B between A and C",
];

/// Words that are not allowed as names.
pub const RESERVED: [&str; 21] = [
    "and",
    "or",
    "not",
    "true",
    "false",
    "if",
    "then",
    "else",
    "length",
    "must",
    "may",
    "never",
    "directly",
    "follow",
    "precedes",
    "each",
    "alternates",
    "with",
    "at",
    "most",
    "between",
];

/// The symbols of expressions and constraints. A single `=` is known in order to be refused with a hint.
pub const SYMBOLS: [&str; 19] =
    ["==", "!=", "<=", ">=", "..", "<", ">", "+", "-", "*", "/", "%", "(", ")", "[", "]", ",", "_", "="];
