//! Not annotated: it has no mutants, and yet decides which mutants compile.

/// What is passed on.
#[derive(Debug)]
pub struct Message(pub u32);

/// Waits forever, outside of insyn's control.
pub fn stick() {
    loop {
        std::thread::park();
    }
}
