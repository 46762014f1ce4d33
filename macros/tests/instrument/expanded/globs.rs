mod globs {
    use std::*;
    #[allow(unused_imports)]
    use ::insyn::std::thread;
    #[allow(unused_imports)]
    use ::insyn::std::sync;
    #[allow(unused_imports)]
    use ::insyn::std::panic;
    #[allow(unused_imports)]
    use ::insyn::std::hint;
    #[allow(unused_imports)]
    use ::insyn::std::thread_local;
    mod time {}
    thread_local! {
        static COUNT : cell::Cell < u8 > = cell::Cell::new(0);
    }
    fn caught() -> bool {
        panic::catch_unwind(|| panic!("boo")).is_err()
    }
    mod inner {
        use super::*;
        use crossbeam::*;
        #[allow(unused_imports)]
        use ::insyn::crossbeam_channel as channel;
        #[allow(unused_imports)]
        use ::insyn::crossbeam_channel::select;
        fn f(a: sync::Mutex<u8>) {
            let lock = ::insyn::macro_support::named(
                ::insyn::macro_support::naming(&["lock"]),
                sync::Mutex::new(0),
            );
        }
    }
    mod core_alone {
        use core::sync::*;
        #[allow(unused_imports)]
        use ::insyn::std::sync::atomic;
        use alloc::sync::*;
        #[allow(unused_imports)]
        use ::insyn::std::sync::Arc;
        #[allow(unused_imports)]
        use ::insyn::std::sync::Weak;
        fn f() {
            let flag = ::insyn::macro_support::named(
                ::insyn::macro_support::naming(&["flag"]),
                atomic::AtomicBool::new(true),
            );
            let shared: Arc<u8> = ::insyn::macro_support::named(
                ::insyn::macro_support::naming(&["shared"]),
                ::insyn::macro_support::arc(::std::boxed::Box::new(1)),
            );
        }
    }
}
