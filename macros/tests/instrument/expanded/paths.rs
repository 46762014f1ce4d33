mod paths {
    struct Pool<T: Into<::insyn::std::sync::Arc<u8>>>
    where
        ::insyn::std::sync::mpsc::Sender<T>: Clone,
    {
        sender: ::insyn::std::sync::mpsc::Sender<T>,
        threads: Vec<
            ::insyn::std::thread::JoinHandle<::insyn::std::sync::MutexGuard<'static, T>>,
        >,
        state: [::insyn::std::sync::atomic::AtomicU8; {
            std::mem::size_of::<::insyn::std::sync::Once>()
        }],
    }
    enum Message {
        Stop(::insyn::std::sync::mpsc::Sender<()>),
        At { when: ::insyn::std::time::Instant },
    }
    type Shared<T> = ::insyn::std::sync::Arc<::insyn::std::sync::Mutex<T>>;
    trait Lock: std::ops::Deref<Target = ::insyn::std::sync::Mutex<u8>> {
        fn guard(
            &self,
        ) -> ::insyn::std::sync::LockResult<::insyn::std::sync::MutexGuard<'_, u8>>;
        fn again(&self) {
            ::insyn::std::thread::yield_now();
        }
    }
    impl<T> Lock for ::insyn::std::sync::Arc<T> {}
    impl<T: ?Sized> From<Shared<T>>
    for Box<dyn Fn(::insyn::std::thread::Thread) -> ::insyn::std::thread::ThreadId> {}
    pub(in crate::paths) fn run(
        f: impl FnOnce(&::insyn::std::sync::Condvar) + Send,
    ) -> impl Iterator<Item = ::insyn::std::time::Duration> {
        ::insyn::std::thread::scope(|s: &::insyn::std::thread::Scope| s.spawn(|| ()));
        let x = <::insyn::std::sync::Mutex<u8> as Default>::default();
        let y = <u8 as std::convert::From<::insyn::std::sync::Arc<u8>>>::from;
        let y = <::insyn::std::sync::Arc<_>>::clone(&x);
        match e {
            Err(::insyn::std::sync::mpsc::TryRecvError::Empty) => {}
            Err(::insyn::std::sync::TryLockError::Poisoned(e)) => {}
            ::insyn::std::time::Foo { a, .. } if ::insyn::std::thread::panicking() => {}
            ::insyn::std::sync::atomic::Ordering::SeqCst | _ => {}
        }
        std::collections::HashMap::<::insyn::std::thread::ThreadId, u8>::new();
        std::process::exit(1)
    }
}
