mod pointers {
    use ::insyn::std::sync::Arc;
    fn f() -> Arc<dyn Fn(u8) -> u8 + Send + Sync> {
        let task: Arc<dyn Fn()> = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["task"]),
            ::insyn::macro_support::arc(::std::boxed::Box::new(|| ())),
        );
        let cast = ::insyn::macro_support::core::convert::identity::<
            Arc<dyn Send>,
        >(::insyn::macro_support::arc(::std::boxed::Box::new(1)));
        let sized = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["sized"]),
            Arc::<u8>::new(1),
        );
        takes(::insyn::macro_support::arc(::std::boxed::Box::new([1, 2])));
        let all = [1, 2].map(Arc::new);
        ::insyn::macro_support::arc(::std::boxed::Box::new(|n| n + 1))
    }
}
