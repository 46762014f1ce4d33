//! Sequences of random programs in which one event takes something else: a program follows such a sequence, or begins with
//! it, if and only if it has one like that.

use std::collections::BTreeSet;
use std::sync::Arc;

use insyn::sequences::{Event, EventRef, Kind, Op, Order, Pick, Sequence};

use super::Setting;
use super::replayed::{All, begins, explore, led, led_at, say, text_of};
use crate::oracle::interpret;
use crate::oracle::program::Program;
use crate::oracle::random::Random;

/// How many edits of a sequence are tried.
const EDITS: usize = 6;

/// Edits a sequence, and compares the result with all that the program can do.
pub(crate) fn compare(
    random: &mut Random,
    setting: Setting,
    program: &Arc<Program>,
    sequence: &Sequence,
    all: &All,
) -> Result<(), String> {
    let led = led(all);
    let known: BTreeSet<(&str, &str, bool)> = all.iter().flat_map(|(it, _)| orders(it)).collect();
    for _ in 0..EDITS {
        let Some((at, whole)) = edit(random, sequence) else { continue };
        // If the program does not ask for the leader of a barrier, any thread may have been the leader.
        let whole = led_at(&led, whole);
        if !orders(&whole).is_subset(&known) {
            // The program does not ask in which order these happen, so it may have been any.
            continue;
        }
        let about = |why: String| {
            let was = say(sequence, sequence.event(at));
            format!("edited: {why}\n{}, which was {was:?}\n{}", sequence.event_name(at), text_of(&whole))
        };
        replay(setting, program, &whole, all).map_err(about)?;
        let beginning = up_to(sequence, &whole, at);
        begin(setting, program, &beginning, all)
            .map_err(|why| format!("edited: {why}\n{}:\n{}", sequence.event_name(at), text_of(&beginning)))?;
    }
    Ok(())
}

/// The sequence in which one receiving event takes something else, and that event.
fn edit(random: &mut Random, sequence: &Sequence) -> Option<(EventRef, Sequence)> {
    let receiving: Vec<EventRef> =
        sequence.events().filter(|&at| sequence.event(at).pick != Pick::None).collect();
    if receiving.is_empty() {
        return None;
    }
    let at = random.pick(&receiving);
    let order = Order::of(sequence).expect("the engine's sequences are in order");
    let event = sequence.event(at);
    // Usually an event of the same object, and never one that follows from the event itself.
    let near = random.chance(80);
    let is_near = |it: &EventRef| sequence.event(*it).object == event.object;
    let others: Vec<EventRef> = sequence
        .events()
        .filter(|&it| it != at && !order.happens_before(at, it))
        .filter(|it| !near || is_near(it))
        .collect();
    let mut taken = event.pick.partners().to_vec();
    match random.below(5) {
        0 => taken.clear(),
        1 if taken.len() > 1 => drop(taken.remove(random.below(taken.len()))),
        2 if taken.len() > 1 => taken.swap(0, 1),
        3 if !others.is_empty() => taken.push(random.pick(&others)),
        _ if others.is_empty() => taken.clear(),
        _ => taken = vec![random.pick(&others)],
    }
    let mut edited = sequence.clone();
    // The edit changes which events come after which.
    edited.processes.iter_mut().flat_map(|it| &mut it.events).for_each(|it| it.after.clear());
    let mut changed = Event { after: Vec::new(), ..event.clone() };
    if let Some(&first) = taken.first() {
        let partner = sequence.event(first);
        // A receive is on the port of its partner, and a completion is named after its call.
        if matches!(event.op, Op::Receive | Op::Accept) {
            let is_entry = |port: usize| sequence.processes[port].kind == Kind::Entry;
            changed.object = partner.object;
            changed.op = if partner.object.is_some_and(is_entry) { Op::Accept } else { Op::Receive };
        } else if sequence.processes[at.process].kind != Kind::Thread && random.chance(70) {
            (changed.op, changed.object) = (partner.op, partner.object);
        }
    }
    if changed.op == Op::Arrive && taken.len() > 1 {
        // Of the threads that meet at a barrier, only the leader is special.
        taken[1..].sort_unstable();
    }
    changed.pick = if taken.is_empty() { Pick::Nothing } else { Pick::Partners(taken) };
    edited.processes[at.process].events[at.index] = changed;
    (say(&edited, edited.event(at)) != say(sequence, event)).then_some((at, edited))
}

/// Which objects have an order: by process, the objects whose calls it completes, and whether it is the drop of a receiver.
fn orders(sequence: &Sequence) -> BTreeSet<(&str, &str, bool)> {
    let completions = sequence
        .events()
        .filter(|at| !sequence.is_thread(at.process) && !sequence.event(*at).pick.partners().is_empty());
    let order = |at: EventRef| {
        let id = |process: usize| sequence.processes[process].id.as_str();
        let event = sequence.event(at);
        Some((id(at.process), id(event.object?), event.op == Op::DropReceiver))
    };
    completions.filter_map(order).collect()
}

/// The edited sequence without the events that followed from the original pick.
fn up_to(sequence: &Sequence, edited: &Sequence, at: EventRef) -> Sequence {
    let order = Order::of(sequence).expect("the engine's sequences are in order");
    let mut beginning = edited.clone();
    for (process, it) in beginning.processes.iter_mut().enumerate() {
        let is_kept = |&index: &usize| !order.happens_before(at, EventRef { process, index });
        it.events.truncate((0..it.events.len()).take_while(is_kept).count());
    }
    beginning
}

/// The program does all of a sequence, if it can; and never something else.
fn replay(setting: Setting, program: &Arc<Program>, whole: &Sequence, all: &All) -> Result<(), String> {
    let same = Arc::clone(program);
    let followed = setting.explorer().replay(whole, move || interpret::run(&same));
    let can_be = all.iter().any(|(it, _)| begins(it, whole) && it.events().count() == whole.events().count());
    match followed {
        Ok(execution) if can_be && begins(&execution.sequence, whole) => Ok(()),
        Ok(execution) => Err(format!("something else is replayed:\n{}", text_of(&execution.sequence))),
        Err(error) if can_be => Err(format!("not replayed: {error}")),
        Err(_) => Ok(()),
    }
}

/// The program begins with this, if it can.
fn begin(setting: Setting, program: &Arc<Program>, beginning: &Sequence, all: &All) -> Result<(), String> {
    let same = Arc::clone(program);
    let followed = setting.explorer().force_prefix(beginning, move || interpret::run(&same));
    let can_be = all.iter().any(|(it, _)| begins(it, beginning));
    match followed {
        Ok(execution) if can_be && begins(&execution.sequence, beginning) => {}
        Ok(execution) => return Err(format!("a run begins otherwise:\n{}", text_of(&execution.sequence))),
        Err(error) if can_be => return Err(format!("no run begins like that: {error}")),
        Err(_) => {}
    }
    let explorer = setting.explorer().prefix(beginning.clone()).map_err(|e| e.to_string());
    let explorer = match explorer {
        Err(error) if can_be => return Err(format!("refused: {error}")),
        Err(_) => return Ok(()),
        Ok(explorer) => explorer,
    };
    let (found, failures) = explore(explorer, program).ok_or("more executions than without it")?;
    match (found.is_empty(), can_be, failures) {
        (false, true, _) | (true, false, 1..) => Ok(()),
        (true, false, 0) => Err(String::from("an exploration finds nothing and says nothing")),
        (true, true, _) => Err(String::from("an exploration does not begin like that")),
        (false, false, _) => Err(format!("{} explored sequences begin otherwise", found.len())),
    }
}
