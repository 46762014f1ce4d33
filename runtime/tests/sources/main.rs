//! Source text and documents: annotated programs, every edition, the lists in `docs/`.

mod crossbeam_tests;
mod documentation;
mod documents;
mod editions;
mod examples;
mod instrument;
mod mirrors;
mod subject;
