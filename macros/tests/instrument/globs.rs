#[insyn::instrument]
mod globs {
    use std::*;
    mod time {}

    thread_local! {
        static COUNT: cell::Cell<u8> = cell::Cell::new(0);
    }

    fn caught() -> bool {
        panic::catch_unwind(|| panic!("boo")).is_err()
    }

    mod inner {
        use super::*;
        use crossbeam::*;

        fn f(a: sync::Mutex<u8>) {
            let lock = sync::Mutex::new(0);
        }
    }

    mod core_alone {
        use core::sync::*;
        use alloc::sync::*;

        fn f() {
            let flag = atomic::AtomicBool::new(true);
            let shared: Arc<u8> = Arc::new(1);
        }
    }
}
