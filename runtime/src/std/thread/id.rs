//! Replacement for [`std::thread::ThreadId`].

use std::fmt;

use crate::backend::Backend;
use insyn_engine::record::event::Kind;

/// Identifies a thread. See [`std::thread::ThreadId`].
///
/// Under control the id encodes which threads the thread descends from: the digits after the first are the numbers, among
/// their siblings, of each ancestor and of the thread itself. `ThreadId(1)` is the closure under test, `ThreadId(13)` its
/// third thread, and `ThreadId(132)` the second thread of that one. So a thread has the same id in every execution,
/// whatever ran first. (The standard library promises only that ids differ.)
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ThreadId(Backend<std::thread::ThreadId, u64>);

impl ThreadId {
    pub(super) fn real(id: std::thread::ThreadId) -> Self {
        ThreadId(Backend::Real(id))
    }

    /// The id of the thread at the end of a path of creation.
    pub(super) fn controlled(path: &[(Kind, u32)]) -> Self {
        ThreadId(Backend::Controlled(digits(path).unwrap_or_else(|| mixed(path))))
    }
}

/// A number whose digits are the numbers on the path. A number with several digits, or the number 9, is written as a 9, the
/// count of digits, and then the digits: so no two paths give the same result. None if it would be too long.
fn digits(path: &[(Kind, u32)]) -> Option<u64> {
    let mut id = 1_u64;
    for &(_, number) in path {
        let number = u64::from(number);
        let length = number.ilog10() + 1;
        if number > 8 {
            id = id.checked_mul(100)?.checked_add(90 + u64::from(length) % 10)?;
        }
        id = id.checked_mul(10_u64.pow(length))?.checked_add(number)?;
    }
    // The upper half of the numbers is for threads whose path is too long.
    (id >> 63 == 0).then_some(id)
}

/// A number for a path that is too long to be encoded.
fn mixed(path: &[(Kind, u32)]) -> u64 {
    let mut id = 0xcbf2_9ce4_8422_2325_u64;
    for &(_, number) in path {
        id = (id ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        id ^= id >> 29;
    }
    id | 1 << 63
}

impl fmt::Debug for ThreadId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Backend::Real(id) => id.fmt(f),
            Backend::Controlled(id) => f.debug_tuple("ThreadId").field(&id).finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn path(numbers: &[u32]) -> Vec<(Kind, u32)> {
        numbers.iter().map(|&n| (Kind::Thread, n)).collect()
    }

    #[test]
    fn short_ways_are_readable() {
        let shown = |numbers: &[u32]| format!("{:?}", ThreadId::controlled(&path(numbers)));
        assert_eq!(shown(&[]), "ThreadId(1)");
        assert_eq!(shown(&[3]), "ThreadId(13)");
        assert_eq!(shown(&[3, 2]), "ThreadId(132)");
        assert_eq!(shown(&[9]), "ThreadId(1919)");
        assert_eq!(shown(&[32, 1]), "ThreadId(192321)");
    }

    #[test]
    fn different_ways_have_different_ids() {
        let mut seen = BTreeMap::new();
        let numbers = [1, 2, 8, 9, 10, 11, 19, 91, 99, 100, 191, 919, 12_345, u32::MAX];
        let mut paths = vec![vec![]];
        for depth in 0..3 {
            let longest = paths.iter().filter(|p| p.len() == depth).cloned().collect::<Vec<_>>();
            for p in longest {
                paths.extend(numbers.iter().map(|&n| p.iter().copied().chain([n]).collect::<Vec<u32>>()));
            }
        }
        paths.push(vec![1; 18]);
        paths.push(vec![1; 19]);
        paths.push(vec![1; 200]);
        for p in paths {
            let id = format!("{:?}", ThreadId::controlled(&path(&p)));
            assert_eq!(seen.insert(id, p.clone()), None, "{p:?}");
        }
    }
}
