//! Confirms the count of a small program by other means than those of an exploration.

use insyn::Explorer;
use serde::Serialize;

/// No program that is confirmed needs more executions than this, one for each order that leads to a new place.
const ORDERS: u64 = 50_000;

/// Explores a program, and runs it under every order of its threads' steps: both must find so many sequences. Of orders
/// that have come to the same events with the same partners, one is followed; nothing else is left out.
///
/// # Panics
/// If they do not, or if there are too many orders.
pub fn confirm<R: Serialize + 'static>(
    sequences: u64,
    program: impl Fn() -> R + Send + Sync + Copy + 'static,
) {
    confirm_within(ORDERS, sequences, program);
}

fn confirm_within<R: Serialize + 'static>(
    orders: u64,
    sequences: u64,
    program: impl Fn() -> R + Send + Sync + Copy + 'static,
) {
    let explored = Explorer::new().explore(program).sequences;
    assert_eq!(explored, sequences, "sequences explored");
    let Some(tried) = Explorer::new().brute_force(orders, program) else {
        panic!("there are more than {orders} orders: confirm a smaller one")
    };
    assert_eq!(tried.sequences, sequences, "sequences among all {} orders", tried.executions);
}

#[cfg(test)]
mod tests {
    use insyn::std::sync::mpsc::channel;
    use insyn::std::thread::spawn;

    use super::*;

    /// So many threads send one message each.
    fn fan_in(threads: usize) {
        let (tx, rx) = channel();
        for _ in 0..threads {
            let tx = tx.clone();
            spawn(move || tx.send(()));
        }
        drop(tx);
        assert_eq!(rx.iter().count(), threads);
    }

    #[test]
    fn all_orders_are_tried() {
        confirm(2, || fan_in(2));
        confirm(6, || fan_in(3));
    }

    #[test]
    #[should_panic(expected = "confirm a smaller one")]
    fn too_many_orders_confirm_nothing() {
        confirm_within(10, 24, || fan_in(4));
    }
}
