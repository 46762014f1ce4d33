//! Confirms the count of a small program by other means than those of an exploration.

use insyn::Explorer;
use serde::Serialize;

/// No program that is confirmed has more orders of its threads' steps than this.
const ORDERS: u64 = 300_000;

/// So many orders are tried at random where there are too many to try all.
const SAMPLE: u64 = 3_000;

/// Explores a program, and runs it under every order of its threads' steps: both must find so many sequences.
///
/// # Panics
/// If they do not, or if there are too many orders to try all.
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

/// Explores a program, and runs it under many orders of its threads' steps at random, because there are too many to try
/// all: both must find so many sequences. That none is missed beyond those is not shown.
///
/// # Panics
/// If they do not.
pub fn sampled<R: Serialize + 'static>(
    sequences: u64,
    program: impl Fn() -> R + Send + Sync + Copy + 'static,
) {
    let explored = Explorer::new().explore(program).sequences;
    let found = Explorer::new().sample(SAMPLE, program).sequences;
    assert_eq!((explored, found), (sequences, sequences), "sequences explored, and those found at random");
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
    }

    #[test]
    #[should_panic(expected = "confirm a smaller one")]
    fn too_many_orders_confirm_nothing() {
        confirm_within(100, 24, || fan_in(4));
    }
}
