//! The runtime of insyn.
