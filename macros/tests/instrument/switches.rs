#[insyn::instrument]
mod switches {
    use std::sync::Mutex;
    use std::thread;

    struct Account {
        balance: Mutex<u32>,
    }

    /// As the mutants of a campaign are compiled in: what was written, and what a mutant makes, is named; the rest is not.
    fn run() {
        let worker = (if ::insyn::mutation::is(1u32) {
            work()
        } else if ::insyn::mutation::is(2u32) {
            thread::spawn(rest)
        } else {
            thread::spawn(work)
        });
        let account = Account {
            balance: (if ::insyn::mutation::is(3u32) { Mutex::default() } else { Mutex::new(0) }),
        };
        // Not a switch: which of the two is made, the program decides.
        let either = if account.is_open() { thread::spawn(work) } else { thread::spawn(rest) };
    }
}
