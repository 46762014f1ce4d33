//! The procedural macros of insyn.
//!
//! Use them through the `insyn` crate, which exports them beside the runtime that their output calls: its documentation
//! starts with a summary of each and examples that run, followed by the text here. `select` has one file per phase: `parse`
//! reads the tokens and reports errors at their positions; `expand` generates the code and cannot fail.
//! `instrument` is larger; its module documentation describes how it works.

mod arguments;
mod instrument;
mod select;
mod spelling;
mod test;

use std::sync::{Mutex, PoisonError};

use proc_macro::TokenStream;
use proc_macro2::{TokenStream as Tokens, TokenTree};

/// The feature flag: whether instrumentation is on.
const ON: bool = cfg!(feature = "instrument");

/// Whether programs can read specifications and tests.
const SPECS: bool = cfg!(feature = "specs");

/// It is an attribute of modules, functions, impls, traits, structs, enums, unions, type aliases, constants, statics,
/// `use` items and `thread_local!` blocks. In them
///
/// - paths and imports of `std::thread`, `std::sync`, `std::panic`, `std::time` and `std::hint`, by whatever name
///   (`core::sync::atomic`, `alloc::sync`, `use std as s`), of `crossbeam_channel` (`crossbeam::channel`) and of
///   `crossbeam_utils::sync::WaitGroup` (`crossbeam::sync::WaitGroup`) become those of the replacements in the crate `insyn`.
///   That holds for `use` trees of any shape, for signatures, bounds and
///   patterns, for `thread_local!`, `select!` and the arguments of the macros of the standard library. In the
///   arguments of other macros everything that looks like such a path is rewritten. A `Mutex` or `thread` that the
///   program defines itself is left alone;
/// - statics are initialized again in each execution, unless they hold only plain data;
/// - objects and threads get the names of the variables and fields that they are stored in:
///   `let (deposit, withdraw) = mpsc::channel();`. [`name!`](macro@name) gives another name;
/// - a `const fn` that creates a mutex or a similar object becomes an ordinary function, because under control an object belongs to
///   the execution that creates it.
///
/// Source positions stay those of the program: errors, panics and reports point at the original code.
///
/// # The feature flag
/// All this happens only with the feature `instrument` of `insyn`. `cargo insyn` sets it;
/// `cargo test --features insyn/instrument` does it by hand. Without it the attribute expands to nothing: the code compiles
/// unchanged, token for token, and a program that uses nothing else of `insyn` contains nothing of it.
///
/// # How to annotate a whole crate with the least text
/// The compiler does not allow a macro on a whole file, so there are three ways:
///
/// 1. **One macro around everything**: `insyn::instrumented! { mod server; mod client; pub use server::Server; }`. Put
///    the items of `lib.rs` into [`instrumented!`](macro@instrumented). It reads the modules that have files of their
///    own, so those need no change at all. Files that it reads have no spans: compile errors and panic messages
///    name the position of the macro, and insyn's reports use positions that the rewritten code reports. The files are compiled in
///    the edition of your crate, like all your code. Warnings about them are shown only in builds without the feature flag.
/// 2. **One attribute for each module in a file**: `#[insyn::instrument(path = "server.rs")] mod server {}` in place
///    of `mod server;`. It works as the first way, for one module. `server.rs` and `server/mod.rs` are where the
///    compiler looks for `mod server;`; any other path is relative to the directory of the file with the attribute, as
///    with `#[path = ".."]`.
/// 3. **One macro in each file**: `insyn::instrumented! { .. }` around the items of every file. All spans are kept,
///    so this is best where compile errors matter most.
///
/// In a crate without statics and full paths it may be enough to annotate the imports:
/// `#[insyn::instrument] use std::{sync::mpsc, thread};`.
///
/// # How to annotate in tests only
/// If programs are unit tests, a dev-dependency is enough: `#[cfg_attr(test, insyn::instrument)]` on a module in braces or on imports.
/// A module in a file is declared twice, as `#[cfg(not(test))] mod server;` and as
/// `#[cfg(test)] #[insyn::instrument(path = "server.rs")] mod server {}`.
///
/// # Arguments
/// | argument | meaning |
/// |---|---|
/// | `imports(std::sync::Mutex, std::thread)` | the meaning of names that are imported outside of the annotated code; `imports(crate::Mutex)` declares the program's own name |
/// | `path = "server.rs"` | the module is in this file |
/// | `reexports(some_crate::channel = crossbeam_channel)` | paths that start with the first mean those that start with the second |
/// | `keep(std::sync::Arc)` | do not replace this or anything in it; `keep(parking_lot)`: do not reject it |
/// | `skip` | leave this item of an annotated module as it is |
///
/// # Names from outside
/// If only a function is annotated, the meaning of `Mutex` is unknown, because the import is elsewhere. A real mutex
/// would stop the whole program when it waits, so such names are rejected. Annotate the module around it, write the
/// full path, or declare it with `imports`. The same holds for names that a module gets from its parent (`super::Mutex`,
/// `use super::*`), if the parent is not annotated.
///
/// `crate::sync::Mutex` counts as the program's own, since a macro cannot see where it is defined: if the module `sync`
/// re-exports the standard library's and is not annotated, the mutex stays real. Annotate that module too, or write
/// `reexports(crate::sync = std::sync)`.
///
/// A crate that the manifest renames is not recognized by its new name: with `channel = { package = "crossbeam-channel" }` write
/// `reexports(channel = crossbeam_channel)`. The new name of an `extern crate` at the root is recognized in all modules.
///
/// # What is rejected
/// `async` code (not supported yet), inline assembly, `static mut`, constants that hold objects under control, methods whose receiver is
/// `self: Arc<Self>` (the compiler allows them for its own `Arc` only), `std::sync::mpmc`, crossbeam's scoped threads,
/// locks, queues and cells, `parking_lot` and `flume`; code that the macro cannot read: `include!` of items, `mod name;` inside a macro,
/// `#[cfg_attr(.., path = "..")]` on a module. Each error says what to do instead; `skip` and `keep` turn an error off.
///
/// Code that `syn` cannot parse is rejected too, such as the first edition's `Box<Fn()>` without `dyn`.
///
/// # What stays real
/// Everything else: files, sockets, processes, the clock, raw handles of the operating system, and objects that other
/// crates make. A `static` inside another crate's macro (`lazy_static!`) is not initialized again in each execution.
#[proc_macro_attribute]
pub fn instrument(attr: TokenStream, item: TokenStream) -> TokenStream {
    let item = Tokens::from(item);
    one_at_a_time(|| {
        instrument::expand(attr.into(), item.clone(), ON).unwrap_or_else(|error| refused(error, item))
    })
}

