#[insyn::instrument(reexports(shim::sync = std::sync, flume_like::chan = crossbeam_channel, crate::thread = std::thread, prelude = std))]
mod reexports {
    use shim::sync::Mutex;
    use flume_like::{chan::{self, Sender}, other};
    use crate::thread;
    use prelude::sync::mpsc::channel;

    fn f(lock: shim::sync::MutexGuard<u8>, a: prelude::collections::HashMap<u8, u8>) {
        let (s, r) = flume_like::chan::bounded(1);
        crate::thread::spawn(|| ());
        let a = shim::other();
    }
}
