//! A value that is moved in a loop, once.

#[insyn::instrument]
pub mod desk {
    use std::sync::mpsc::{self, Sender};
    use std::thread;

    /// Passes a job on when it is time.
    pub fn pass(job: Vec<u32>, out: &Sender<Vec<u32>>) -> u32 {
        let mut n = 0;
        loop {
            n += 1;
            if n == 2 {
                let sent = out.send(job);
                assert!(sent.is_ok(), "somebody listens");
                break;
            }
        }
        n
    }

    /// What is passed on, and when.
    pub fn work() -> (u32, Vec<u32>) {
        let (out, jobs) = mpsc::channel();
        let other = thread::spawn(move || jobs.iter().flatten().collect());
        let n = pass(vec![1, 2], &out);
        drop(out);
        (n, other.join().expect("it does not panic"))
    }
}

#[cfg(test)]
mod tests {
    #[insyn::test]
    fn work() -> (u32, Vec<u32>) {
        super::desk::work()
    }
}
