//! The one topological sort: of all nodes whose predecessors are placed, the
//! smallest comes next. The result depends on the order and the numbering of the nodes only.

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
    fn names_a_cycle_in_its_order() {
        // 0 waits for the cycle 1 -> 3 -> 2 -> 1 and is not part of it.
        assert_eq!(smallest_first(&[vec![1], vec![2], vec![3], vec![1]]), Err(vec![3, 2, 1]));
        assert_eq!(smallest_first(&[vec![0]]), Err(vec![0]));
    }
}
