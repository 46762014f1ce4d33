#![allow(unused_imports)]

use std::sync::{Condvar, Mutex};

insyn::instrumented! {
    mod bank {
        use super::*;

        pub fn balance() -> Mutex<u32> {
            Mutex::new(0)
        }
    }

    mod shop {
        use super::Condvar;
    }
}

fn main() {}
