fn lone_function(
    orders: ::insyn::std::sync::mpsc::Receiver<u8>,
    lock: &Mutex<u8>,
    channel: u8,
) -> ::insyn::std::thread::JoinHandle<::insyn::std::sync::Arc<u8>> {
    let (tx, rx) = ::insyn::macro_support::named(
        ::insyn::macro_support::naming(&["tx", "rx"]),
        ::insyn::std::sync::mpsc::sync_channel::<u8>(1),
    );
    let own = Mutex::new(channel);
    let count = ::insyn::macro_support::named(
        ::insyn::macro_support::naming(&["count"]),
        ::insyn::std::sync::atomic::AtomicU8::new(0),
    );
    let spawn = |f: fn()| f();
    spawn(|| ());
    println!("{}", ::insyn::std::thread::current().name().unwrap());
    own_macro!(
        ::insyn::std::thread::sleep, ::insyn::std::sync::Arc,
        ::insyn::std::sync::mpsc::Receiver::recv
    );
    ::insyn::std::thread::spawn(move || {
        use ::insyn::std::thread::yield_now;
        use ::insyn::std::sync::Mutex;
        let lock = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["lock"]),
            Mutex::new(1),
        );
        yield_now();
        ::insyn::std::sync::Arc::<u8>::new(1)
    })
}
