#[::core::prelude::v1::test]
fn lock() {
    fn lock() {
        Mutex::new(1);
    }
    /// How `cargo insyn` finds this program in the binary.
    #[used]
    static MARKER: &::core::primitive::str = ::core::concat!(
        "\u{1e}insyn program\u{1f}", ::core::env!("CARGO_PKG_NAME"), "\u{1f}",
        ::core::module_path!(), "\u{1f}", "lock", "\u{1f}",
    );
    ::insyn::program::Program::new(
            ::insyn::program::About::new(
                ::core::env!("CARGO_PKG_NAME"),
                ::core::env!("CARGO_MANIFEST_DIR"),
                ::core::module_path!(),
                "lock",
            ),
            ::insyn::Explorer::new().seed(1),
            ::insyn::program::Given::None,
        )
        .run(|_: &::insyn::program::NoInput| lock())
}
