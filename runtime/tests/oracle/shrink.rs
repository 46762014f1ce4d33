//! Makes a program smaller while something stays true of it, for reading.

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
    threads.chain(runs).chain(unscoped).chain(handles)
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
        thread.ops.retain(|op| !matches!(op, Op::Spawn(c) | Op::Join(c) if *c == t));
        for op in &mut thread.ops {
            if let Op::Spawn(child) | Op::Join(child) = op {
                down(child);
            }
        }
    }
    for object in &mut smaller.objects {
        let (Object::Port { senders, receiver, .. }
        | Object::Buffer { senders, receiver, .. }
        | Object::Entry { senders, receiver }) = object
        else {
            continue;
        };
        let below = *senders & ((1 << t) - 1);
        *senders = below | (*senders >> (t + 1)) << t;
        if *senders == 0 {
            *senders = 1;
        }
        if let Holder::Thread(holder) = receiver {
            *holder = if *holder == t { 0 } else { *holder - usize::from(*holder > t) };
        }
    }
    Some(smaller)
}

/// The program without a sending handle, unless it is the only one.
fn without_handle(program: &Program, o: usize, t: usize) -> Option<Program> {
    use super::program::Object;
    let mut smaller = program.clone();
    let (Object::Port { senders, .. } | Object::Buffer { senders, .. } | Object::Entry { senders, .. }) =
        &mut smaller.objects[o]
    else {
        return None;
    };
    if *senders >> t & 1 == 0 || *senders == 1 << t {
        return None;
    }
    *senders &= !(1 << t);
    Some(smaller)
}
