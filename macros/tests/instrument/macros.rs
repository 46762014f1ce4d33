#[insyn::instrument]
fn macros() {
    println!("{:?} {n}", std::thread::current().id(), n = std::thread::panicking());
    let text = format!("{}", { let lock = std::sync::Mutex::new(0); *lock.lock().unwrap() });
    assert!(std::thread::panicking(), "{}", std::sync::Arc::strong_count(&a));
    assert_eq!(std::sync::Once::new().is_completed(), false,);
    let all = vec![std::sync::Mutex::new(0), std::sync::Mutex::new(1)];
    let many = vec![std::sync::Arc::new(0); std::thread::available_parallelism().unwrap().get()];
    matches!(rx.try_recv(), Err(std::sync::mpsc::TryRecvError::Empty) if std::thread::panicking());
    dbg!(std::thread::current());
    std::debug_assert!(std::thread::panicking());
    let words = stringify!(std::thread::spawn);
    own_macro!(a => std::thread::spawn, { use std::{thread, fmt}; ::std::sync::Mutex }, x.std::thread, 0..std::thread::N);
    std::thread_local! {
        static A: std::sync::Arc<u8> = std::sync::Arc::new(1)
    }
}
