#![allow(unused_imports, unused_variables)]

use std::sync::{Barrier, Condvar, Mutex, RwLock};
use std::thread;

#[insyn::instrument]
mod bank {
    use super::Mutex;

    pub fn balance(open: &super::Condvar) -> Mutex<u32> {
        super::thread::spawn(|| ());
        Mutex::new(0)
    }

    mod inner {
        use super::super::RwLock;
    }
}

#[insyn::instrument]
mod shop {
    use super::thread as threads;

    pub fn open() {
        threads::spawn(|| ());
    }
}

#[insyn::instrument]
fn meet() {
    self::Barrier::new(1).wait();
}

fn main() {}
