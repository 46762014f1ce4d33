//! The worked examples of the textbook's chapter on reachability testing (and of the paper on the history-free
//! algorithm): relations, open lists, race sets, race tables and timestamps are what the text says they are.
//!
//! Our copies lack most drawings; the executions are rebuilt from the text, as [drawings](drawing) in words.

mod drawing;
mod figures;
mod messages;
mod programs;
mod relations;
mod tables;
mod timestamps;
