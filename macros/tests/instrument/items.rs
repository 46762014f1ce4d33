insyn::instrumented! {
    use std::sync::Mutex;

    static LOCK: Mutex<u8> = Mutex::new(0);

    /// What it does.
    pub fn lock() -> u8 {
        *LOCK.lock().unwrap()
    }

    mod inner {
        fn f() {
            let lock = super::Mutex::new(super::LOCK.lock());
        }
    }
}
