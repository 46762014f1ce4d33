use ::insyn::std::sync::Mutex;
mod inner {
    use super::*;
    use super::Condvar;
    use ::insyn::std::sync::mpsc::Receiver as Orders;
    fn f(orders: Orders<u8>, own: &Condvar, seen: &Mutex<u8>) {
        ::insyn::std::thread::spawn(|| ());
        ::insyn::std::thread::yield_now();
    }
}
mod after {
    fn f(orders: Receiver<u8>) {}
}
