//! What is made of source text, and what the documents say of it: annotated programs, every edition, the lists in `docs/`.

mod crossbeam_tests;
mod documentation;
mod documents;
mod editions;
mod examples;
mod instrument;
mod mirrors;
mod subject;
