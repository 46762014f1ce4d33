//! The tests of `insyn-graphs`: the textbook's figures, random graphs against brute force, exports, and graphs of a million states.

mod brute_force;
mod exchange;
mod exclusion;
mod explored;
mod figures;
mod lassos;
mod models;
mod properties;
mod random;
mod scale;
mod sets;
mod validity;
