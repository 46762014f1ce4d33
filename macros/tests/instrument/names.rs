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
