#[::std::prelude::v1::test]
fn buffer() {
    fn buffer(Config { slots }: Config) -> Vec<u32> {
        run(slots)
    }
    /// How `cargo insyn` finds this program in the binary.
    #[used]
    static MARKER: &::std::primitive::str = ::std::concat!(
        "\u{1e}insyn program\u{1f}", ::std::env!("CARGO_PKG_NAME"), "\u{1f}",
        ::std::module_path!(), "\u{1f}", "buffer", "\u{1f}",
    );
    ::insyn::program::Program::new(
            ::insyn::program::About::new(
                ::std::env!("CARGO_PKG_NAME"),
                ::std::env!("CARGO_MANIFEST_DIR"),
                ::std::module_path!(),
                "buffer",
            ),
            ::insyn::Explorer::new(),
            ::insyn::program::Given::Text("{slots: 2}"),
        )
        .run(|input: &Config| buffer(<Config as ::std::clone::Clone>::clone(input)))
}
