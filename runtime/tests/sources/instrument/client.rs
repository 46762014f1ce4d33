//! A client in a file of its own.

use std::sync::mpsc::Sender;

pub(super) fn ask(server: &Sender<u32>, order: u32) {
    server.send(order).unwrap();
}
