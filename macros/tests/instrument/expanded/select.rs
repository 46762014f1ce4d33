mod select {
    use ::insyn::crossbeam_channel::Receiver;
    use ::insyn::crossbeam_channel::after;
    use ::insyn::crossbeam_channel::select;
    fn f(r: Receiver<u8>, s: ::insyn::crossbeam_channel::Sender<u8>) {
        select! {
            recv(r) -> message => { let lock =
            ::insyn::macro_support::named(::insyn::macro_support::naming(& ["lock"]),
            ::insyn::std::sync::Mutex::new(message)); }
            recv(after(::insyn::std::time::Duration::from_secs(1))) -> _ =>
            ::insyn::std::thread::yield_now(), send(s, ::insyn::std::thread::panicking()
            as u8) -> sent => sent.unwrap(), default(::insyn::std::time::Duration::MAX)
            => {}
        }
        ::insyn::crossbeam_channel::select_biased! {
            recv(r) -> _ => (),
        }
        ::insyn::crossbeam_channel::select! {
            default => ()
        }
        insyn::select! {
            recv(r) -> m if ::insyn::std::thread::panicking() => m, closed =>
            ::insyn::std::thread::park(),
        }
    }
}
