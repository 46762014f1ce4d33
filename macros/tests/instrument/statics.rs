#[insyn::instrument]
mod statics {
    use std::sync::{LazyLock, Mutex, OnceLock, atomic::{AtomicUsize, Ordering}};

    static PLAIN: usize = 3;
    static WORDS: &[&str] = &["a", "b"];
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    #[allow(unused)]
    pub(crate) static POOL: Pool = Pool { free: Mutex::new(Vec::new()), size: 3 };
    static LAZY: LazyLock<Vec<u8>> = LazyLock::new(|| vec![1]);
    static ALIAS: &Pool = &POOL;
    static LOCKS: [Mutex<u8>; 2] = [const { Mutex::new(0) }; 2];
    static BLOCK: OnceLock<u8> = { OnceLock::new() };

    struct Pool {
        free: Mutex<Vec<u8>>,
        size: usize,
    }

    fn next(PLAIN: usize) -> usize {
        static COUNT: AtomicUsize = AtomicUsize::new(7);
        println!("{}", COUNT.load(Ordering::Relaxed));
        let all = (&POOL, POOL.size, super::statics::COUNT.load(Ordering::SeqCst), self::COUNT.load(Ordering::SeqCst));
        Counted { COUNT, POOL: &POOL, PLAIN }
    }

    mod inner {
        fn f(count: &AtomicUsize) {
            super::COUNT.store(1, super::Ordering::SeqCst);
            let COUNT = 1;
            COUNT + 1;
        }
    }
}
