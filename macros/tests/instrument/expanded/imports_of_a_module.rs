mod imports_of_a_module {
    use super::*;
    fn f(own: &Condvar) -> ::insyn::std::sync::Mutex<u8> {
        let (tx, rx) = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["tx", "rx"]),
            ::insyn::std::sync::mpsc::channel(),
        );
        format!("{:?}", ::insyn::std::sync::mpsc::channel:: < u8 > ());
        ::insyn::std::sync::Mutex::new(0)
    }
}
