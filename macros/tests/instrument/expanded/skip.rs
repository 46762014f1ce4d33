mod skip {
    #[allow(unused_imports)]
    use insyn::instrument;
    use ::insyn::std::sync::Mutex;
    async fn later() {
        std::thread::sleep(WAIT);
    }
    static mut COUNT: usize = 0;
    static REAL: std::sync::Mutex<u8> = std::sync::Mutex::new(0);
    fn twice() {
        ::insyn::std::thread::yield_now();
        REAL.lock();
    }
    impl Skipped {
        async fn f() {}
        #[tracing::instrument(skip)]
        fn g() {
            ::insyn::std::thread::yield_now();
            a::thread::yield_now();
        }
    }
    mod real {
        use std::thread;
    }
}
