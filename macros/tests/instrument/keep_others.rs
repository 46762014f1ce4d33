#[insyn::instrument(keep(parking_lot, crossbeam::queue, crossbeam::atomic, crossbeam::sync))]
mod keep_others {
    use crossbeam::{atomic::AtomicCell, channel, queue};
    use crossbeam::sync::{Parker, WaitGroup};
    use parking_lot::Mutex;

    fn f(lock: Mutex<u8>) {
        let queue: queue::SegQueue<u8> = crossbeam::queue::SegQueue::new();
        let cell = AtomicCell::new(0);
    }
}
