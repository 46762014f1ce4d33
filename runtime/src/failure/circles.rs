//! Who waits for whom: circles of threads, and threads that nothing can wake.

use insyn_specs::{Kind, Op};

use super::blocked::is_unaccepted;
use crate::execution::event::Ix;
use crate::execution::openness::{ANNOUNCED, WRITER};
use crate::execution::threads::Status;
use crate::execution::{Execution, WaitFor};

/// The thread that holds a lock or a monitor.
pub(super) fn owner(x: &Execution, object: u32) -> Option<u32> {
    let o = &x.objects[object as usize];
    let owner = match o.kind {
        Kind::Mutex | Kind::Monitor => o.state,
        Kind::ReentrantLock => o.state >> 32,
        Kind::RwLock => (o.state & !ANNOUNCED) >> WRITER,
        _ => 0,
    };
    (owner > 0).then(|| owner as Ix - 1)
}

/// The thread that a call waits for: the one that has accepted it; or else, of an entry that only one thread has ever
/// accepted from, that one.
pub(super) fn server(x: &Execution, caller: usize, entry: u32) -> Option<usize> {
    let run = x.run();
    let accepts = || run.events.iter().filter(|e| e.op == Op::Accept && e.object == entry);
    let is_mine = |call: &Ix| run.at(*call).thread as usize == caller;
    let mut servers = accepts().map(|e| e.thread as usize);
    if !is_unaccepted(x, caller, entry) {
        let accepted = accepts().rfind(|e| run.mates(e).iter().any(is_mine));
        return accepted.map(|e| e.thread as usize);
    }
    let first = servers.next()?;
    servers.all(|t| t == first).then_some(first)
}

/// Threads that nothing can wake, whatever others still do: they wait for each other in a circle, for one that does, or for
/// a lock that its holder has not given back at its end. (Who could still send to a channel is not known, so a thread that
/// waits for a message may always be woken.)
pub(super) fn locked_up(x: &Execution) -> Vec<usize> {
    let is_locked_up = |&start: &usize| {
        // Longer than any way without a circle.
        let mut way = std::iter::successors(Some(start), |&t| awaited(x, t, nobody)).take(x.live_threads + 1);
        x.threads[start].status == Status::Blocked
            && match way.clone().count() > x.live_threads {
                true => true,
                // One that has ended is awaited by nobody but those who want what it has kept.
                false => way.any(|t| t != start && x.threads[t].status == Status::Finished),
            }
    };
    (0..x.live_threads).filter(is_locked_up).collect()
}

/// For calls that anybody could still accept.
pub(super) fn nobody(_: &Execution, _: usize, _: u32) -> Option<usize> {
    None
}

/// Who finds the thread that a call of an entry waits for.
pub(super) type Server = fn(&Execution, usize, u32) -> Option<usize>;

/// The thread that a blocked one waits for: the holder of a lock or monitor, the one it joins, its server.
fn awaited(x: &Execution, t: usize, server: Server) -> Option<usize> {
    if x.threads[t].status != Status::Blocked {
        return None;
    }
    match x.threads[t].waits_for {
        WaitFor::Join { thread } => Some(thread as usize),
        WaitFor::Completion { object, .. } | WaitFor::Urgent { object } => {
            owner(x, object).map(|t| t as usize)
        }
        WaitFor::Reply { object } => server(x, t, object),
        _ => None,
    }
}

/// Threads that wait for each other in a circle, through locks, monitors, joins and calls of each other's entries.
pub(super) fn circle(x: &Execution, server: Server) -> Vec<usize> {
    let next = |t: usize| awaited(x, t, server);
    for start in 0..x.live_threads {
        let mut path = vec![start];
        while let Some(t) = path.last().and_then(|&t| next(t)) {
            if let Some(at) = path.iter().position(|&p| p == t) {
                return path.split_off(at);
            }
            path.push(t);
        }
    }
    Vec::new()
}
