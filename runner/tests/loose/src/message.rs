//! Not annotated: it has no mutants, and yet decides which of them compile.

/// What is passed on.
#[derive(Debug)]
pub struct Message(pub u32);

/// Waits for ever, out of control.
pub fn stick() {
    loop {
        std::thread::park();
    }
}
