mod keep {
    use std::sync::Arc;
    use ::insyn::std::sync::Mutex;
    use ::insyn::std::sync;
    use std::hint::spin_loop;
    trait Run {
        fn run(self: Arc<Self>);
    }
    fn f() {
        let shared: Arc<dyn Run> = Arc::new(Task);
        let other = ::std::sync::Arc::new(sync::Mutex::new(0));
        spin_loop();
    }
    mod glob {
        use ::insyn::std::sync::*;
        fn f() -> ::std::sync::Weak<Mutex<u8>> {
            ::std::sync::Arc::downgrade(&::std::sync::Arc::new(Mutex::new(0)))
        }
    }
}
