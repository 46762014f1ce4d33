mod panics {
    use ::insyn::std::panic;
    use ::insyn::std::panic::AssertUnwindSafe;
    use ::insyn::std::panic::Location;
    fn caught(f: fn(), place: &Location<'_>) -> bool {
        let first = panic::catch_unwind(f).is_err();
        match ::insyn::std::panic::catch_unwind(AssertUnwindSafe(f)) {
            Err(payload) if first => panic::resume_unwind(payload),
            Err(_) => std::panic!("only the second, at {place}"),
            Ok(()) if !first => panic!("neither"),
            Ok(()) => core::panic!("only the first"),
        }
    }
    mod with_the_macro {
        use ::insyn::std::panic;
        fn silent() {
            panic::set_hook(Box::new(|_| {}));
            panic!("said by {:?}", ::insyn::std::thread::current());
        }
    }
}
