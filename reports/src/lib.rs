//! Reports of campaigns, for people and for machines. All of them are made of one document, a [`Campaign`].

pub mod campaign;
mod tally;

pub use campaign::Campaign;
pub use tally::PHASES;
