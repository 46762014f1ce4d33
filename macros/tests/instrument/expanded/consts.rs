mod consts {
    use ::insyn::std::sync::Mutex;
    use ::insyn::std::time::Duration;
    const TIMEOUT: Duration = Duration::from_secs(1);
    const SIZE: usize = size();
    const fn size() -> usize {
        std::mem::size_of::<Mutex<u8>>()
    }
    fn lock() -> Mutex<u8> {
        Mutex::new(0)
    }
    struct Queue(Mutex<u8>);
    impl Queue {
        const CAPACITY: usize = 3;
        fn new() -> Self {
            Queue(self::lock())
        }
        const fn capacity(&self) -> usize {
            Self::CAPACITY
        }
    }
    struct Pool([Queue; 2], [Mutex<u8>; 2]);
    impl Pool {
        fn new() -> Self {
            Pool(
                ::insyn::macro_support::core::array::from_fn::<
                    _,
                    { 2 },
                    _,
                >(|_| Queue::new()),
                ::insyn::macro_support::core::array::from_fn::<
                    _,
                    { { 1 + 1 } },
                    _,
                >(|_| Mutex::new(1)),
            )
        }
        fn other() -> Self {
            Self::new()
        }
    }
    static POOL: ::insyn::statics::Static<Pool> = ::insyn::statics::Static::new(
        ::insyn::macro_support::core::concat!(
            ::insyn::macro_support::core::module_path!(), "::POOL"
        ),
        || Pool::new(),
    );
}
