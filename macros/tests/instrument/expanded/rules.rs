mod rules {
    macro_rules! lock {
        (std::sync::Mutex) => {
            ::insyn::std::sync::Mutex::new(0)
        };
        ($t:ty, $e:expr) => {
            { use std:: { fmt }; use ::insyn::std::sync::Mutex; let lock :
            ::insyn::std::sync::Mutex <$t > = Mutex::new($e); $crate::std::thread();
            struct Local <'std > (* const ::insyn::std::thread::Thread, &'std u8); lock
            as ::insyn::std::sync::Mutex < _ > }
        };
    }
    lazy_static! {
        static ref LOCK : ::insyn::std::sync::Mutex < u8 > =
        ::insyn::std::sync::Mutex::new(0);
    }
}
