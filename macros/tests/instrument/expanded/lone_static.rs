pub(crate) static COUNT: ::insyn::statics::Static<
    ::insyn::std::sync::atomic::AtomicUsize,
> = ::insyn::statics::Static::new(
    ::insyn::macro_support::core::concat!(
        ::insyn::macro_support::core::module_path!(), "::COUNT"
    ),
    || ::insyn::std::sync::atomic::AtomicUsize::new(0),
);
