//! The one topological sort: of all nodes whose predecessors are placed, the
//! smallest comes next. The result depends on the order and the numbering of the nodes only.
//!
//! [`smallest_legal`] does the same where more is required than an order: that some nodes come before the last of others,
//! whichever that is.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Sorts the nodes `0..predecessors.len()`, always with the smallest available one next.
///
/// # Errors
/// If the predecessors are cyclic: the nodes of one cycle, each before the next.
pub fn smallest_first(predecessors: &[Vec<usize>]) -> Result<Vec<usize>, Vec<usize>> {
    let mut successors = vec![Vec::new(); predecessors.len()];
    for (node, before) in predecessors.iter().enumerate() {
        for &earlier in before {
            successors[earlier].push(node);
        }
    }
    let mut missing: Vec<usize> = predecessors.iter().map(Vec::len).collect();
    let mut available: BinaryHeap<Reverse<usize>> =
        (0..missing.len()).filter(|&node| missing[node] == 0).map(Reverse).collect();
    let mut line = Vec::with_capacity(predecessors.len());
    while let Some(Reverse(node)) = available.pop() {
        line.push(node);
        for &later in &successors[node] {
            missing[later] -= 1;
            if missing[later] == 0 {
                available.push(Reverse(later));
            }
        }
    }
    if line.len() == predecessors.len() { Ok(line) } else { Err(cycle(predecessors, &missing)) }
}

/// What is required of a line beyond the predecessors of its nodes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Required {
    /// The first comes before the second.
    pub(crate) before: Vec<(usize, usize)>,
    /// Each of the first comes before the last of the second.
    pub(crate) before_last: Vec<(Vec<usize>, Vec<usize>)>,
}

impl Required {
    /// Whether a line agrees with it.
    pub(crate) fn is_met_by(&self, line: &[usize]) -> bool {
        let mut place = vec![0; line.len()];
        line.iter().enumerate().for_each(|(i, &node)| place[node] = i);
        let is_before_last = |(first, second): &(Vec<usize>, Vec<usize>)| {
            let last = second.iter().map(|&it| place[it]).max();
            first.iter().all(|&it| Some(place[it]) < last)
        };
        self.before.iter().all(|&(a, b)| a == b || place[a] < place[b])
            && self.before_last.iter().all(is_before_last)
    }
}

/// As [`smallest_first`], with requirements, and with other numbers to go by. None if there is no such line.
pub(crate) fn smallest_legal(
    predecessors: &[Vec<usize>],
    keys: &[usize],
    required: &Required,
) -> Option<Vec<usize>> {
    let mut all = predecessors.to_vec();
    for &(earlier, later) in &required.before {
        all[later].push(earlier);
    }
    let draw = |last: &[Option<usize>]| {
        let mut line = Line::new(&all, keys, required, last);
        line.draw(keys);
        (line.placed.len() == all.len()).then_some(line.placed)
    };
    // Where it matters which node is the last of a group, those that are stuck wait for one that has to wait for them.
    draw(&vec![None; required.before_last.len()]).or_else(|| draw(&last_of_groups(&all, keys, required)?))
}

/// By group, one of its second nodes that can come after all of the first, if there is a line at all. The line is drawn from
/// its end: a node may be placed there as soon as all that comes after it is, and one of the second of each group in which it
/// is among the first. What may be placed stays so, whatever else is; hence there is no wrong choice.
fn last_of_groups(
    predecessors: &[Vec<usize>],
    keys: &[usize],
    required: &Required,
) -> Option<Vec<Option<usize>>> {
    let n = predecessors.len();
    let groups = &required.before_last[..];
    let mut second_in = vec![Vec::new(); n];
    // By node: how many successors and groups it waits for.
    let mut missing = vec![0; n];
    predecessors.iter().flatten().for_each(|&node| missing[node] += 1);
    for (group, (first, second)) in groups.iter().enumerate().filter(|(_, (_, second))| !second.is_empty()) {
        first.iter().for_each(|&node| missing[node] += 1);
        second.iter().enumerate().for_each(|(place, &node)| second_in[node].push((group, place)));
    }
    let mut last = vec![None; groups.len()];
    let mut available: BinaryHeap<(usize, usize)> =
        (0..n).filter(|&node| missing[node] == 0).map(|node| (keys[node], node)).collect();
    let mut placed = 0;
    while let Some((_, node)) = available.pop() {
        placed += 1;
        let mut settled: Vec<usize> = predecessors[node].clone();
        for &(group, place) in &second_in[node] {
            if last[group].is_none() {
                last[group] = Some(place);
                settled.extend(&groups[group].0);
            }
        }
        for earlier in settled {
            missing[earlier] -= 1;
            if missing[earlier] == 0 {
                available.push((keys[earlier], earlier));
            }
        }
    }
    (placed == n).then_some(last)
}

/// A line that is being drawn up.
struct Line<'a> {
    successors: Vec<Vec<usize>>,
    missing: Vec<usize>,
    groups: &'a [(Vec<usize>, Vec<usize>)],
    /// By group: how many of its first and of its second nodes have not been placed.
    left: Vec<(usize, usize)>,
    /// By node: the groups in which it is among the first, and among the second.
    first_in: Vec<Vec<usize>>,
    second_in: Vec<Vec<usize>>,
    /// By group: the one that must be the last.
    last: &'a [Option<usize>],
    placed: Vec<usize>,
}

