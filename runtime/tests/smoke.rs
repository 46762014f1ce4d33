//! First explorations.
use insyn::std::sync::{Arc, Mutex, mpsc};
use insyn::std::thread;
use insyn::{Explorer, explore};

fn fan_in(n: usize) -> impl Fn() + Send + Sync + 'static {
    move || {
        let (tx, rx) = mpsc::channel();
        for i in 0..n {
            let tx = tx.clone();
            thread::spawn(move || tx.send(i).unwrap());
        }
        for _ in 0..n {
            rx.recv().unwrap();
        }
    }
}

#[test]
fn empty() {
    let e = explore(|| ());
    assert_eq!((e.sequences, e.executions), (1, 1), "{e}");
}

#[test]
fn fan_in_counts() {
    for (n, f) in [(1, 1), (2, 2), (3, 6), (4, 24), (5, 120), (6, 720)] {
        let e = Explorer::new().workers(1).explore(fan_in(n));
        assert_eq!((e.sequences, e.executions), (f, f), "{e}");
    }
}

#[test]
fn prod_cons() {
    for w in [1, 2] {
        let e = Explorer::new().workers(w).explore(|| {
            let m = Arc::new(Mutex::new(0));
            let hs: Vec<_> = [2, 2, 4]
                .map(|n| {
                    let m = m.clone();
                    thread::spawn(move || {
                        for _ in 0..n {
                            *m.lock().unwrap() += 1;
                        }
                    })
                })
                .into_iter()
                .collect();
            for h in hs {
                h.join().unwrap();
            }
        });
        assert_eq!((e.sequences, e.executions), (420, 420), "{e}");
    }
}

#[test]
fn deadlock() {
    let e = explore(|| {
        let a = Arc::new(Mutex::new(0));
        let b = Arc::new(Mutex::new(0));
        let (a2, b2) = (a.clone(), b.clone());
        let h = thread::spawn(move || {
            let _a = a2.lock().unwrap();
            let _b = b2.lock().unwrap();
        });
        let _b = b.lock().unwrap();
        let _a = a.lock().unwrap();
        drop((_a, _b));
        h.join().unwrap();
    });
    println!("{e}");
    assert_eq!(e.deadlocks, 1);
}

#[test]
fn try_recv_litmus() {
    let e = explore(|| {
        let (tx, rx) = mpsc::channel();
        thread::spawn(move || {
            tx.send(1).unwrap();
        });
        (rx.try_recv(), rx.try_recv()).0.is_ok()
    });
    println!("{e}");
}

#[test]
fn rendezvous_try() {
    let e = Explorer::new()
        .workers(1)
        .observe(|e| {
            println!(
                "{} {:?}\n{}",
                e.counted(),
                e.termination(),
                insyn::specs::text::render(&e.sequence()).unwrap()
            )
        })
        .explore(|| {
            let (tx, rx) = mpsc::sync_channel::<u32>(0);
            thread::spawn(move || {
                let _ = rx.try_recv();
                let _ = rx.try_recv();
            });
            drop(tx);
        });
    println!("{e}");
}
