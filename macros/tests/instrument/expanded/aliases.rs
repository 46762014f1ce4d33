mod aliases {
    extern crate std as real;
    #[macro_use]
    extern crate crossbeam_channel as cc;
    use std as s;
    use core::{self as c};
    use ::insyn::std::sync as locks;
    use ::insyn::std::thread::Builder;
    use ::insyn::std::thread::spawn;
    fn f() {
        ::insyn::std::thread::spawn(|| ());
        ::insyn::std::sync::Mutex::new(0);
        ::insyn::std::hint::spin_loop();
        locks::Mutex::new(0);
        let (a, b) = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["a", "b"]),
            ::insyn::crossbeam_channel::unbounded::<u8>(),
        );
        ::insyn::crossbeam_channel::select! {
            recv(b) -> m => drop(m),
        }
        mod inner {
            fn g() {
                ::insyn::std::thread::spawn(|| ());
                super::f();
            }
        }
    }
}
