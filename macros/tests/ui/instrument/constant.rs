#[insyn::instrument]
mod constants {
    use std::sync::Mutex;

    pub const LOCK: Mutex<u32> = Mutex::new(0);

    pub struct Queue(Mutex<u32>);

    impl Queue {
        pub const EMPTY: Self = Queue::new();

        pub const fn new() -> Self {
            Queue(Mutex::new(0))
        }
    }
}

fn main() {}
