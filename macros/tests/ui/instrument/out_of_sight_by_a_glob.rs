use std::sync::Mutex;

#[insyn::instrument]
mod bank {
    use super::*;

    pub fn balance() -> Mutex<u32> {
        Mutex::new(0)
    }
}

fn main() {}
