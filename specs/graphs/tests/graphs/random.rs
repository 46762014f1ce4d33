//! Random small graphs.

use insyn_graphs::{Activity, GraphBuilder, StateGraph, StateId, ThreadId, ThreadState};

use crate::explored::thread;

/// Random numbers (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % bound as u64) as usize
    }

    pub(crate) fn chance(&mut self, of: usize) -> bool {
        self.below(of) == 0
    }
}

/// A random graph with at most as many transitions, of one to three threads. States that cannot be reached are left out, so most
/// are smaller. Some meetings of two threads are among the transitions.
pub(crate) fn graph(seed: u64, most: usize) -> StateGraph {
    let mut random = Random(seed);
    loop {
        if let Some(graph) = attempt(&mut random, false).filter(|it| it.transitions() <= most) {
            return graph;
        }
    }
}

/// The same, with states whose transitions are not all known.
pub(crate) fn open_graph(seed: u64, most: usize) -> StateGraph {
    let mut random = Random(seed);
    loop {
        let found = attempt(&mut random, true);
        if let Some(graph) = found.filter(|it| it.transitions() <= most && !it.is_complete()) {
            return graph;
        }
    }
}

fn attempt(random: &mut Random, opens: bool) -> Option<StateGraph> {
    let (threads, states) = (1 + random.below(3), 1 + random.below(6));
    let blocks = 2 + random.below(3);
    let progresses = 2 + random.below(6);
    let mut activities = vec![[Activity::Ready; 3]; states];
    let mut progress = vec![[false; 3]; states];
    for state in 0..states {
        for thread in 0..threads {
            if random.chance(blocks) {
                activities[state][thread] = Activity::Blocked;
            } else if random.chance(8) {
                activities[state][thread] = Activity::Ended;
            }
            progress[state][thread] = random.chance(progresses);
        }
    }
    let has_ended = |state: usize, thread: usize| activities[state][thread] == Activity::Ended;
    let mut transitions: Vec<(usize, Vec<ThreadId>, usize)> = Vec::new();
    let mut is_open = vec![false; states];
    for from in 0..states {
        is_open[from] = opens && random.chance(3);
        let revives = |to: usize| (0..threads).any(|it| has_ended(from, it) && !has_ended(to, it));
        let targets: Vec<usize> = (0..states).filter(|&to| !revives(to)).collect();
        let ready: Vec<usize> = (0..threads).filter(|&it| activities[from][it] == Activity::Ready).collect();
        for &mover in &ready {
            if is_open[from] && random.chance(2) {
                continue;
            }
            for _ in 0..1 + usize::from(random.chance(3)) {
                let mut movers = vec![thread(mover)];
                let other = ready[random.below(ready.len())];
                if other != mover && random.chance(5) {
                    movers.push(thread(other));
                }
                transitions.push((from, movers, targets[random.below(targets.len())]));
            }
        }
    }
    let mut number = vec![None; states];
    let mut order = vec![0];
    number[0] = Some(0_u32);
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        for &(_, _, to) in transitions.iter().filter(|it| it.0 == state) {
            if number[to].is_none() {
                number[to] = u32::try_from(order.len()).ok();
                order.push(to);
            }
        }
    }
    let mut builder = GraphBuilder::new(["a", "b", "c"][..threads].iter().copied()).ok()?;
    for &state in &order {
        let label = state.to_string();
        let at = |thread: usize| ThreadState {
            next: &label,
            activity: activities[state][thread],
            progress: progress[state][thread],
        };
        let added = builder.state(&(0..threads).map(at).collect::<Vec<_>>(), "").ok()?;
        if is_open[state] {
            builder.open(added).ok()?;
        }
    }
    for (from, movers, to) in &transitions {
        if let (Some(from), Some(to)) = (number[*from], number[*to]) {
            builder.transition(StateId(from), movers, "step", "", StateId(to)).ok()?;
        }
    }
    Some(builder.finish(StateId(0)).expect("it is made to be valid"))
}
