#[::core::prelude::v1::test]
fn buffer() {
    fn buffer() {
        run()
    }
    /// How `cargo insyn` finds this program in the binary.
    #[used]
    static MARKER: &::core::primitive::str = ::core::concat!(
        "\u{1e}insyn program\u{1f}", ::core::env!("CARGO_PKG_NAME"), "\u{1f}",
        ::core::module_path!(), "\u{1f}", "buffer", "\u{1f}",
    );
    ::insyn::program::Program::new(
            ::insyn::program::About::new(
                ::core::env!("CARGO_PKG_NAME"),
                ::core::env!("CARGO_MANIFEST_DIR"),
                ::core::module_path!(),
                "buffer",
            ),
            ::insyn::Explorer::new(),
            ::insyn::program::Given::None,
        )
        .spec("spec.yaml")
        .tests("tests.yaml")
        .run(|_: &::insyn::program::NoInput| buffer())
}
