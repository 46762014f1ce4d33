//! *Lost update*: a thread loads a variable and stores it later; between them, in the order of the writes, is a write by another
//! thread that the first one has not seen before it stores; and it decides whether the load sees that write.

use super::{Cause, events_of, thread_of};
use crate::scene::Scene;
use crate::sequence::{EventRef, Kind, Op};

pub(super) fn find(scene: &Scene<'_>) -> Option<Cause> {
    scene.fatal()?;
    let sequence = scene.order.sequence();
    for it in scene.deciding() {
        let load = it.event;
        let event = sequence.event(load);
        let Some(variable) =
            event.object.filter(|_| event.op == Op::Load && sequence.is_thread(load.process))
        else {
            continue;
        };
        if sequence.processes[variable].kind != Kind::Atomic {
            continue;
        }
        let writes: Vec<EventRef> = events_of(scene, variable)
            .filter(|&at| matches!(sequence.event(at).op, Op::Store | Op::Update))
            .collect();
        // A write is named by the call or by its completion.
        let place = |write: EventRef| {
            let completion = scene.order.completion(write).unwrap_or(write);
            writes.iter().position(|&at| at == completion)
        };
        let seen = event.pick.partners().first().and_then(|&at| place(at)).map_or(0, |at| at + 1);
        let Some(lost) = it.instead.first().and_then(|&at| place(at)) else { continue };
        let is_own = |at: EventRef| thread_of(scene, at) == load.process;
        let after_load =
            |at: EventRef| scene.order.completed(at).next().is_some_and(|call| call.index > load.index);
        let Some(store) = (0..writes.len()).find(|&n| is_own(writes[n]) && after_load(writes[n])) else {
            continue;
        };
        let is_blind =
            sequence.event(writes[store]).op == Op::Store && !sees_more(scene, load, variable, writes[store]);
        if (seen..store).contains(&lost) && !is_own(writes[lost]) && is_blind {
            return Some(Cause::LostUpdate { load, lost: writes[lost], store: writes[store] });
        }
    }
    None
}

/// Whether the thread looks at the variable again before it stores it.
fn sees_more(scene: &Scene<'_>, load: EventRef, variable: usize, store: EventRef) -> bool {
    let own = &scene.order.sequence().processes[load.process].events;
    let end = scene.order.completed(store).next().map_or(own.len(), |call| call.index);
    own[load.index + 1..end].iter().any(|event| event.object == Some(variable))
}
