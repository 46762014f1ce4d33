insyn::instrumented! {
    extern crate crossbeam_channel as channel;
    extern crate std as standard;

    fn f() {
        let (tx, rx) = channel::unbounded::<u8>();
    }

    mod inner {
        use channel::bounded;

        fn f() {
            let (tx, rx) = bounded::<u8>(1);
            let other = channel::never::<u8>();
            standard::thread::yield_now();
        }
    }
}
