insyn::instrumented! {
    use std::sync::Mutex;

    #[insyn::instrument(imports(std::sync::mpsc::Receiver, std::thread as threads, crate::Condvar))]
    mod inner {
        use super::*;
        use super::Condvar;
        use super::super::Receiver as Orders;

        fn f(orders: Orders<u8>, own: &Condvar, seen: &Mutex<u8>) {
            super::threads::spawn(|| ());
            threads::yield_now();
        }
    }

    mod after {
        fn f(orders: Receiver<u8>) {}
    }
}
