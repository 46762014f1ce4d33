#[insyn::instrument]
mod names {
    use std::sync::{Arc, Barrier, Mutex, mpsc};
    use std::thread;
    use insyn::sync::{Semaphore, entry};

    fn f() -> Result<(), ()> {
        let (deposit, mut withdraw) = mpsc::channel::<u8>();
        let (_, receiver): (mpsc::Sender<u8>, _) = mpsc::sync_channel(limit()?);
        let lock = Mutex::new(vec![1]);
        let shared: Arc<Mutex<u8>> = Arc::new(Mutex::new(0));
        let worker = thread::spawn(move || {
            let inner = Mutex::new(0);
        });
        let slots = Semaphore::new(2);
        let (caller, accept) = entry::<u8, u8>();
        let named = insyn::name!("other", Mutex::new(1));
        let guard = lock.lock().unwrap();
        let reference = &Mutex::new(0);
        let default: Mutex<u8> = Default::default();
        let _ = Mutex::new(0);
        let Some(x) = Some(Mutex::new(1)) else { return Err(()) };
        let boxed = Box::new(Mutex::new(1));
        let perhaps = Some(Box::new(Mutex::new(1)));
        let scoped = thread::scope(|scope| {
            let child = scope.spawn(|| 1);
            let _ = scope.spawn(|| 2);
            child.join()
        });
        let built = thread::Builder::new().spawn(|| 1).unwrap();
        let tried = thread::Builder::new().name("own".to_owned()).spawn(|| 1)?;
        let asked = thread::Builder::new().spawn(|| 1).expect("there is room");
        let joined = built.join().unwrap();
        let account = Account { balance: Mutex::new(0), limit: 3, owners: Arc::new(Vec::new()), barrier: Barrier::new(2) };
        insyn::label!("made", account.limit);
        Ok(())
    }

    impl Default for Account {
        fn default() -> Self {
            Self { balance: Mutex::default(), ..Self::other(Mutex::new(1)) }
        }
    }
}
