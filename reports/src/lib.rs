//! Reports of campaigns, for people and for machines, and diagrams of sequences. All reports are made from one document, a
//! [`Campaign`](insyn_verdicts::Campaign).
//!
//! | module | what it gives |
//! |---|---|
//! | [`document`] | its JSON form: read, checked, written |
//! | [`text`] | tables for the terminal |
//! | [`html`] | one file with everything, to browse |
//! | [`stryker`] | the report schema of the Stryker family, for its viewers |
//! | [`junit`] | XML for continuous integration |
//! | [`markdown`] | a summary for pull requests |
//! | [`github`] | annotations of lines |
//! | [`page`] | the results of `explore` and `check` as one HTML file |
//! | [`operators`] | the names of mutation operators in words |
//! | [`diagram`] | space-time diagrams of sequences, as text and as SVG |
//!
//! All of it is pure: no module does input or output, and equal values give equal bytes. All texts in a campaign
//! (names, messages, sources) are escaped as the format needs it.
//!
//! ```
//! use insyn_reports::{document, html, text};
//! use insyn_verdicts::campaign::{Campaign, Counts, Mutant, VERSION};
//! use insyn_verdicts::Status;
//!
//! let campaign = Campaign {
//!     version: VERSION,
//!     package: "bank".into(),
//!     mutants: Counts { total: 1, survived: 1, ..Counts::default() },
//!     score: Some(0.0),
//!     details: vec![Mutant {
//!         id: "GBS-5c0d93f1".into(),
//!         file: "src/lib.rs".into(),
//!         description: "`<` replaced by `<=`".into(),
//!         status: Status::Survived,
//!         ..Mutant::default()
//!     }],
//!     ..Campaign::default()
//! };
//! let json = document::write(&campaign);
//! assert_eq!(document::read(&json)?, campaign);
//! assert!(text::render(&campaign, text::Style::default()).contains("GBS-5c0d93f1"));
//! assert!(html::render(&campaign).contains("GBS-5c0d93f1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod diagram;
pub mod document;
mod escape;
mod fold;
pub mod github;
pub mod html;
pub mod junit;
pub mod markdown;
pub mod operators;
pub mod page;
mod share;
pub mod stryker;
pub mod text;

pub use diagram::Diagram;
pub use fold::fold;
