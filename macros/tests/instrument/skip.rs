#[insyn::instrument]
mod skip {
    use insyn::instrument;
    use std::sync::Mutex;

    #[instrument(skip)]
    async fn later() {
        std::thread::sleep(WAIT);
    }

    #[insyn::instrument(skip)]
    static mut COUNT: usize = 0;

    #[insyn::instrument(skip)]
    static REAL: std::sync::Mutex<u8> = std::sync::Mutex::new(0);

    #[insyn::instrument(reexports(a = std))]
    fn twice() {
        a::thread::yield_now();
        REAL.lock();
    }

    impl Skipped {
        #[insyn::instrument(skip)]
        async fn f() {}

        #[tracing::instrument(skip)]
        fn g() {
            std::thread::yield_now();
            a::thread::yield_now();
        }
    }

    #[insyn::instrument(skip)]
    mod real {
        use std::thread;
    }
}
