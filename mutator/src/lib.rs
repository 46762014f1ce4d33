//! Mutants of concurrent programs: finds them, shows them, and compiles all of them into one program.
//!
//! A [`Mutant`] is a change of the source text at one place, made by an [`Operator`]. [`find`] finds those of a file,
//! [`find_package`] those of a package, in the code that is annotated for insyn; [`Mutant::apply`] and
//! [`Mutant::diff`] show one alone. [`Schemata`] puts many into the syntax of an item, each behind a switch, so that
//! one build has them all.
//!
//! Only syntax is known, so a mutant may turn out not to compile. Everything is in a fixed order.
//!
//! ```
//! use insyn_mutator::{Options, find};
//!
//! let source = "#[insyn::instrument] fn f(n: u32) -> bool { n < 8 }";
//! let found = find("src/lib.rs", source, &Options::default()).unwrap();
//! let shift = found.mutants.iter().find(|mutant| mutant.replacement == ">").unwrap();
//! assert_eq!(shift.to_string(), "src/lib.rs:1:47: ROR replaced by `>`");
//! assert_eq!(shift.describe(source).unwrap(), "src/lib.rs:1:47 in f: `<` replaced by `>`");
//! assert!(shift.apply(source).unwrap().ends_with("{ n > 8 }"));
//! ```
//!
//! # Skipping mutants
//! A comment names the mutants to skip, and gives the reason:
//!
//! ```text
//! // insyn: skip CRP, guards: the number of retries is not part of the protocol
//! let retries = 3;
//! ```
//!
//! A comment on a line of its own applies to the item, statement or arm that begins on the next line of code; a comment
//! after code applies to what begins on that line. `all` stands for all operators. Skipped mutants are still found, and
//! carry the reason.

mod attributes;
mod error;
mod extent;
mod facts;
mod families;
mod find;
mod finder;
mod list;
mod modules;
mod mutant;
mod names;
mod operator;
#[cfg(feature = "packages")]
mod package;
mod schemata;
mod select;
mod selection;
mod shapes;
mod skip;
mod spelling;
mod text;
mod trial;
mod walker;

pub use error::{FindError, FindErrorKind};
pub use extent::{Extent, Position};
pub use find::{Found, Options, find};
pub use list::{ListError, Numbered, number, read_list, write_list};
pub use mutant::{Misplaced, Mutant};
pub use operator::{Family, Operator};
#[cfg(feature = "packages")]
pub use package::{Package, find_package};
pub use schemata::Schemata;
pub use selection::{Selection, UnknownOperator};
pub use skip::Unused;
pub use trial::Trial;

/// The environment variable that names the file of the list of mutants to compile in.
pub const LIST_VARIABLE: &str = "INSYN_MUTANTS";

/// The environment variable that names the directory for the code of a trial build, which shows which mutants compile.
pub const TRIAL_VARIABLE: &str = "INSYN_MUTANTS_TRIAL";
