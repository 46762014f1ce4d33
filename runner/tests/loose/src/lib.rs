//! Code whose mutants are easily misjudged.

pub mod limits;
pub mod message;

#[insyn::instrument]
pub mod loose {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, Mutex, mpsc};
    use std::thread;

    use crate::message::Message;

    /// Threads raise their hands, in any order. More than six of them would queue; and if these came in reverse, the last
    /// could raise its hand twice.
    pub fn crowd(size: u32) {
        let queues = size > 6;
        let line = Arc::new(Mutex::new(Vec::new()));
        let (hands, seen): (Vec<_>, Vec<_>) = (0..size).map(|_| mpsc::channel()).unzip();
        let mut threads = Vec::new();
        for (n, hand) in (0..).zip(hands) {
            let line = line.clone();
            threads.push(thread::spawn(move || {
                let mut place = queues.then(|| line.lock().unwrap());
                if let Some(place) = &mut place {
                    place.push(n);
                    if place.iter().rev().copied().eq(0..6) {
                        let first = Arc::new(AtomicBool::new(false));
                        let asked = first.clone();
                        let other = thread::spawn(move || first.store(true, Ordering::SeqCst));
                        if asked.load(Ordering::SeqCst) {
                            hand.send(n).unwrap();
                        }
                        other.join().unwrap();
                    }
                }
                hand.send(n).unwrap();
            }));
        }
        for thread in threads {
            thread.join().unwrap();
        }
        drop(seen);
    }

    /// Passes a message on. It can be sent twice only if it can be cloned.
    pub fn pass() -> u32 {
        let (send, receive) = mpsc::channel();
        send.send(Message(1)).unwrap();
        receive.recv().unwrap().0
    }

    /// Which of two comes first.
    pub fn first() -> u32 {
        let (send, receive) = mpsc::channel();
        for n in 1..=2 {
            let send = send.clone();
            thread::spawn(move || send.send(n).unwrap());
        }
        let first = receive.recv().unwrap();
        receive.recv().unwrap();
        if first == 1 { first } else { late(first) }
    }

    /// No more than ten.
    pub fn late(n: u32) -> u32 {
        if n > 10 { 10 } else { n }
    }

    /// Either the program works itself, or helpers line up; only if they do so in reverse, two work at the same time.
    pub fn work(helpers: u32) -> u32 {
        let (tell, told) = mpsc::channel();
        for n in 0..2 {
            let tell = tell.clone();
            thread::spawn(move || tell.send(n).unwrap());
        }
        let (give, jobs) = crossbeam_channel::unbounded();
        give.send(1).unwrap();
        give.send(1).unwrap();
        let [first, _] = [told.recv().unwrap(), told.recv().unwrap()];
        if first == 0 {
            insyn::label!("alone");
            return jobs.recv().unwrap() + jobs.recv().unwrap();
        }
        insyn::label!("helped");
        let (ready, line) = mpsc::channel();
        for n in 0..helpers {
            let ready = ready.clone();
            thread::spawn(move || ready.send(n).unwrap());
        }
        let order: Vec<u32> = (0..helpers).map(|_| line.recv().unwrap()).collect();
        if !order.iter().rev().copied().eq(0..helpers) {
            return jobs.recv().unwrap() + jobs.recv().unwrap();
        }
        let other = jobs.clone();
        let other = thread::spawn(move || other.recv().unwrap());
        jobs.recv().unwrap() + other.join().unwrap()
    }

    /// Two helpers.
    pub fn work_with_two() -> u32 {
        work(2)
    }

    /// How many items come out. There are never a million.
    pub fn count(items: u32) -> usize {
        let (give, take) = mpsc::channel();
        for n in 0..items {
            if n < 1_000_000 {
                give.send(n).unwrap();
            }
        }
        drop(give);
        take.iter().count()
    }

    /// Waits for something that is not under control, if `times` says so.
    pub fn meet(times: u32) -> u32 {
        if times > 1 {
            crate::message::stick();
        }
        times
    }

    /// Allocates memory, and leaks it if `times` is more than 1.
    pub fn hoard(times: u32) -> u32 {
        let memory = vec![1_u8; 64 << 20];
        if times > 1 {
            std::mem::forget(memory);
        }
        times
    }
}

#[cfg(test)]
mod tests {
    use super::{limits, loose};

    #[insyn::test(spec = "specs/crowd.yaml")]
    fn crowds() {
        loose::crowd(6);
    }

    #[insyn::test]
    fn passes() -> u32 {
        loose::pass()
    }

    /// The first of its two sequences.
    #[insyn::test(max_sequences = 1)]
    fn begins() -> u32 {
        loose::first()
    }

    #[insyn::test]
    fn goes_on() -> u32 {
        loose::first()
    }

    #[insyn::test]
    fn is_limited() -> (u32, [bool; 3], [u32; 2]) {
        (limits::wait(), limits::send(), limits::share())
    }

    #[insyn::test(spec = "specs/work.yaml")]
    fn works() -> u32 {
        loose::work_with_two()
    }

    #[insyn::test(input = "2", tests = "specs/counts.tests.yaml")]
    fn counts(items: u32) -> usize {
        loose::count(items)
    }

    #[insyn::test(sequential)]
    fn meets() -> u32 {
        loose::meet(1)
    }

    #[insyn::test(sequential)]
    fn hoards() -> u32 {
        loose::hoard(1)
    }

    #[insyn::test(sequential)]
    fn ends() -> u32 {
        loose::late(2)
    }
}
