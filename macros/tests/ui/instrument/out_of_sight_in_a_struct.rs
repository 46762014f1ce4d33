use std::sync::{Arc, atomic};

#[insyn::instrument]
struct Account {
    balance: Arc<atomic::AtomicU32>,
}

fn main() {}
