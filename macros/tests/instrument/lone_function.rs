#[insyn::instrument(imports(std::sync::{Arc, mpsc::*}, std::thread, crate::Mutex))]
fn lone_function(orders: Receiver<u8>, lock: &Mutex<u8>, channel: u8) -> thread::JoinHandle<Arc<u8>> {
    let (tx, rx) = sync_channel::<u8>(1);
    let own = Mutex::new(channel);
    let count = std::sync::atomic::AtomicU8::new(0);
    let spawn = |f: fn()| f();
    spawn(|| ());
    println!("{}", thread::current().name().unwrap());
    own_macro!(thread::sleep, Arc, Receiver::recv);
    thread::spawn(move || {
        use thread::yield_now;
        use std::sync::Mutex;
        let lock = Mutex::new(1);
        yield_now();
        Arc::<u8>::new(1)
    })
}
