//! Code whose mutants do the worst: they abort, spin, run out of memory and of stack, never end, and are killed from outside.

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

    /// Fills this many gigabytes.
    pub fn fill(gigabytes: usize) -> usize {
        let mut all: Vec<Vec<u8>> = Vec::new();
        while all.len() < gigabytes {
            all.push(vec![1; 1 << 30]);
        }
        all.len()
    }

    /// Recurses down, and returns.
    pub fn down(depth: u32) -> u32 {
        if depth == 0 { 0 } else { down(depth - 1) + 1 }
    }

    /// Two threads send to two channels, in opposite orders; returns what each channel delivers, in order. Each can deliver
    /// either message first, but the two cannot both deliver the later message of its sender first.
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

    /// Aborts if two channels have delivered what no two channels can, unless `told` says not to.
    pub fn believe(delivered: [[u32; 2]; 2], told: u32) {
        if delivered == [[2, 1], [1, 2]] && told > 3 {
            std::process::abort();
        }
    }

    /// Sends a signal to its own process, if `told` says so.
    pub fn leave(by: &str, told: u32) -> u32 {
        if told > 3 {
            crate::plain::signal_itself(by);
        }
        told
    }

    /// Is killed sometimes, if `told` says so.
    pub fn flicker(told: u32) -> u32 {
        if told > 3 {
            crate::plain::be_killed();
        }
        told
    }

    /// Aborts, if `told` says so; and is killed sometimes, before it can.
    pub fn vanish(told: u32) -> u32 {
        if told > 3 {
            crate::plain::be_killed();
            *Mutex::new(0).lock().unwrap() += told;
            std::process::abort();
        }
        told
    }

    /// Has many mutants, none of which does any harm.
    pub fn weigh(told: u32) -> u32 {
        let mut sum = 0;
        if told > 1 {
            sum += 1;
        }
        if told > 2 {
            sum += 2;
        }
        if told > 5 {
            sum += 4;
        }
        sum
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

/// Not annotated. The environment controls what happens beside the programs.
pub mod plain {
    use std::path::PathBuf;
    use std::process::Command;
    use std::time::Duration;
    use std::{env, fs, process, thread};

    pub fn wrong() -> u32 {
        1
    }

    /// Sends a signal to this process, as another process would.
    pub fn signal_itself(name: &str) {
        let _ = Command::new("kill").args(["-s", name, &process::id().to_string()]).status();
    }

    /// Kills this process if the call should not survive: `KILLS` names a file with a line for each call, in any process,
    /// and the line says what happens in that call.
    pub fn be_killed() {
        let Some(path) = env::var_os("KILLS") else { return };
        let calls = fs::read_to_string(&path).unwrap_or_default();
        let (call, rest) = calls.split_once('\n').unwrap_or_default();
        fs::write(&path, rest).expect("it can be written");
        if call == "kill" {
            signal_itself("KILL");
        }
    }

    /// Waits at a gate. `GATE` names the directory of a campaign: the gate is closed while it has a file `gate`, and at
    /// least as many mutants have results there as the file says. A process that waits leaves a file `waiting`.
    pub fn pass_gate() {
        let Some(directory) = env::var_os("GATE").map(PathBuf::from) else { return };
        let is_closed = || {
            let wanted = fs::read_to_string(directory.join("gate")).ok()?.parse::<usize>().ok()?;
            let known = fs::read_to_string(directory.join("results.jsonl")).unwrap_or_default();
            (known.lines().count() >= wanted).then_some(())
        };
        while is_closed().is_some() {
            fs::write(directory.join("waiting"), "").expect("it can be written");
            thread::sleep(Duration::from_millis(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{plain, reckless};

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

    #[insyn::test(sequential)]
    fn kills_itself() -> u32 {
        reckless::leave("KILL", 3)
    }

    #[insyn::test(sequential)]
    fn terminates_itself() -> u32 {
        reckless::leave("TERM", 3)
    }

    #[insyn::test(sequential)]
    fn flickers() -> u32 {
        reckless::flicker(3)
    }

    #[insyn::test(sequential)]
    fn vanishes() -> u32 {
        reckless::vanish(3)
    }

    #[insyn::test(sequential)]
    fn waits() -> u32 {
        plain::pass_gate();
        reckless::weigh(3)
    }

    #[insyn::test]
    fn fails() {
        assert_eq!(reckless::count(2), 3);
    }
}
