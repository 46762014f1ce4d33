//! How a test sets the text of its failures: for the terminal that it runs on, if there is one.

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _};

use insyn_engine::system::terminal_width;
use insyn_sequences::report::{Environment, Style};

/// The environment variable that makes a test show every step of a failure, if it is set and not `0`.
const FULL: &str = "INSYN_FULL";

/// The style of a test's report. `NO_COLOR` and `CARGO_TERM_COLOR` decide about colours, the locale about characters, and
/// `COLUMNS` about the width where there is no terminal that does.
pub fn style() -> Style {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let (no_color, color) = (set("NO_COLOR"), set("CARGO_TERM_COLOR"));
    let locale: Option<OsString> = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    let environment = Environment {
        is_terminal: io::stdout().is_terminal() && io::stderr().is_terminal(),
        no_color: no_color.as_deref(),
        color: color.as_deref(),
        locale: locale.as_deref(),
    };
    let columns = || set("COLUMNS")?.to_str()?.parse().ok().filter(|&columns| columns > 0);
    Style {
        width: terminal_width().or_else(columns).unwrap_or(Style::default().width),
        colour: environment.colour(),
        unicode: environment.unicode(),
        full: set(FULL).is_some_and(|value| value != "0"),
        wrap: false,
    }
}
