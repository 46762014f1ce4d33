mod keep_others {
    use crossbeam::{atomic::AtomicCell, queue};
    use ::insyn::crossbeam_channel as channel;
    use crossbeam::sync::{Parker, WaitGroup};
    use parking_lot::Mutex;
    fn f(lock: Mutex<u8>) {
        let queue: queue::SegQueue<u8> = crossbeam::queue::SegQueue::new();
        let cell = AtomicCell::new(0);
    }
}
