use ::insyn::std::sync::Mutex;
static LOCK: ::insyn::statics::Static<Mutex<u8>> = ::insyn::statics::Static::new(
    ::insyn::macro_support::core::concat!(
        ::insyn::macro_support::core::module_path!(), "::LOCK"
    ),
    || Mutex::new(0),
);
/// What it does.
pub fn lock() -> u8 {
    *(*LOCK).lock().unwrap()
}
mod inner {
    fn f() {
        let lock = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["lock"]),
            super::Mutex::new((*super::LOCK).lock()),
        );
    }
}