impl<'a> Line<'a> {
    fn new(all: &[Vec<usize>], keys: &[usize], required: &'a Required, last: &'a [Option<usize>]) -> Self {
        let mut successors = vec![Vec::new(); all.len()];
        for (node, before) in all.iter().enumerate() {
            before.iter().for_each(|&earlier| successors[earlier].push(node));
        }
        let groups = &required.before_last[..];
        let (mut first_in, mut second_in) = (vec![Vec::new(); keys.len()], vec![Vec::new(); keys.len()]);
        for (group, (first, second)) in groups.iter().enumerate() {
            first.iter().for_each(|&node| first_in[node].push(group));
            second.iter().for_each(|&node| second_in[node].push(group));
        }
        Line {
            successors,
            missing: all.iter().map(Vec::len).collect(),
            groups,
            left: groups.iter().map(|(first, second)| (first.len(), second.len())).collect(),
            first_in,
            second_in,
            last,
            placed: Vec::with_capacity(all.len()),
        }
    }

    /// Places nodes for as long as there are any that may come next.
    fn draw(&mut self, keys: &[usize]) {
        let mut available: BinaryHeap<Reverse<(usize, usize)>> = BinaryHeap::new();
        let add = |heap: &mut BinaryHeap<_>, node: usize| heap.push(Reverse((keys[node], node)));
        (0..keys.len()).filter(|&node| self.missing[node] == 0).for_each(|node| add(&mut available, node));
        // By group: the nodes that it holds back.
        let mut held: Vec<Vec<usize>> = vec![Vec::new(); self.groups.len()];
        while let Some(Reverse((_, node))) = available.pop() {
            if let Some(group) = self.holds_back(node) {
                held[group].push(node);
                continue;
            }
            self.placed.push(node);
            for group in self.second_in[node].clone() {
                self.left[group].1 -= 1;
            }
            for group in self.first_in[node].clone() {
                self.left[group].0 -= 1;
                if self.left[group].0 == 0 {
                    held[group].drain(..).for_each(|node| add(&mut available, node));
                }
            }
            for later in std::mem::take(&mut self.successors[node]) {
                self.missing[later] -= 1;
                if self.missing[later] == 0 {
                    add(&mut available, later);
                }
            }
        }
    }

    /// The group for which a node has to wait: it would be the last of the second while some of the first are left.
    fn holds_back(&self, node: usize) -> Option<usize> {
        let is_last = |group: usize| match self.last[group] {
            None => self.left[group].1 == 1,
            Some(last) => self.groups[group].1[last] == node,
        };
        self.second_in[node].iter().copied().find(|&group| self.left[group].0 > 0 && is_last(group))
    }
}

/// Walks back from a node that could not be placed, among such nodes, until one repeats.
fn cycle(predecessors: &[Vec<usize>], missing: &[usize]) -> Vec<usize> {
    let stuck = |node: &usize| missing[*node] > 0;
    let mut node = (0..missing.len()).find(stuck).expect("a node was left over");
    let mut seen_at = vec![None; missing.len()];
    let mut path = Vec::new();
    while seen_at[node].is_none() {
        seen_at[node] = Some(path.len());
        path.push(node);
        node =
            predecessors[node].iter().copied().find(stuck).expect("a node left over waits for another one");
    }
    let mut cycle = path.split_off(seen_at[node].expect("the walk came back to this node"));
    cycle.reverse();
    cycle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_the_smallest_available() {
        // 0 waits for 3; 1 and 2 are free.
        assert_eq!(smallest_first(&[vec![3], vec![], vec![1], vec![]]), Ok(vec![1, 2, 3, 0]));
        assert_eq!(smallest_first(&[]), Ok(vec![]));
    }

    #[test]
    fn comes_before_the_last_whichever_that_is() {
        let keys: Vec<usize> = (0..4).collect();
        let required = |first: &[usize], second: &[usize]| Required {
            before: Vec::new(),
            before_last: vec![(first.to_vec(), second.to_vec())],
        };
        let free = vec![vec![]; 4];
        assert_eq!(smallest_legal(&free, &keys, &required(&[3], &[0, 1])), Some(vec![0, 2, 3, 1]));
        // 3 waits for 1, so it is 0 that has to be the last.
        let waits = [vec![], vec![], vec![], vec![1]];
        assert_eq!(smallest_legal(&waits, &keys, &required(&[3], &[0, 1])), Some(vec![1, 2, 3, 0]));
        let waits = [vec![], vec![], vec![], vec![0, 1]];
        assert_eq!(smallest_legal(&waits, &keys, &required(&[3], &[0, 1])), None);
        // Only 0 can come after 6, since 6 comes after 1; and only 2 after 4, since 4 comes after 3. Either choice alone is not
        // enough.
        let chains = [vec![], vec![], vec![1], vec![], vec![3], vec![2, 4], vec![5]];
        let two =
            Required { before: vec![], before_last: vec![(vec![6], vec![0, 1]), (vec![4], vec![2, 3])] };
        let line = smallest_legal(&chains, &[0, 1, 2, 3, 4, 5, 6], &two);
        assert_eq!(line, Some(vec![1, 3, 4, 2, 5, 6, 0]));
        let both = Required { before: vec![(3, 0)], ..Required::default() };
        assert_eq!(smallest_legal(&free, &[3, 2, 1, 0], &both), Some(vec![3, 2, 1, 0]));
        assert_eq!(smallest_legal(&waits, &keys, &both), None);
    }

    #[test]
    fn names_a_cycle_in_its_order() {
        // 0 waits for the cycle 1 -> 3 -> 2 -> 1 and is not part of it.
        assert_eq!(smallest_first(&[vec![1], vec![2], vec![3], vec![1]]), Err(vec![3, 2, 1]));
        assert_eq!(smallest_first(&[vec![0]]), Err(vec![0]));
    }
}
