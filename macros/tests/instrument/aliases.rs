#[insyn::instrument]
mod aliases {
    extern crate std as real;
    #[macro_use]
    extern crate crossbeam_channel as cc;
    use std as s;
    use core::{self as c};
    use s::sync as locks;
    use real::thread::{Builder, spawn};

    fn f() {
        s::thread::spawn(|| ());
        real::sync::Mutex::new(0);
        c::hint::spin_loop();
        locks::Mutex::new(0);
        let (a, b) = cc::unbounded::<u8>();
        select! {
            recv(b) -> m => drop(m),
        }
        mod inner {
            fn g() {
                super::s::thread::spawn(|| ());
                super::f();
            }
        }
    }
}
