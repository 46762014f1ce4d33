mod names {
    use ::insyn::std::sync::Arc;
    use ::insyn::std::sync::Barrier;
    use ::insyn::std::sync::Mutex;
    use ::insyn::std::sync::mpsc;
    use ::insyn::std::thread;
    use insyn::sync::{Semaphore, entry};
    fn f() -> Result<(), ()> {
        let (deposit, mut withdraw) = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["deposit", "withdraw"]),
            mpsc::channel::<u8>(),
        );
        let (_, receiver): (mpsc::Sender<u8>, _) = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["_", "receiver"]),
            mpsc::sync_channel(limit()?),
        );
        let lock = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["lock"]),
            Mutex::new(vec![1]),
        );
        let shared: Arc<Mutex<u8>> = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["shared"]),
            ::insyn::macro_support::arc(::std::boxed::Box::new(Mutex::new(0))),
        );
        let worker = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["worker"]),
            thread::spawn(move || {
                let inner = ::insyn::macro_support::named(
                    ::insyn::macro_support::naming(&["inner"]),
                    Mutex::new(0),
                );
            }),
        );
        let slots = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["slots"]),
            Semaphore::new(2),
        );
        let (caller, accept) = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["caller", "accept"]),
            entry::<u8, u8>(),
        );
        let named = insyn::name!("other", Mutex::new(1));
        let guard = lock.lock().unwrap();
        let reference = &Mutex::new(0);
        let default: Mutex<u8> = Default::default();
        let _ = Mutex::new(0);
        let Some(x) = Some(Mutex::new(1)) else { return Err(()) };
        let boxed = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["boxed"]),
            Box::new(Mutex::new(1)),
        );
        let perhaps = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["perhaps"]),
            Some(Box::new(Mutex::new(1))),
        );
        let scoped = thread::scope(|scope| {
            let child = ::insyn::macro_support::named(
                ::insyn::macro_support::naming(&["child"]),
                scope.spawn(|| 1),
            );
            let _ = scope.spawn(|| 2);
            child.join()
        });
        let built = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["built"]),
            thread::Builder::new().spawn(|| 1).unwrap(),
        );
        let tried = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["tried"]),
            thread::Builder::new().name("own".to_owned()).spawn(|| 1)?,
        );
        let asked = ::insyn::macro_support::named(
            ::insyn::macro_support::naming(&["asked"]),
            thread::Builder::new().spawn(|| 1).expect("there is room"),
        );
        let joined = built.join().unwrap();
        let account = Account {
            balance: ::insyn::macro_support::named(
                ::insyn::macro_support::naming(&["balance"]),
                Mutex::new(0),
            ),
            limit: 3,
            owners: ::insyn::macro_support::named(
                ::insyn::macro_support::naming(&["owners"]),
                ::insyn::macro_support::arc(::std::boxed::Box::new(Vec::new())),
            ),
            barrier: ::insyn::macro_support::named(
                ::insyn::macro_support::naming(&["barrier"]),
                Barrier::new(2),
            ),
        };
        insyn::label!("made", account.limit);
        Ok(())
    }
    impl Default for Account {
        fn default() -> Self {
            Self {
                balance: ::insyn::macro_support::named(
                    ::insyn::macro_support::naming(&["balance"]),
                    Mutex::default(),
                ),
                ..Self::other(Mutex::new(1))
            }
        }
    }
}
