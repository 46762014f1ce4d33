//! The programs every tool runs, and how many behaviours each of them has.

/// One program. Every tool has its own text of it; the synchronization is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Program {
    /// Six threads send one message each on one channel; main receives them all.
    FanIn6,
    /// The same with seven.
    FanIn7,
    /// Three threads take one lock twice, twice and four times.
    ProdCons,
    /// A bounded buffer behind `Mutex` and two `Condvar`s; `notify_one` wakes the longest waiter.
    BufferMonitor,
    /// A bounded buffer behind a server that receives only what it can serve.
    BufferServer,
    /// Three clients ask a server twice each and wait for every answer.
    RequestReply,
    /// Four philosophers who take the lower fork first.
    Philosophers,
}

/// Producers of the bounded buffers, one item each.
pub const PRODUCERS: usize = 3;
/// Consumers of the bounded buffers, one item each.
pub const CONSUMERS: usize = 3;
/// Slots of the bounded buffers.
pub const SLOTS: usize = 2;
/// Clients of the request/reply program.
pub const CLIENTS: usize = 3;
/// Requests of each client.
pub const REQUESTS: usize = 2;
/// Philosophers, and forks.
pub const PHILOSOPHERS: usize = 4;
/// How often each thread of Prod_Cons takes the lock.
pub const PROD_CONS_LOCKS: [usize; 3] = [2, 2, 4];

impl Program {
    /// Every program, in the order of the table.
    pub const ALL: [Program; 7] = [
        Program::FanIn6,
        Program::FanIn7,
        Program::ProdCons,
        Program::BufferMonitor,
        Program::BufferServer,
        Program::RequestReply,
        Program::Philosophers,
    ];

    /// What the table calls it.
    pub fn title(self) -> &'static str {
        match self {
            Program::FanIn6 => "fan-in 6",
            Program::FanIn7 => "fan-in 7",
            Program::ProdCons => "Prod_Cons (locks)",
            Program::BufferMonitor => "BB monitor 3P 3C 2S",
            Program::BufferServer => "BB server 3P 3C 2S",
            Program::RequestReply => "request/reply 3 × 2",
            Program::Philosophers => "philosophers 4",
        }
    }

    /// How many behaviours it has. A tool that reports another number runs another program.
    pub fn sequences(self) -> u64 {
        match self {
            Program::FanIn6 => factorial(6),
            Program::FanIn7 => factorial(7),
            // The orders of 2 + 2 + 4 critical sections.
            Program::ProdCons => factorial(8) / (2 * 2 * factorial(4)),
            Program::BufferMonitor => 5_076,
            // Which producer, which consumer, and the 4 ways to alternate without over- or underflow.
            Program::BufferServer => factorial(3) * factorial(3) * 4,
            // The orders of 2 + 2 + 2 requests.
            Program::RequestReply => factorial(6) / (2 * 2 * 2),
            // Each fork goes to either neighbour first, except all in a ring, either way round.
            Program::Philosophers => (1 << PHILOSOPHERS) - 2,
        }
    }
}

/// `n!`
pub fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

/// The forks of philosopher `i`, lower one first: nobody waits for a lower fork while holding a higher one, so
/// there is no deadlock.
pub fn forks_of(i: usize) -> (usize, usize) {
    let right = (i + 1) % PHILOSOPHERS;
    (i.min(right), i.max(right))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_are_the_known_ones() {
        assert_eq!(Program::ALL.map(Program::sequences), [720, 5_040, 420, 5_076, 144, 90, 14]);
    }
}