/// Under `cargo test` and nextest it fails with a report if any behaviour panics, deadlocks or never finishes, and prints
/// how to run that behaviour again. `cargo insyn` finds the same function, lists it, explores it, and forces sequences on
/// it. What the function returns is the output of an execution; it must be serializable.
///
/// With the [feature flag](macro@instrument#the-feature-flag) on, the function is instrumented as by
/// [`#[instrument]`](macro@instrument). With the flag off it is still explored, but only insyn's own types are
/// under control.
///
/// # Nothing under control
/// If insyn sees no thread, channel, lock or atomic of a program, there is one sequence, whatever the real threads do. Such a
/// test fails: the code it uses is not annotated, or the feature flag is off. If the program is meant to have no
/// synchronization, write `#[insyn::test(sequential)]`; then the test fails if insyn does see some. A test that passes
/// prints to standard error the names of threads that did nothing insyn could see between their start and their end.
///
/// # Input
/// A function with one parameter, `T` or `&T`, is a program with an input, and can run with many inputs. `T` must
/// be `serde::Deserialize` (and `Clone`, if it is taken by value). The attribute gives the test its input, and
/// `cargo insyn explore fan_in --input '{senders: 3}'` gives another. Without either, the input is read from an empty
/// mapping, so that a type whose fields all have defaults needs none.
///
/// # Specification and tests
/// With `spec = "spec.yaml"` the specification decides what is correct: every sequence must be valid, every valid sequence
/// must be feasible (as far as its `conformance` asks), and every execution must end and return as it expects. With
/// `tests = "tests.yaml"` every IN-SYN test of the file is forced on the program. `cargo insyn check` does the same. Both need
/// the feature `specs` of `insyn`, which `cargo insyn` enables in its builds.
///
/// # Arguments
/// | argument | meaning |
/// |---|---|
/// | `input = "{slots: 2}"` | the input, as JSON; with the feature `specs`, as YAML |
/// | `input_file = "inputs/small.yaml"` | the file it is in, from the root of the package |
/// | `spec = "spec.yaml"` | the file that specifies which sequences are valid, from the root of the package |
/// | `tests = "tests.yaml"` | the file of IN-SYN tests, from the root of the package |
/// | `workers = 2` | how many OS threads explore; else one for each core |
/// | `max_steps = 20_000` | bound on the steps of an execution; one that has more is a failure |
/// | `max_sequences = 10_000`, `max_executions = 10_000` | bounds on the exploration; the test judges what was explored |
/// | `sample = 1_000` | sample this many random executions instead of exploring |
/// | `seed = 7` | the random seed |
/// | `sequential` | the program is meant to have no synchronization; without it, such a program fails |
/// | `stop_at_first_failure`, `shortest_failure = false` | which failures are shown |
/// | `ignore_detached` | threads that cannot be joined may be blocked at the end |
/// | `longest_waiter`, `spurious_wakeups`, `spurious_failures`, `waiting_writers_block = false`, `ordered_loads`, `patient_polling = false` | what objects may do; see `insyn::Explorer` |
/// | `stack_size = 4 << 20` | bytes of stack for each thread |
/// | `imports(..)`, `keep(..)`, `reexports(..)` | as for [`#[instrument]`](macro@instrument) |
///
/// Other attributes of tests (`#[should_panic]`, `#[ignore]`, `#[cfg(..)]`) mean what they always do.
#[proc_macro_attribute]
pub fn test(attr: TokenStream, item: TokenStream) -> TokenStream {
    let item = Tokens::from(item);
    one_at_a_time(|| {
        test::expand(attr.into(), item.clone(), ON, SPECS).unwrap_or_else(|error| refused(error, item))
    })
}

