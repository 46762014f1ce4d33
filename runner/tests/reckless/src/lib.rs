//! Code whose mutants do the worst: they abort, spin, run out of memory and of stack, and run for ever.

#[insyn::instrument]
pub mod reckless {
    use std::sync::{Arc, Mutex, mpsc};
    use std::thread;

    /// Ends the process if something is wrong.
    pub fn check(sum: u32) {
        if sum != 3 {
            std::process::abort();
        }
    }

    /// Counts without synchronizing.
    pub fn count(to: u32) -> u32 {
        let mut n = 0;
        while n < to {
            n += 1;
        }
        n
    }

    /// As many as it is told to.
    pub fn fill(gigabytes: usize) -> usize {
        let mut all: Vec<Vec<u8>> = Vec::new();
        while all.len() < gigabytes {
            all.push(vec![1; 1 << 30]);
        }
        all.len()
    }

    /// Goes down, and comes up again.
    pub fn down(depth: u32) -> u32 {
        if depth == 0 { 0 } else { down(depth - 1) + 1 }
    }

    /// Two threads send to two channels, in opposite orders; what each channel delivers, in order. Each alone can deliver
    /// either message first, but both cannot deliver the later message of its sender first.
    pub fn cross() -> [[u32; 2]; 2] {
        let ((left, from_left), (right, from_right)) = (mpsc::channel(), mpsc::channel());
        let (to_left, to_right) = (left.clone(), right.clone());
        thread::spawn(move || {
            to_left.send(1).unwrap();
            to_right.send(1).unwrap();
        });
        thread::spawn(move || {
            right.send(2).unwrap();
            left.send(2).unwrap();
        });
        let both = |from: mpsc::Receiver<u32>| [from.recv().unwrap(), from.recv().unwrap()];
        let others = thread::spawn(move || both(from_right));
        [both(from_left), others.join().unwrap()]
    }

    /// Aborts if two channels have delivered what no two channels can, unless it is told not to.
    pub fn believe(delivered: [[u32; 2]; 2], told: u32) {
        if delivered == [[2, 1], [1, 2]] && told > 3 {
            std::process::abort();
        }
    }

    /// Two threads add to a sum that a third waits for.
    pub fn add() -> u32 {
        let sum = Arc::new(Mutex::new(0));
        let (done, all_done) = mpsc::channel();
        for n in 1..=2 {
            let (sum, done) = (sum.clone(), done.clone());
            thread::spawn(move || {
                *sum.lock().unwrap() += n;
                done.send(()).unwrap();
            });
        }
        drop(done);
        while all_done.recv().is_ok() {}
        let sum = *sum.lock().unwrap();
        check(sum);
        sum + count(2) + fill(0) as u32 + down(1)
    }
}

pub mod plain {
    pub fn wrong() -> u32 {
        1
    }
}

#[cfg(test)]
mod tests {
    use super::reckless;

    #[insyn::test]
    fn adds() -> u32 {
        reckless::add()
    }

    #[insyn::test]
    fn crosses() -> [[u32; 2]; 2] {
        let delivered = reckless::cross();
        reckless::believe(delivered, 3);
        delivered
    }

    #[insyn::test]
    fn fails() {
        assert_eq!(reckless::count(2), 3);
    }
}
