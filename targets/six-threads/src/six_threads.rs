//! Three of the threads have a port. T5 sends a second message to T2 only if it has heard of T6 first, so what T2 may
//! receive depends on what T5 has received.

insyn::instrumented! {

use std::sync::mpsc;
use std::thread;

/// From whom threads with a port received.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Received {
    /// The one message that T2 receives.
    pub by_t2: u32,
    /// The two that T3 receives, in order.
    pub by_t3: [u32; 2],
    /// The two that T5 receives, in order.
    pub by_t5: [u32; 2],
}

/// Runs all six.
///
/// # Panics
/// If a port is gone too early, which does not happen: all are held until the end.
pub fn six_threads() -> Received {
    let (to_t2, mut p2) = mpsc::channel();
    let (to_t3, mut p3) = mpsc::channel();
    let (to_t5, mut p5) = mpsc::channel();
    let send = |port: &mpsc::Sender<u32>, from| port.send(from).expect("ports stay until the end");
    let receive = |port: &mut mpsc::Receiver<u32>| port.recv().expect("senders stay until the end");
    thread::scope(|scope| {
        let (p2, p3, p5) = (&mut p2, &mut p3, &mut p5);
        let (to_t2, to_t3, to_t5) = (&to_t2, &to_t3, &to_t5);
        scope.spawn(move || send(to_t2, 1));
        let t2 = scope.spawn(move || {
            let from = receive(p2);
            send(to_t3, 2);
            from
        });
        let t3 = scope.spawn(move || [receive(p3), receive(p3)]);
        scope.spawn(move || {
            send(to_t3, 4);
            send(to_t5, 4);
        });
        let t5 = scope.spawn(move || {
            let first = receive(p5);
            if first == 6 {
                send(to_t2, 5);
            }
            [first, receive(p5)]
        });
        scope.spawn(move || send(to_t5, 6));
        Received {
            by_t2: t2.join().expect("T2 does not panic"),
            by_t3: t3.join().expect("T3 does not panic"),
            by_t5: t5.join().expect("T5 does not panic"),
        }
    })
}

}
