//! The worked examples of the textbook's chapter on reachability testing (and of the paper on the history-free
//! algorithm): relations, open lists, race sets, race tables and timestamps are what the text says they are.
//!
//! Our copies lack most drawings; the executions are rebuilt from the text, as [drawings](drawing) in words.

#[path = "textbook/drawing.rs"]
mod drawing;
#[path = "textbook/figures.rs"]
mod figures;
#[path = "textbook/messages.rs"]
mod messages;
#[path = "textbook/programs.rs"]
mod programs;
#[path = "textbook/relations.rs"]
mod relations;
#[path = "textbook/tables.rs"]
mod tables;
#[path = "textbook/timestamps.rs"]
mod timestamps;
