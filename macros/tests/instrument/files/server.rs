#!/usr/bin/env run-cargo-script
//! A server.

#![allow(dead_code)]

mod store;
#[path = "other.rs"]
mod elsewhere;
#[cfg(windows)]
mod missing;

use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex};

const LIMIT: usize = { 1 + 1 };

/// Serves.
pub fn serve(orders: Receiver<u32>, total: Arc<Mutex<u32>>) -> u32 {
    for order in orders {
        *total.lock().unwrap() += store::price(order);
    }
    let all = vec![1, 2];
    let sum = total.lock().map(|n| *n);
    assert!(all[0] > 0, "{}", total.lock().unwrap());
    reply(&total).send(sum.unwrap()).unwrap();
    std::thread::sleep(std::time::Duration::from_secs(LIMIT as u64));
    mod inline {
        use super::*;
    }
    0
}
