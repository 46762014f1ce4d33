#[insyn::instrument]
mod shop {
    use crossbeam::atomic::AtomicCell;
    use crossbeam::queue;
    use crossbeam_epoch::*;
    use parking_lot::Mutex;

    pub fn open() {
        let (orders, _) = flume::unbounded();
    }
}

fn main() {}
