#[insyn::instrument]
mod panics {
    use std::panic::{self, AssertUnwindSafe, Location};

    fn caught(f: fn(), place: &Location<'_>) -> bool {
        let first = panic::catch_unwind(f).is_err();
        match std::panic::catch_unwind(AssertUnwindSafe(f)) {
            Err(payload) if first => panic::resume_unwind(payload),
            Err(_) => std::panic!("only the second, at {place}"),
            Ok(()) if !first => panic!("neither"),
            Ok(()) => core::panic!("only the first"),
        }
    }

    mod with_the_macro {
        use std::panic;

        fn silent() {
            panic::set_hook(Box::new(|_| {}));
            panic!("said by {:?}", std::thread::current());
        }
    }
}
