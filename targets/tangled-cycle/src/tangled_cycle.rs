//! T2 may hear of T3 only if T3 has heard of T4 before, and T3 of T2 only if T2 has been served by T1.

insyn::instrumented! {

use std::sync::mpsc;
use std::thread;

/// From whom threads with a port received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received {
    /// What T2 receives.
    pub by_t2: u32,
    /// What T3 receives.
    pub by_t3: u32,
}

/// Runs all four threads.
///
/// # Panics
/// If a port is gone too early, which does not happen: both are held until the end.
pub fn tangled_cycle() -> Received {
    let (to_t2, mut p2) = mpsc::channel();
    let (to_t3, mut p3) = mpsc::channel();
    let send = |port: &mpsc::Sender<u32>, from| port.send(from).expect("ports stay until the end");
    let receive = |port: &mut mpsc::Receiver<u32>| port.recv().expect("senders stay until the end");
    thread::scope(|scope| {
        let (p2, p3) = (&mut p2, &mut p3);
        let (to_t2, to_t3) = (&to_t2, &to_t3);
        scope.spawn(move || send(to_t2, 1));
        let t2 = scope.spawn(move || {
            let from = receive(p2);
            send(to_t3, 2);
            from
        });
        let t3 = scope.spawn(move || {
            let from = receive(p3);
            if from == 4 {
                send(to_t2, 3);
            }
            from
        });
        scope.spawn(move || send(to_t3, 4));
        Received {
            by_t2: t2.join().expect("T2 does not panic"),
            by_t3: t3.join().expect("T3 does not panic"),
        }
    })
}

}
