//! The least automaton with the same language: partition refinement in O(m log m) for m edges, after Valmari (*Fast brief practical DFA
//! minimization*, 2012), which needs no edges for failure.

use std::ops::Range;

/// A deterministic automaton, whose initial state is 0. Where no edge has a letter, it rejects.
pub(crate) struct Automaton {
    pub(crate) accepting: Vec<bool>,
    pub(crate) edges: Vec<Edge>,
}

/// From, letter, to.
pub(crate) type Edge = (u32, u32, u32);

/// The least automaton with the same language. Of the empty language, that is one state that does not accept.
pub(crate) fn minimize(automaton: &Automaton) -> Automaton {
    let automaton = trim(automaton);
    let states = automaton.accepting.len();
    let mut blocks = Partition::new(states);
    for (state, accepts) in (0..).zip(&automaton.accepting) {
        if *accepts {
            blocks.mark(state);
        }
    }
    blocks.split();
    // Edges of the same letter are together at first; they are split by the blocks that they lead to.
    let mut cords = Partition::new(automaton.edges.len());
    cords.group_by(|edge| automaton.edges[edge as usize].1);
    let into = incoming(states, &automaton.edges);
    let (mut block, mut cord) = (1, 0);
    while cord < cords.count() {
        for place in cords.range(cord) {
            blocks.mark(automaton.edges[cords.elements[place] as usize].0);
        }
        blocks.split();
        cord += 1;
        while block < blocks.count() {
            for place in blocks.range(block) {
                into[blocks.elements[place] as usize].iter().for_each(|&edge| cords.mark(edge));
            }
            cords.split();
            block += 1;
        }
    }
    // The block of the initial state becomes state 0.
    let first = blocks.set_of[0];
    let number = |state: u32| match blocks.set_of[state as usize] {
        block if block == first => 0,
        0 => first,
        block => block,
    };
    let mut accepting = vec![false; blocks.count()];
    for (state, accepts) in (0..).zip(&automaton.accepting) {
        accepting[number(state) as usize] |= accepts;
    }
    let merged = automaton.edges.iter().map(|&(from, letter, to)| (number(from), letter, number(to)));
    let mut edges: Vec<_> = merged.collect();
    edges.sort_unstable();
    edges.dedup();
    Automaton { accepting, edges }
}

fn incoming(states: usize, edges: &[Edge]) -> Vec<Vec<u32>> {
    let mut into = vec![Vec::new(); states];
    for (edge, &(_, _, to)) in (0..).zip(edges) {
        into[to as usize].push(edge);
    }
    into
}

/// Leaves out the states that no word leads to, or from which no word can be completed. The initial state stays.
fn trim(automaton: &Automaton) -> Automaton {
    let states = automaton.accepting.len();
    let reach = |from: Vec<u32>, next: fn(&Edge) -> (u32, u32)| {
        let mut adjacent = vec![Vec::new(); states];
        for edge in &automaton.edges {
            let (from, to) = next(edge);
            adjacent[from as usize].push(to);
        }
        let (mut reached, mut pending) = (vec![false; states], from);
        while let Some(state) = pending.pop() {
            if !std::mem::replace(&mut reached[state as usize], true) {
                pending.extend(&adjacent[state as usize]);
            }
        }
        reached
    };
    let forward = reach(vec![0], |&(from, _, to)| (from, to));
    let goals = (0..).zip(&automaton.accepting).filter(|it| *it.1).map(|it| it.0).collect();
    let backward = reach(goals, |&(from, _, to)| (to, from));
    let keeps = |state: u32| forward[state as usize] && backward[state as usize];
    let mut numbers = vec![u32::MAX; states];
    let mut accepting = Vec::new();
    for state in (0..).take(states).filter(|&state| state == 0 || keeps(state)) {
        numbers[state as usize] = u32::try_from(accepting.len()).expect("there are no more than before");
        accepting.push(automaton.accepting[state as usize]);
    }
    let kept = automaton.edges.iter().filter(|it| keeps(it.0) && keeps(it.2));
    let edges =
        kept.map(|&(from, letter, to)| (numbers[from as usize], letter, numbers[to as usize])).collect();
    Automaton { accepting, edges }
}

/// A partition of numbers that is refined: elements are marked, and then each set is split into those that are and those that are not.
struct Partition {
    /// The elements, set by set; in each set the marked ones first.
    elements: Vec<u32>,
    /// Where each element is.
    places: Vec<usize>,
    set_of: Vec<u32>,
    sets: Vec<Range<usize>>,
    marked: Vec<usize>,
    touched: Vec<u32>,
}

impl Partition {
    fn new(count: usize) -> Partition {
        Partition {
            elements: (0..).take(count).collect(),
            places: (0..count).collect(),
            set_of: vec![0; count],
            sets: std::iter::once(0..count).filter(|all| !all.is_empty()).collect(),
            marked: vec![0; usize::from(count != 0)],
            touched: Vec::new(),
        }
    }

    fn count(&self) -> usize {
        self.sets.len()
    }

    fn range(&self, set: usize) -> Range<usize> {
        self.sets[set].clone()
    }

    /// Makes a set of the elements of each key.
    fn group_by(&mut self, key: impl Fn(u32) -> u32) {
        self.elements.sort_by_key(|&it| key(it));
        self.sets.clear();
        let mut begin = 0;
        for group in self.elements.chunk_by(|&a, &b| key(a) == key(b)) {
            let set = u32::try_from(self.sets.len()).expect("there are no more than elements");
            for (offset, &element) in group.iter().enumerate() {
                self.places[element as usize] = begin + offset;
                self.set_of[element as usize] = set;
            }
            self.sets.push(begin..begin + group.len());
            begin += group.len();
        }
        self.marked = vec![0; self.sets.len()];
    }

    /// Marks an element that is not marked yet.
    fn mark(&mut self, element: u32) {
        let set = self.set_of[element as usize];
        let marked = &mut self.marked[set as usize];
        if *marked == 0 {
            self.touched.push(set);
        }
        let (from, to) = (self.places[element as usize], self.sets[set as usize].start + *marked);
        *marked += 1;
        self.elements.swap(from, to);
        self.places[self.elements[from] as usize] = from;
        self.places[element as usize] = to;
    }

    /// Splits the sets, and takes the marks away. The smaller part is the new set, which keeps the whole in O(m log m).
    fn split(&mut self) {
        while let Some(set) = self.touched.pop() {
            let Range { start, end } = self.range(set as usize);
            let middle = start + std::mem::take(&mut self.marked[set as usize]);
            if middle == end {
                continue;
            }
            let (kept, new) = if middle - start <= end - middle {
                (middle..end, start..middle)
            } else {
                (start..middle, middle..end)
            };
            let number = u32::try_from(self.sets.len()).expect("there are no more than elements");
            new.clone().for_each(|place| self.set_of[self.elements[place] as usize] = number);
            self.sets[set as usize] = kept;
            self.sets.push(new);
            self.marked.push(0);
        }
    }
}
