#[::std::prelude::v1::test]
fn buffer() {
    fn buffer(config: &Config) {
        run(config)
    }
    /// The marker by which `cargo insyn` finds this program in the binary.
    #[used]
    static MARKER: &::std::primitive::str = ::insyn::macro_support::marker!("buffer");
    ::insyn::program::Program::new(
            ::insyn::program::About::new(
                ::std::env!("CARGO_PKG_NAME"),
                ::std::env!("CARGO_MANIFEST_DIR"),
                ::std::module_path!(),
                "buffer",
            ),
            ::insyn::Explorer::new(),
            ::insyn::program::Given::File("inputs/small.yaml"),
        )
        .run(|input: &Config| buffer(input))
}
