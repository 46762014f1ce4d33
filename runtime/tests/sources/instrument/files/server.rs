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

/// The position of the last `unwrap` of the server.
pub(super) const LAST: (u32, u32) = (line!() - 4, 24);

/// The location that the compiler reports for the whole file.
#[track_caller]
fn caller() -> &'static std::panic::Location<'static> {
    std::panic::Location::caller()
}

pub(super) fn here() -> &'static std::panic::Location<'static> {
    self::caller()
}
