//! The procedural macros of insyn.
