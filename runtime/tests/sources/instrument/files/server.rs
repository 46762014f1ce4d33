//! A server in a file of its own.

#![allow(clippy::needless_pass_by_value)]

mod store;

use std::sync::Mutex;
use std::sync::mpsc::Receiver;

/// Adds up what is ordered.
pub(super) fn serve(orders: Receiver<u32>) -> u32 {
    let total = Mutex::new(0);
    while let Ok(order) = orders.recv() {
        *total.lock().unwrap() += store::price(order);
    }
    total.into_inner().unwrap()
}

/// Where the last `unwrap` of the server stands.
pub(super) const LAST: (u32, u32) = (line!() - 4, 24);

/// Where the compiler takes the whole file to be.
#[track_caller]
fn caller() -> &'static std::panic::Location<'static> {
    std::panic::Location::caller()
}

pub(super) fn here() -> &'static std::panic::Location<'static> {
    self::caller()
}
