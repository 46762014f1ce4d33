/// What it is about.
#[should_panic(expected = "deadlock")]
#[::std::prelude::v1::test]
fn works() {
    fn works() -> u32 {
        ::insyn::std::thread::spawn(|| 1).join().unwrap()
    }
    /// The marker by which `cargo insyn` finds this program in the binary.
    #[used]
    static MARKER: &::std::primitive::str = ::insyn::macro_support::marker!("works");
    ::insyn::program::Program::new(
            ::insyn::program::About::new(
                ::std::env!("CARGO_PKG_NAME"),
                ::std::env!("CARGO_MANIFEST_DIR"),
                ::std::module_path!(),
                "works",
            ),
            ::insyn::Explorer::new().workers(2).spurious_wakeups(true),
            ::insyn::program::Given::None,
        )
        .sample(100)
        .should_panic("deadlock")
        .run(|_: &::insyn::program::NoInput| works())
}
