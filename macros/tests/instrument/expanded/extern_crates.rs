extern crate crossbeam_channel as channel;
extern crate std as standard;
fn f() {
    let (tx, rx) = ::insyn::macro_support::named(
        ::insyn::macro_support::naming(&["tx", "rx"]),
        ::insyn::crossbeam_channel::unbounded::<u8>(),
    );
}
mod inner {
    use ::insyn::crossbeam_channel::bounded;
    fn f() {
        let (tx, rx) = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["tx", "rx"]),
            bounded::<u8>(1),
        );
        let other = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["other"]),
            ::insyn::crossbeam_channel::never::<u8>(),
        );
        ::insyn::std::thread::yield_now();
    }
}
