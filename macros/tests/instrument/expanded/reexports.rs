mod reexports {
    use ::insyn::std::sync::Mutex;
    use flume_like::other;
    use ::insyn::crossbeam_channel as chan;
    use ::insyn::crossbeam_channel::Sender;
    use ::insyn::std::thread;
    use ::insyn::std::sync::mpsc::channel;
    fn f(
        lock: ::insyn::std::sync::MutexGuard<u8>,
        a: prelude::collections::HashMap<u8, u8>,
    ) {
        let (s, r) = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["s", "r"]),
            ::insyn::crossbeam_channel::bounded(1),
        );
        ::insyn::std::thread::spawn(|| ());
        let a = shim::other();
    }
}
