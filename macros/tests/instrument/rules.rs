#[insyn::instrument]
mod rules {
    macro_rules! lock {
        (std::sync::Mutex) => { std::sync::Mutex::new(0) };
        ($t:ty, $e:expr) => {{
            use std::{sync::Mutex, fmt};
            let lock: ::std::sync::Mutex<$t> = Mutex::new($e);
            $crate::std::thread();
            struct Local<'std>(*const std::thread::Thread, &'std u8);
            lock as std::sync::Mutex<_>
        }};
    }

    lazy_static! {
        static ref LOCK: std::sync::Mutex<u8> = std::sync::Mutex::new(0);
    }
}
