#[insyn::instrument]
mod paths {
    struct Pool<T: Into<std::sync::Arc<u8>>>
    where
        std::sync::mpsc::Sender<T>: Clone,
    {
        sender: std::sync::mpsc::Sender<T>,
        threads: Vec<std::thread::JoinHandle<std::sync::MutexGuard<'static, T>>>,
        state: [core::sync::atomic::AtomicU8; { std::mem::size_of::<std::sync::Once>() }],
    }

    enum Message {
        Stop(::std::sync::mpsc::Sender<()>),
        At { when: std::time::Instant },
    }

    type Shared<T> = std::sync::Arc<std::sync::Mutex<T>>;

    trait Lock: std::ops::Deref<Target = std::sync::Mutex<u8>> {
        fn guard(&self) -> std::sync::LockResult<std::sync::MutexGuard<'_, u8>>;
        fn again(&self) {
            std::thread::yield_now();
        }
    }

    impl<T> Lock for std::sync::Arc<T> {}

    impl<T: ?Sized> From<Shared<T>> for Box<dyn Fn(std::thread::Thread) -> std::thread::ThreadId> {}

    pub(in crate::paths) fn run(f: impl FnOnce(&std::sync::Condvar) + Send) -> impl Iterator<Item = std::time::Duration> {
        std::thread::scope(|s: &std::thread::Scope| s.spawn(|| ()));
        let x = <std::sync::Mutex<u8> as Default>::default();
        let y = <u8 as std::convert::From<std::sync::Arc<u8>>>::from;
        let y = <std::sync::Arc<_>>::clone(&x);
        match e {
            Err(std::sync::mpsc::TryRecvError::Empty) => {}
            Err(std::sync::TryLockError::Poisoned(e)) => {}
            std::time::Foo { a, .. } if std::thread::panicking() => {}
            std::sync::atomic::Ordering::SeqCst | _ => {}
        }
        std::collections::HashMap::<std::thread::ThreadId, u8>::new();
        std::process::exit(1)
    }
}
