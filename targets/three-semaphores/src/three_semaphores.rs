//! T1 and T3 need the first semaphore, which lets two in, T2 needs both, and T3 the second one alone after that.

insyn::instrumented! {

// What is printed is no synchronization: its mutex is never waited for, and no part of a sequence.
#[insyn::instrument(skip)]
use std::sync::{Mutex, PoisonError};
use std::thread;

use insyn::sync::Semaphore;

/// Runs the threads and returns what they print.
pub fn three_semaphores() -> String {
    let s1 = Semaphore::new(2);
    let s2 = Semaphore::new(1);
    let printed = Mutex::new(String::new());
    let print = |c| printed.lock().unwrap_or_else(PoisonError::into_inner).push(c);
    thread::scope(|scope| {
        scope.spawn(|| {
            s1.acquire();
            print('1');
            insyn::label!("print", 1);
            s1.release();
        });
        scope.spawn(|| {
            s1.acquire();
            s2.acquire();
            print('2');
            insyn::label!("print", 2);
            s2.release();
            s1.release();
        });
        scope.spawn(|| {
            s1.acquire();
            print('3');
            insyn::label!("print", 3);
            s1.release();
            s2.acquire();
            print('3');
            insyn::label!("print", 3);
            s2.release();
        });
    });
    printed.into_inner().unwrap_or_else(PoisonError::into_inner)
}

}
