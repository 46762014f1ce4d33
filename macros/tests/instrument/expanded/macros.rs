fn macros() {
    println!(
        "{:?} {n}", ::insyn::std::thread::current().id(), n =
        ::insyn::std::thread::panicking()
    );
    let text = format!(
        "{}", { let lock = ::insyn::macro_support::named(::insyn::macro_support::naming(&
        ["lock"]), ::insyn::std::sync::Mutex::new(0)); * lock.lock().unwrap() }
    );
    assert!(
        ::insyn::std::thread::panicking(), "{}", ::insyn::std::sync::Arc::strong_count(&
        a)
    );
    assert_eq!(::insyn::std::sync::Once::new().is_completed(), false,);
    let all = vec![::insyn::std::sync::Mutex::new(0), ::insyn::std::sync::Mutex::new(1)];
    let many = vec![
        ::insyn::macro_support::arc(::std::boxed::Box::new(0));
        ::insyn::std::thread::available_parallelism().unwrap().get()
    ];
    matches!(
        rx.try_recv(), Err(::insyn::std::sync::mpsc::TryRecvError::Empty) if
        ::insyn::std::thread::panicking()
    );
    dbg!(::insyn::std::thread::current());
    std::debug_assert!(::insyn::std::thread::panicking());
    let words = stringify!(std::thread::spawn);
    own_macro!(
        a => ::insyn::std::thread::spawn, { use std:: { fmt }; use ::insyn::std::thread;
        ::insyn::std::sync::Mutex }, x.std::thread, 0.. ::insyn::std::thread::N
    );
    ::insyn::std::thread_local! {
        static A : ::insyn::std::sync::Arc < u8 > =
        ::insyn::macro_support::named(::insyn::macro_support::naming(& ["A"]),
        ::insyn::macro_support::arc(::std::boxed::Box::new(1)))
    }
}
