//! The tests of `insyn-graphs`: the textbook's figures, random graphs against brute force, exports, and graphs of a million states.

mod brute_force;
mod explored;
mod figures;
mod lassos;
mod random;
mod scale;
mod sets;
mod validity;
