use std::sync::{Condvar, Mutex};

macro_rules! flags {
    ($($tokens:tt)*) => {};
}

#[insyn::instrument]
mod bank {
    use super::*;

    flags! { struct Flags; }

    pub fn balance() -> Mutex<u32> {
        Mutex::new(0)
    }
}

#[insyn::instrument]
mod shop {
    pub fn open() {
        use super::*;
        println!("{:?}", Condvar::new());
        Condvar::new();
    }
}

fn main() {}
