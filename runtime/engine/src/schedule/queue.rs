//! The threads that are ready to run.

use std::ops::Index;

use crate::ids::ThreadId;

/// Threads in the order in which they became ready.
///
/// A queue of a few threads that is empty again and again needs no ring: those that have left it stay in front of the others
/// until it is empty or its memory is used up. That halves the instructions of a turn's two operations.
#[derive(Debug, Default)]
pub struct Queue {
    threads: Vec<ThreadId>,
    /// How many of them have left.
    left: usize,
}

impl Queue {
    #[inline]
    pub(crate) fn push_back(&mut self, thread: ThreadId) {
        if self.threads.len() == self.threads.capacity() {
            self.make_room();
        }
        self.threads.push(thread);
    }

    /// Forgets those that have left, and grows only if those were few.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.threads.drain(..self.left);
        self.left = 0;
        self.threads.reserve(self.threads.capacity() / 2 + 1);
    }

    #[inline]
    pub(crate) fn pop_front(&mut self) -> Option<ThreadId> {
        let &thread = self.threads.get(self.left)?;
        self.left += 1;
        if self.left == self.threads.len() {
            self.clear();
        }
        Some(thread)
    }

    /// Takes the thread at a place out of the order.
    pub(crate) fn remove(&mut self, place: usize) -> Option<ThreadId> {
        (place < self.len()).then(|| self.threads.remove(self.left + place))
    }

    #[inline]
    pub(crate) fn clear(&mut self) {
        self.threads.clear();
        self.left = 0;
    }

    pub(crate) fn len(&self) -> usize {
        self.threads.len() - self.left
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.left == self.threads.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &ThreadId> {
        self.threads[self.left..].iter()
    }
}

impl Index<usize> for Queue {
    type Output = ThreadId;

    fn index(&self, place: usize) -> &ThreadId {
        &self.threads[self.left + place]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::Id;
    use std::collections::VecDeque;

    /// Beside the standard library's queue, with a number of threads that goes up and down.
    #[test]
    fn threads_leave_in_their_order() {
        let (mut queue, mut expected) = (Queue::default(), VecDeque::new());
        for round in 1..2000 {
            let thread = ThreadId::at(round).expect("it is not the first place");
            match round % 7 {
                0 => assert_eq!(queue.remove(round % 3), expected.remove(round % 3)),
                1 | 3 | 6 if round % 400 < 200 => assert_eq!(queue.pop_front(), expected.pop_front()),
                2 | 4 | 5 if round % 400 >= 200 => assert_eq!(queue.pop_front(), expected.pop_front()),
                _ => {
                    queue.push_back(thread);
                    expected.push_back(thread);
                }
            }
            assert!(queue.iter().eq(&expected));
            assert_eq!((queue.len(), queue.is_empty()), (expected.len(), expected.is_empty()));
            assert!(queue.is_empty() || queue[0] == expected[0]);
        }
    }

    #[test]
    fn memory_does_not_grow_with_turns() {
        let mut queue = Queue::default();
        for turn in 1..10_000 {
            queue.push_back(ThreadId::at(turn).expect("it is not the first place"));
            if turn > 4 {
                queue.pop_front();
            }
        }
        assert!(queue.threads.capacity() <= 32, "{}", queue.threads.capacity());
    }
}
