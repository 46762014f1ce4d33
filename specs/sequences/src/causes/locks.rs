//! *Opposite lock order*: threads t1, t2, … tn (n > 1) that cannot go on, where each ti waits for a lock that t(i+1) holds, and tn
//! for one that t1 holds. *Locked twice*: the same with n = 1. *Circular wait*: the same with n > 1 where each waits for a lock of
//! the next, for its end, or for its reply to a call that it has accepted or that only it could accept.
//!
//! A lock is a mutex, a reader-writer lock, a reentrant lock or a monitor. A thread holds it from the completion of its taking to
//! that of its release.

use super::{Cause, Link, blocked};
use crate::failing::{Wait, Waiting};
use crate::scene::Scene;
use crate::sequence::Kind;

pub(super) fn find(scene: &Scene<'_>) -> Option<Cause> {
    let all = blocked(scene);
    let wants = |it: &Waiting| -> Option<usize> {
        let lock = scene.process(it.on.first()?)?;
        let kind = scene.order.sequence().processes[lock].kind;
        let is_lock = matches!(kind, Kind::Mutex | Kind::RwLock | Kind::ReentrantLock | Kind::Monitor);
        (is_lock && it.wait == Wait::Completion && it.on.len() == 1).then_some(lock)
    };
    for start in all {
        // The threads from the first on, each waiting for a lock of the next.
        let mut path: Vec<&Waiting> = vec![start];
        while let Some(last) = path.last()
            && let Some(_lock) = wants(last)
            && let [holder] = &last.holders[..]
        {
            if let Some(at) = path.iter().position(|it| it.thread == *holder) {
                let circle = &path[at..];
                let links: Option<Vec<Link>> = (0..circle.len())
                    .map(|i| {
                        let before = circle[(i + circle.len() - 1) % circle.len()];
                        let (holds, wants) = (wants(before)?, wants(circle[i])?);
                        Some(Link { thread: scene.process(&circle[i].thread)?, holds, wants })
                    })
                    .collect();
                return match links?[..] {
                    [Link { thread, wants, .. }] => Some(Cause::LockedTwice { thread, lock: wants }),
                    ref links => Some(Cause::LockOrder { circle: links.to_vec() }),
                };
            }
            match all.iter().find(|it| it.thread == *holder) {
                Some(next) => path.push(next),
                None => break,
            }
        }
    }
    None
}

/// The circle that the engine has found, which knows who serves the entries of the program.
pub(super) fn find_circle(scene: &Scene<'_>) -> Option<Cause> {
    let all = blocked(scene);
    let circle = scene.failing.circle.iter().map(|&i| scene.process(&all.get(i)?.thread));
    let threads: Vec<usize> = circle.collect::<Option<_>>()?;
    (threads.len() > 1).then_some(Cause::CircularWait { threads })
}

pub(super) fn text(scene: &Scene<'_>, circle: &[Link]) -> String {
    let name = |process: usize| scene.labels[process].as_str();
    let mut circle = circle.to_vec();
    circle.sort_by_key(|link| link.thread);
    let links: Vec<String> = circle
        .iter()
        .map(|link| format!("{} takes {} then {}", name(link.thread), name(link.holds), name(link.wants)))
        .collect();
    format!("opposite lock order: {}", links.join(", "))
}
