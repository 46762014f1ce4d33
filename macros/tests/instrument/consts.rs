#[insyn::instrument]
mod consts {
    use std::sync::Mutex;
    use std::time::Duration;

    const TIMEOUT: Duration = Duration::from_secs(1);
    const SIZE: usize = size();

    const fn size() -> usize {
        std::mem::size_of::<Mutex<u8>>()
    }

    const fn lock() -> Mutex<u8> {
        Mutex::new(0)
    }

    struct Queue(Mutex<u8>);

    impl Queue {
        const CAPACITY: usize = 3;
        const fn new() -> Self {
            Queue(self::lock())
        }
        const fn capacity(&self) -> usize {
            Self::CAPACITY
        }
    }

    struct Pool([Queue; 2], [Mutex<u8>; 2]);

    impl Pool {
        const fn new() -> Self {
            Pool([const { Queue::new() }; 2], [const { Mutex::new(1) }; { 1 + 1 }])
        }
        const fn other() -> Self {
            Self::new()
        }
    }

    static POOL: Pool = Pool::new();
}
