#![allow(deprecated, unused_imports)]

#[insyn::instrument]
mod shop {
    use std::os::unix::thread::JoinHandleExt;
    use std::sync::atomic::{ATOMIC_BOOL_INIT, ATOMIC_ISIZE_INIT, ATOMIC_USIZE_INIT};
    use std::sync::{ONCE_INIT, Once};

    static OPEN: Once = ONCE_INIT;

    pub fn open() {
        crossbeam::scope(|_| ()).unwrap();
    }
}

fn main() {}