/// Modules in files of their own (`mod server;`) are read and rewritten with the rest.
#[proc_macro]
pub fn instrumented(items: TokenStream) -> TokenStream {
    let items = Tokens::from(items);
    one_at_a_time(|| {
        instrument::expand_items(items.clone(), ON).unwrap_or_else(|error| refused(error, items))
    })
}

/// Names are for reports; they need not be unique. Without the feature flag it expands to the expression alone.
#[proc_macro]
pub fn name(input: TokenStream) -> TokenStream {
    one_at_a_time(|| instrument::expand_name(input.into(), ON).unwrap_or_else(refusal))
}

/// Without the feature flag it expands to nothing, and the value is not evaluated.
#[proc_macro]
pub fn label(input: TokenStream) -> TokenStream {
    one_at_a_time(|| instrument::expand_label(input.into(), ON).unwrap_or_else(refusal))
}

/// The error, and the code as it was, so that the compiler reports no other errors.
fn refused(error: syn::Error, code: Tokens) -> Tokens {
    let mut output = refusal(error);
    output.extend(code);
    output
}

/// The error for the compiler to show: `compile_error!` by its name alone, because in the first edition there is no path to
/// it from everywhere.
fn refusal(error: syn::Error) -> Tokens {
    let in_path = |token: &TokenTree| match token {
        TokenTree::Punct(punct) => punct.as_char() == ':',
        TokenTree::Ident(name) => name == "core",
        _ => false,
    };
    error.into_compile_error().into_iter().filter(|token| !in_path(token)).collect()
}

/// Expands one macro at a time: how files are parsed is a setting of `proc-macro2` that applies to all threads.
fn one_at_a_time(expand: impl FnOnce() -> Tokens) -> TokenStream {
    static EXPANDING: Mutex<()> = Mutex::new(());
    let _expanding = EXPANDING.lock().unwrap_or_else(PoisonError::into_inner);
    expand().into()
}

/// | arm | is taken |
/// |---|---|
/// | `accept(entry) -> pattern if guard => body` | when a call to the entry is accepted |
/// | `recv(receiver) -> pattern if guard => body` | when a message is received |
/// | `default => body` | when nothing is available, instead of waiting |
/// | `timeout(duration) => body` | when nothing came in time |
/// | `closed => body` | when every open arm is closed: its callers or senders are gone and nothing is left |
///
/// There is at least one `accept` or `recv` arm, and at most one of each other kind; `default` and `timeout`
/// exclude each other. Guards are optional. Without a `closed` arm the select panics when every open arm is closed.
///
/// An entry is one of `insyn::sync::entry`. A receiver is one of `insyn::std::sync::mpsc` or of `insyn::sync::port`; inside
/// a program under test, not of a `sync_channel`, which is rejected.
///
/// The whole is an expression, with commas as in `match`. Bodies are ordinary code of the function around them:
/// `break`, `continue`, `return` and `?` do what they do in a `match`. Patterns must be irrefutable.
///
/// First all guards are evaluated, once and in order, and decide which arms are open; so a guard cannot use
/// what its pattern binds. Then the duration is evaluated, then what is in `accept(..)` and `recv(..)`,
/// each once and by reference, whether or not its arm is open. Temporaries of guards and of the duration are gone
/// before the wait begins (a lock taken in a guard is not held); those of `accept(..)` and `recv(..)` live on, as
/// those of a `match` do.
#[proc_macro]
pub fn select(input: TokenStream) -> TokenStream {
    one_at_a_time(|| select::select(input.into()))
}
