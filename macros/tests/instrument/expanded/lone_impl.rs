impl Builder {
    const WAIT: ::insyn::std::time::Duration = ::insyn::std::time::Duration::from_secs(
        1,
    );
    fn build(self) -> (Builder, ::insyn::std::sync::mpsc::Receiver<u8>) {
        let (tx, rx) = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["tx", "rx"]),
            ::insyn::std::sync::mpsc::channel(),
        );
        ::insyn::std::thread::spawn(move || tx.send(1));
        (Builder::default(), rx)
    }
    fn real() -> std::sync::Mutex<u8> {
        std::sync::Mutex::new(0)
    }
}
