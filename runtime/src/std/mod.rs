//! Mirrors of parts of the standard library, with its signatures. Inside a program under test they are under control;
//! elsewhere they are the real thing.

pub mod sync;
pub mod thread;
