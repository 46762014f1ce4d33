#[::std::prelude::v1::test]
fn lock() {
    fn lock() {
        Mutex::new(1);
    }
    /// The marker by which `cargo insyn` finds this program in the binary.
    #[used]
    static MARKER: &::std::primitive::str = ::insyn::macro_support::marker!("lock");
    ::insyn::program::Program::new(
            ::insyn::program::About::new(
                ::std::env!("CARGO_PKG_NAME"),
                ::std::env!("CARGO_MANIFEST_DIR"),
                ::std::module_path!(),
                "lock",
            ),
            ::insyn::Explorer::new().seed(1),
            ::insyn::program::Given::None,
        )
        .run(|_: &::insyn::program::NoInput| lock())
}
