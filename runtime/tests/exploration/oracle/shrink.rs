//! Makes a program smaller, for readers, while a condition stays true.

use super::program::{Op, Program};

/// The smallest program found, by leaving out operations and handles, that is still well formed and for which
/// `still` holds.
pub(crate) fn shrink(program: &Program, still: impl Fn(&Program) -> bool) -> Program {
    let mut best = program.clone();
    loop {
        let smaller = candidates(&best).find(|candidate| candidate.is_well_formed() && still(candidate));
        match smaller {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}

/// The programs one step smaller, the boldest steps first.
fn candidates(program: &Program) -> impl Iterator<Item = Program> + '_ {
    let threads = (1..program.threads.len()).rev().filter_map(|t| without_thread(program, t));
    let runs = [4, 2, 1].into_iter().flat_map(move |run| {
        (0..program.threads.len()).flat_map(move |t| {
            let ends = program.threads[t].ops.len() + 1 - run.min(program.threads[t].ops.len() + 1);
            (0..ends).map(move |at| {
                let mut smaller = program.clone();
                smaller.threads[t].ops.drain(at..at + run);
                smaller
            })
        })
    });
    let unscoped = program.scoped.then(|| Program { scoped: false, ..program.clone() });
    let handles = (0..program.objects.len())
        .flat_map(move |o| (0..program.threads.len()).filter_map(move |t| without_handle(program, o, t)));
    let arms = (0..program.threads.len()).flat_map(move |t| {
        let ops = &program.threads[t].ops;
        (0..ops.len()).flat_map(move |at| fewer_arms(&ops[at]).into_iter().map(move |op| (at, op))).map(
            move |(at, op)| {
                let mut smaller = program.clone();
                smaller.threads[t].ops[at] = op;
                smaller
            },
        )
    });
    let objects = (0..program.objects.len()).filter_map(|o| without_object(program, o));
    threads.chain(objects).chain(runs).chain(unscoped).chain(handles).chain(arms)
}

/// The select with one arm less, in every way.
fn fewer_arms(op: &Op) -> Vec<Op> {
    let Op::Choose(choice) = op else { return Vec::new() };
    let without = |i: usize| {
        let mut choice = choice.clone();
        choice.arms.remove(i);
        Op::Choose(choice)
    };
    if choice.arms.len() > 2 { (0..choice.arms.len()).map(without).collect() } else { Vec::new() }
}

/// The program without a thread that spawns no other and holds nothing that others need: its handles go to main.
fn without_thread(program: &Program, t: usize) -> Option<Program> {
    use super::program::{Holder, Object};
    if program.threads.iter().skip(1).any(|thread| thread.parent == t) {
        return None;
    }
    let mut smaller = program.clone();
    smaller.threads.remove(t);
    let down = |thread: &mut usize| *thread -= usize::from(*thread > t);
    for thread in &mut smaller.threads {
        down(&mut thread.parent);
        thread.ops.retain_mut(|op| op.thread_mut().is_none_or(|named| *named != t));
        for op in &mut thread.ops {
            op.thread_mut().map(down);
        }
    }
    for object in &mut smaller.objects {
        let weak_may_be_none = matches!(object, Object::Arc { .. });
        for (i, holders) in object.holders_mut().into_iter().enumerate() {
            let below = *holders & ((1 << t) - 1);
            *holders = below | (*holders >> (t + 1)) << t;
            if *holders == 0 && !(weak_may_be_none && i == 1) {
                *holders = 1;
            }
        }
        if let Object::Port { receiver, .. }
        | Object::Buffer { receiver, .. }
        | Object::Entry { receiver, .. } = object
            && let Holder::Thread(holder) = receiver
        {
            *holder = if *holder == t { 0 } else { *holder - usize::from(*holder > t) };
        }
    }
    Some(smaller)
}

/// The program without an object that nothing names.
fn without_object(program: &Program, o: usize) -> Option<Program> {
    let mut smaller = program.clone();
    smaller.objects.remove(o);
    let mut named = Vec::new();
    for object in &mut smaller.objects {
        named.extend(object.other_mut());
    }
    for thread in &mut smaller.threads {
        for op in &mut thread.ops {
            named.extend(op.objects_mut());
        }
    }
    for name in named {
        if *name == o {
            return None;
        }
        *name -= usize::from(*name > o);
    }
    Some(smaller)
}

/// The program without a handle, unless it is the only one.
fn without_handle(program: &Program, o: usize, t: usize) -> Option<Program> {
    let mut smaller = program.clone();
    let holders = smaller.objects[o].holders_mut().into_iter().find(|holders| **holders >> t & 1 == 1)?;
    *holders &= !(1 << t);
    Some(smaller)
}
