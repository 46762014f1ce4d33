mod statics {
    use ::insyn::std::sync::LazyLock;
    use ::insyn::std::sync::Mutex;
    use ::insyn::std::sync::OnceLock;
    use ::insyn::std::sync::atomic::AtomicUsize;
    use ::insyn::std::sync::atomic::Ordering;
    static PLAIN: usize = 3;
    static WORDS: &[&str] = &["a", "b"];
    static COUNT: ::insyn::statics::Static<AtomicUsize> = ::insyn::statics::Static::new(
        ::insyn::macro_support::core::concat!(
            ::insyn::macro_support::core::module_path!(), "::COUNT"
        ),
        || AtomicUsize::new(0),
    );
    #[allow(unused)]
    pub(crate) static POOL: ::insyn::statics::Static<Pool> = ::insyn::statics::Static::new(
        ::insyn::macro_support::core::concat!(
            ::insyn::macro_support::core::module_path!(), "::POOL"
        ),
        || Pool {
            free: ::insyn::macro_support::named(
                ::insyn::macro_support::naming(&["free"]),
                Mutex::new(Vec::new()),
            ),
            size: 3,
        },
    );
    static LAZY: ::insyn::statics::Static<LazyLock<Vec<u8>>> = ::insyn::statics::Static::new(
        ::insyn::macro_support::core::concat!(
            ::insyn::macro_support::core::module_path!(), "::LAZY"
        ),
        || LazyLock::new(|| vec![1]),
    );
    static ALIAS: ::insyn::statics::Static<&Pool> = ::insyn::statics::Static::new(
        ::insyn::macro_support::core::concat!(
            ::insyn::macro_support::core::module_path!(), "::ALIAS"
        ),
        || &*POOL,
    );
    static LOCKS: ::insyn::statics::Static<[Mutex<u8>; 2]> = ::insyn::statics::Static::new(
        ::insyn::macro_support::core::concat!(
            ::insyn::macro_support::core::module_path!(), "::LOCKS"
        ),
        || ::insyn::macro_support::core::array::from_fn::<_, { 2 }, _>(|_| Mutex::new(0)),
    );
    static BLOCK: ::insyn::statics::Static<OnceLock<u8>> = ::insyn::statics::Static::new(
        ::insyn::macro_support::core::concat!(
            ::insyn::macro_support::core::module_path!(), "::BLOCK"
        ),
        || { OnceLock::new() },
    );
    struct Pool {
        free: Mutex<Vec<u8>>,
        size: usize,
    }
    fn next(PLAIN: usize) -> usize {
        static COUNT: ::insyn::statics::Static<AtomicUsize> = ::insyn::statics::Static::new(
            ::insyn::macro_support::core::concat!(
                ::insyn::macro_support::core::module_path!(), "::next::COUNT"
            ),
            || AtomicUsize::new(7),
        );
        println!("{}", (* COUNT).load(Ordering::Relaxed));
        let all = (
            &*POOL,
            (*POOL).size,
            super::statics::COUNT.load(Ordering::SeqCst),
            (*self::COUNT).load(Ordering::SeqCst),
        );
        Counted {
            COUNT: *COUNT,
            POOL: &*POOL,
            PLAIN,
        }
    }
    mod inner {
        fn f(count: &AtomicUsize) {
            (*super::COUNT).store(1, super::Ordering::SeqCst);
            let COUNT = 1;
            COUNT + 1;
        }
    }
}
