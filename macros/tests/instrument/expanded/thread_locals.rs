::insyn::std::thread_local! {
    #[doc = " How often."] pub static COUNT : std::cell::Cell < u32 > = const {
    std::cell::Cell::new(0) }; static LOCK : ::insyn::std::sync::Mutex < u32 > =
    ::insyn::std::sync::Mutex::new(0); static CHANNEL : (::insyn::std::sync::mpsc::Sender
    < u8 >, ::insyn::std::sync::mpsc::Receiver < u8 >) =
    ::insyn::macro_support::named(::insyn::macro_support::naming(& ["CHANNEL"]),
    ::insyn::std::sync::mpsc::channel()); static LAST : ::insyn::std::sync::Arc < str > =
    { "last".into() }
}
