#[insyn::instrument]
mod globs {
    use std::*;
    mod time {}

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
